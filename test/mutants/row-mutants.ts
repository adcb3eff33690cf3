import type { Mutant } from './mutants.ts'

type Breakage = readonly [breaks: string, find: string, replace: string, caughtBy: string]

/** What the row of a session says: broken once each. */
export const ROW_MUTANTS: readonly Mutant[] = [
  ...within('src/agents/claude/tools', [
    [
      'a description stands in the place of the command',
      "'plan', 'description']",
      "'plan', 'description'].toReversed()",
      'VW23',
    ],
    [
      'a file is shown by its name alone',
      'shownPath(file, { folder: textIn(folder) }).text',
      "file.replace(/.*[/]/, '')",
      'VW23',
    ],
  ]),
  ...within('src/surfaces/tui/palette', [
    ['keys are lost while the terminal is asked', 'stdin.unshift(', 'void (', 'TU27'],
    ['a light terminal is taken for a dark one', 'blue > 0.5', 'blue > 1', 'TU27'],
  ]),
  ...within(
    'src/surfaces/tui/reading',
    [
      [
        'a tall terminal is half empty',
        'return grown(geometry, Math.min(',
        'return grown(geometry, Math.min(0, ',
        'TU29',
      ],
    ],
    'src/surfaces/tui/layout.test.ts',
  ),
  ...within('src/agents/claude/last-words', [
    ['what an API error says is dropped', '&& entry.isApiErrorMessage !== true', '', 'VW24'],
    ['a notice of the client’s is a prompt', '|| isTaskNotice(prompt)', '', 'VW24'],
  ]),
  ...within(
    'src/protocol/session-of',
    [['an old answer stands behind a new prompt', '&& agent.at < user.at', '&& false', 'VW24']],
    'src/agents/claude/last-words.test.ts',
  ),
  ...within(
    'src/view/session',
    [['a row says why and not what', '|| saidOf(shown)', "|| ''", 'VW24']],
    'src/view/shape.test.ts',
  ),
  ...within(
    'src/surfaces/notify/message',
    [['what its user typed leaves the machine', 'prompt: null', 'prompt: session.prompt', 'NO13']],
    'src/surfaces/notify/text.test.ts',
  ),
  ...within('src/daemon/session-names', [
    [
      'a number changes as others go',
      'if (held?.base === base && (isOwn',
      'if (held && !(isOwn',
      'VW25',
    ],
    ['a number is never free again', '|| !this.#isOpen(holder)', '', 'VW25'],
    [
      'the next daemon numbers anew',
      'this.#isFree(holders, logged) ? logged',
      'false ? logged',
      'VW25',
    ],
  ]),
  ...within(
    'src/surfaces/cli/pick',
    [
      ['a beginning counts as much as a name', '[WHOLE, BEGUN]', '[[...BEGUN, ...WHOLE]]', 'CM17'],
      ['a closed session hides an open one', 'sessions.filter(isOpen)\n', 'sessions\n', 'CM17'],
      ['the folder counts more than the shell', 'if (session) return session', '', 'CM17'],
    ],
    'src/app/commands.test.ts',
  ),
  ...within(
    'src/daemon/api/routes/sessions',
    [['two sessions get one name', 'if (other)', 'if (false)', 'VW26']],
    'test/commands/name.test.ts',
  ),
  ...within(
    'src/view/board/rows',
    [
      ['closed sessions bury the rest', 'closed.length < FOLDED_MIN ||', 'true ||', 'VW27'],
      ['what is looked for stays folded', "|| board.filter !== ''", '', 'VW27'],
      [
        'what you chose is folded away',
        'const isKept = isChosen &&',
        'const isKept = false &&',
        'VW27',
      ],
    ],
    'test/surfaces/closed.test.ts',
  ),
  ...within(
    'src/view/session',
    [['a plan and a permission look alike', 'if (shown.for) return', 'if (!shown) return', 'VW28']],
    'src/surfaces/tui/narrow.test.ts',
  ),
  ...within(
    'src/surfaces/tui/edge-lines',
    [['help and quit have no room', "=== 'q' ? -2 : -1", "=== 'q' ? -9 : -9", 'TU26']],
    'src/surfaces/tui/narrow.test.ts',
  ),
  ...within('src/view/changes', [
    ['the same is shown again and again', '!older ||', 'true ||', 'VW29'],
  ]),
  ...within(
    'src/view/changes',
    [['the oldest message comes first', 'talk?.said.toReversed()', 'talk?.said', 'VW29']],
    'src/surfaces/tui/layout.test.ts',
  ),
  ...within(
    'src/daemon/passed-names',
    [['a clear loses the name', '!successor || !name', '!successor || name', 'VW26']],
    'test/commands/name.test.ts',
  ),
  ...within(
    'src/surfaces/cli/why',
    [['one command has its own words', "'<session>', SESSION_IS", "'<session>', 'an id'", 'CM17']],
    'src/app/commands.test.ts',
  ),
  ...within(
    'src/core/words',
    [['a closed session is shown raw', 'CLOSED[how] ?? spaced(how)', 'how', 'VW27']],
    'src/view/session.test.ts',
  ),
]

function within(file: string, breakages: readonly Breakage[], test = `${file}.test.ts`): Mutant[] {
  return breakages.map(([breaks, find, replace, caughtBy]) => ({
    ...{ breaks, file: `${file}.ts`, find, replace, test, caughtBy },
  }))
}
