import type { Mutant } from './mutants.ts'

type Breakage = readonly [breaks: string, find: string, replace: string, caughtBy: string]

/** What is written into tmux, and given back: each rule broken once. */
export const TMUX_MUTANTS: readonly Mutant[] = [
  {
    breaks: 'tmux is asked though every agent has a better source',
    file: 'src/surfaces/tmux/screens-alone.ts',
    find: 'const isNeeded = unspoken.length > 0',
    replace: 'const isNeeded = isOn',
    test: 'test/tmux/screens.test.ts',
    caughtBy: 'TM32',
  },
  {
    breaks: 'a stopped agent is given the screen of the one in front',
    file: 'src/surfaces/tmux/screen-watch.ts',
    find: ' || (await terminalOf(pane.pid))?.inFront',
    replace: '',
    test: 'test/tmux/screens.test.ts',
    caughtBy: 'TM29',
  },
  {
    breaks: 'screens are looked for on while the daemon ends',
    file: 'src/surfaces/tmux/screens-alone.ts',
    find: 'if (this.#closed) return',
    replace: '',
    test: 'src/surfaces/tmux/screens-alone.test.ts',
    caughtBy: 'TM32',
  },
  ...within('src/surfaces/tmux/signs.ts', 'src/surfaces/tmux/plan.test.ts', [
    ['what failed is not marked', "state === 'error' ||", 'false ||', 'TM33'],
    ['marks stay when they are over', '|| !needsUser(session)', '', 'TM34'],
  ]),
  ...within('src/surfaces/tmux/commands.ts', 'test/tmux/marks.test.ts', [
    [
      'a window loses its own style',
      'within(id, inherited, forget',
      'within(id, "1", forget',
      'TM34',
    ],
    ['a style given meanwhile is lost', 'within(id, isOurs, [', "within(id, '1', [", 'TM34'],
  ]),
  ...within('src/tmux/quote.ts', 'src/tmux/quote.test.ts', [
    ['a tilde is expanded', `Buffer.from('"\\\\$~')`, `Buffer.from('"\\\\$')`, 'TM1'],
    ['names grow by a backslash', "(whole.slice(1) || '\\\\')", "(whole || '\\\\')", 'TM2'],
  ]),
  ...within('src/tmux/reader.ts', 'src/tmux/reader.test.ts', [
    [
      'any end ends a block',
      '!failed && line !== ',
      "!failed && !line.startsWith('%end ') && line !== ",
      'TM3',
    ],
  ]),
  ...within('src/tmux/tmux.ts', 'test/tmux/servers.test.ts', [
    [
      'a foreign server is asked',
      'found.uid !== (process',
      'found.uid === -1 && !(process',
      'BR10',
    ],
    ['any file is a server', '!found?.isSocket() ||', '!found ||', 'TM5'],
  ]),
  ...within('src/tmux/servers.ts', 'test/tmux/servers.test.ts', [
    ['a server in its place is not noticed', 'known?.mark === mark', 'known && mark', 'TM4'],
  ]),
  ...within('src/tmux/server.ts', 'test/tmux/servers.test.ts', [
    ['our client stays alone', 'if (session === undefined) this.#leave()', 'if (false) {}', 'TM6'],
    [
      'our client stays alone',
      '!sessions?.others.has(sessions.own)',
      "sessions?.own === 'nowhere'",
      'TM6',
    ],
    [
      'a detached client stays out',
      'this.#timer = setTimeout(() => this.look(), this.#waitMs)',
      'this.#timer = setTimeout(() => {}, this.#waitMs)',
      'TM8',
    ],
  ]),
  ...within('src/tmux/control.ts', 'test/tmux/servers.test.ts', [
    [
      'the environment is overwritten',
      "'attach-session', '-E', '-t'",
      "'attach-session', '-t'",
      'TM7',
    ],
    ['an error is no error', 'asked.failure ??= said.lines.join', 'said.lines.join', 'TM10'],
    [
      'a silent server is waited for',
      'const ANSWER_MAX_MS = 5_000',
      'const ANSWER_MAX_MS = 5e8',
      'TM11',
    ],
  ]),
  ...within('src/surfaces/tmux/plan.ts', 'src/surfaces/tmux/plan.test.ts', [
    ['what is there is written again', 'before.get(target)?.get(one) !== value', 'true', 'TM13'],
    [
      'a turn changes the variables',
      'sign ? sign.variables[one] : known?.get(one)',
      "sign?.variables[one] ?? ''",
      'TM14',
    ],
    [
      'the least needy is shown',
      'return sessions.toSorted(byAttention)[0]',
      'return sessions.toSorted(byAttention).at(-1)',
      'TM15',
    ],
    ['the segment is written always', 'if (segment !== seen.segment)', 'if (segment)', 'TM16'],
    [
      'what was left behind stays',
      'if (before === NOTHING_WRITTEN)',
      'if (before === undefined)',
      'TM18',
    ],
    ['a hand’s name is written over', 'if (isRenamed) return', 'if (false) return', 'TM19'],
    ['old news stays news', 'since + FRESH_MAX_MS + 1)', 'since + FRESH_MAX_MS)', 'TM20'],
    ['a pane shows its window only', ', ...there])', '])', 'TM12'],
  ]),
  ...within('src/surfaces/tmux/commands.ts', 'src/surfaces/tmux/plan.test.ts', [
    ['what was inherited is set', "? '-wu' : '-w'", "? '-w' : '-w'", 'TM17'],
    [
      'names are given back escaped',
      'tmuxQuoted(nameBytesOf(held.was))',
      'tmuxQuoted(held.was)',
      'TM17',
    ],
  ]),
  ...within('src/surfaces/tmux/window-name.ts', 'src/surfaces/tmux/plan.test.ts', [
    [
      'the window’s own name is lost',
      'isOwn ? nameBytesOf(own) :',
      'false ? nameBytesOf(own) :',
      'TM21',
    ],
  ]),
  ...within('src/surfaces/tmux/reading.ts', 'src/surfaces/tmux/plan.test.ts', [
    [
      'we look ourselves',
      "kind !== 'client' || pid === String(ownPid)",
      "kind !== 'client'",
      'TM22',
    ],
  ]),
  ...within('src/surfaces/tmux/painter.ts', 'src/surfaces/tmux/painter.test.ts', [
    [
      'what is shown is asked for again',
      'if (this.#seen && shown === this.#shown) return',
      '',
      'TM13',
    ],
    [
      'our own writing is news',
      "if (name.endsWith('window-renamed') &&",
      'if (name === rest &&',
      'TM13',
    ],
  ]),
  ...within('src/surfaces/tmux/painter.ts', 'src/surfaces/tmux/painter.test.ts', [
    ['the deadline is ignored', 'lookAt === undefined || this.#closed', 'lookAt !== 0', 'TM20'],
  ]),
  ...within('src/core/vocabulary/notify-tmux.ts', 'test/tmux/checklist.test.ts', [
    [
      'reading is work',
      "verdict.after === 'work' ? 'COMPLETED' : 'BASE'",
      "'COMPLETED' as NotifyState",
      'TM23',
    ],
  ]),
  ...within('src/surfaces/cli/tmux.ts', 'test/tmux/command.test.ts', [
    ['off leaves what a killed daemon wrote', '  await sweep(sockets, process.env)\n', '', 'TM24'],
  ]),
  ...within('src/surfaces/tmux/surface.ts', 'test/tmux/command.test.ts', [
    [
      'no tmux is not said',
      "if (error.missing) this.#context.trouble('tmux'",
      "if (error.missing) this.#context.trouble('', undefined); else this.#context.trouble('x'",
      'TM25',
    ],
  ]),
  ...within('src/surfaces/tmux/surface.ts', 'test/tmux/painting.test.ts', [
    ['another vigil’s names are taken off', 'existsSync(this.#mark)', 'true', 'TM18'],
    ['what was left is not given back', 'existsSync(this.#mark)', 'false', 'TM18'],
  ]),
  ...within('src/tmux/jump.ts', 'test/tmux/jump.test.ts', [
    ['one does not come back', '} ; exec ', '} # ', 'TM26'],
  ]),
  ...within('src/surfaces/cli/jump.ts', 'test/tmux/jump.test.ts', [
    ['next is always the first', '    remember(folders, session.id)\n', '', 'TM27'],
  ]),
  ...within('src/surfaces/tmux/focus.ts', 'src/surfaces/tmux/focus.test.ts', [
    ['every key is typing', '&& input !== known.input &&', '&&', 'TM35'],
    ['the input line is read without a key', 'known?.keyAt !== keyAt)', 'known !== null)', 'TM35'],
    ['a user who has left reads', '< PRESENT_MS', '> 0', 'TM28'],
    ['going there is not looking', 'return came ||', 'return', 'TM28'],
  ]),
  ...within('src/surfaces/tmux/screen-watch.ts', 'test/tmux/screens.test.ts', [
    ['screens are read though the client tells its state', '!OWN_WORD.has', '!!OWN_WORD', 'TM30'],
    ['a hook ends the reading of screens', "['registry', 'server']", '[undefined]', 'TM29'],
    ['a reused terminal is its old pane', 'painter.look()', 'painter', 'TM29'],
    ['a user who leaves takes the screens along', '() => source.onDetached()', '() => {}', 'TM30'],
  ]),
  ...within('src/surfaces/tmux/screen-watch.ts', 'src/surfaces/tmux/screen-watch.test.ts', [
    ['a wait is read often for ever', 'session.since + ANSWERS_WITHIN_MS', 'Infinity', 'TM30'],
  ]),
  ...within('src/sources/screens.ts', 'src/sources/screens.test.ts', [
    ['a wait is read as seldom as anything', 'isSoon ? SOON_MS :', '', 'TM30'],
    ['a new pane waits a second', 'if (this.#isDue) this.look()', 'if (false) this.look()', 'TM30'],
  ]),
  ...within('src/tmux/control.ts', 'test/tmux/servers.test.ts', [
    ['two vigils stay for each other', "set.has('control-mode') &&", 'false &&', 'TM6'],
  ]),
  ...within('src/agents/observed.ts', 'test/tmux/screens.test.ts', [
    ['a screen has no process', 'pid: numberIn(pid)', 'pid: undefined', 'TM29'],
  ]),
]

function within(file: string, test: string, breakages: readonly Breakage[]): Mutant[] {
  return breakages.map(([breaks, find, replace, caughtBy]) => {
    return { breaks: `tmux: ${breaks}`, file, find, replace, test, caughtBy }
  })
}
