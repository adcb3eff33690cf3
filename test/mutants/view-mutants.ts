import type { Mutant } from './mutants.ts'

type Breakage = readonly [breaks: string, find: string, replace: string, caughtBy: string]

/** How sessions are shown, what is set, and how surfaces stand in the daemon: broken once each. */
export const VIEW_MUTANTS: readonly Mutant[] = [
  ...within('src/view/shape', [
    [
      'text of an agent is shown as it came',
      'plain(session.reason, WHAT_MAX_COLUMNS)',
      'session.reason',
      'VW1',
    ],
    ['context used is shown as context left', '100 - used', 'used', 'VW1'],
  ]),
  ...within('src/view/order', [
    [
      'rows move while the user looks at them',
      'if (!looking) return',
      'if (looking || !looking) return',
      'VW5',
    ],
    [
      'a session that begins to need its user stays where it is',
      'if (now.needs && !row.needs) begin.push(session)',
      'if (now.needs && !row.needs) rows.push(now)',
      'VW5',
    ],
    [
      'every row that needs its user moves up again and again',
      'if (now.needs && !row.needs) begin',
      'if (now.needs) begin',
      'VW5',
    ],
    [
      'the next one is by kind and not by time',
      'a.since - b.since || byAttention(a, b)',
      'byAttention(a, b)',
      'VW6',
    ],
    ['there is no next one after the last', '[(last + 1) % needy.length]', '[last + 1]', 'VW6'],
  ]),
  ...within(
    'src/view/session',
    [
      [
        'a stuck session comes before a failed one',
        "error: { colour: 'red', rank: 1 }",
        "error: { colour: 'red', rank: 2 }",
        'VW2',
      ],
      ['the youngest comes first', 'a.since - b.since ||', 'b.since - a.since ||', 'VW3'],
      [
        'the order of ids depends on the user’s language',
        'byCode(a.id, b.id)',
        'a.id.localeCompare(b.id)',
        'VW3',
      ],
      [
        'a waiting session that was looked at needs no user',
        "if (state === 'waiting') return true",
        "if (state === 'waiting') return unread",
        'VW4',
      ],
    ],
    'src/view/order.test.ts',
  ),
  ...within('src/view/plan', [
    [
      'a plan is shown by its first line',
      'said.find((line) => HEADING.test(line)) ?? ',
      '',
      'VW22',
    ],
    ['a comment in code is a title', 'lines.slice(0, fence)', 'lines', 'VW22'],
  ]),
  ...within('src/view/summary', [
    [
      'a starting session counts nowhere',
      '  return state\n',
      "  return state === 'starting' ? 'closed' : state\n",
      'VW7',
    ],
    [
      'the bar forgets tasks that run on',
      '[glyphs.working, working + background]',
      '[glyphs.working, working]',
      'VW8',
    ],
    ['the bar is full of zeros', '.filter(([, count]) => count > 0)', '', 'VW8'],
  ]),
  ...within(
    'src/view/glyphs',
    [['two states look alike', "stuck: '~'", "stuck: '-'", 'VW9']],
    'src/view/shape.test.ts',
  ),
  ...within(
    'src/surfaces/cli/watch',
    [['one command has words of its own', 'word}`.padEnd(26)', 'row.state}`.padEnd(26)', 'VW10']],
    'test/surfaces/same.test.ts',
  ),
  ...within('src/home/settings', [
    [
      'what another wrote meanwhile is lost',
      'if (textOf(file) !== before) return false',
      '',
      'VW18',
    ],
    [
      'a broken file is taken for an empty one',
      'settings = this.#read() ?? this.#settings',
      'settings = this.#settings',
      'VW19',
    ],
    [
      'a change is reported though nothing changed',
      'if (this.#text === before) return undefined',
      '',
      'VW19',
    ],
  ]),
  ...within(
    'src/home/settings-text',
    [
      [
        'keys that are not known are lost',
        'if (found.success) return found.data',
        'if (found.success) return { tmux: found.data.tmux, notify: found.data.notify }',
        'VW16',
      ],
      ['an error names no line', 'placeOf(text, node?.offset ?? 0)', '0', 'VW17'],
    ],
    'src/home/settings.test.ts',
  ),
  ...within('src/daemon/attach', [
    [
      'a surface that throws at a change ends the daemon',
      '() => void guarded(failed, listener)',
      'listener',
      'VW20',
    ],
    [
      'a surface that does not end holds the daemon up',
      'Promise.race([closing?.catch(failed), late])',
      'closing?.catch(failed)',
      'VW20',
    ],
    [
      'what the engine does for a surface is taken for the surface’s',
      'return withinSurface.exit(act)',
      'return act()',
      'VW21',
    ],
  ]),
]

function within(file: string, breakages: readonly Breakage[], test = `${file}.test.ts`): Mutant[] {
  return breakages.map(([breaks, find, replace, caughtBy]) => ({
    ...{ breaks, file: `${file}.ts`, find, replace, test, caughtBy },
  }))
}
