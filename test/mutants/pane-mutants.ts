import type { Mutant } from './mutants.ts'

type Breakage = readonly [breaks: string, find: string, replace: string, caughtBy: string]

/** What a pane shows, and what is typed into it: each rule broken once. */
export const PANE_MUTANTS: readonly Mutant[] = [
  ...within('src/tmux/styled.ts', 'src/tmux/styled.test.ts', [
    [
      'colours begin anew with each row',
      'styledRow(line, pen))',
      'styledRow(line, new Pen()))',
      'PA3',
    ],
    ['single control characters are left', "    '\\\\p{Cc}',\n", '', 'PA3'],
    ['links are left', '[\\\\]PX^_]', '[PX^_]', 'PA3'],
    ['a row has other bytes', 'toSorted(([a], [b]) => (a < b ? -1 : 1))', 'slice()', 'PA3'],
  ]),
  ...within('src/surfaces/web/pane/paint.ts', 'test/pane/picture.test.ts', [
    ['the last letter of a row is wiped', 'WIPE + line)', 'line + WIPE)', 'PA1'],
    ['lines that have left are not shown', '[...news.left, ...', '[...', 'PA2'],
  ]),
  ...within('src/daemon/panes/pane-picture.ts', 'test/pane/picture.test.ts', [
    [
      'rows that have changed are not told',
      'before.rows[place] !== row',
      'before.rows[place] === row',
      'PA1',
    ],
    ['lines that are lost are not missed', '&& left <= this.#above.length', '', 'PA2'],
    [
      'what was wiped counts as left',
      'known !== before) return false',
      'false) return false',
      'PA2',
    ],
    ['what tmux drops is forgotten', 'isFull && grown', 'false && grown', 'PA2'],
  ]),
  ...within('src/tmux/tap.ts', 'test/pane/watch.test.ts', [
    ['our client stays alone', 'if (others?.length === 0) this.close()', '', 'PA4'],
    ['a pane is listened to once', ':continue', ':pause', 'PA5'],
  ]),
  ...within('src/surfaces/tmux/reading.ts', 'test/pane/watch.test.ts', [
    ['our client counts as a user', ' || isNoUser(pid, flags)', '', 'PA4'],
  ]),
  ...within('src/daemon/panes/watch.ts', 'test/pane/watch.test.ts', [
    ['our client attaches alone', 'attached === 0 || ', '', 'PA4'],
    [
      'our client outlives the viewer',
      '    this.#tap?.close()\n    this.#wake',
      '    this.#wake',
      'PA5',
    ],
    ['another program is shown', 'if (seat?.tty !== tty)', 'if (!tty)', 'PA6'],
    ['what is behind a shell is shown', 'seat.inFront ? undefined :', 'seat ? undefined :', 'PA6'],
  ]),
  ...within('src/daemon/panes/viewing.ts', 'test/pane/viewing.test.ts', [
    ['a viewer that does not read stays', '      if (dropped) hangUp()\n', '', 'PA7'],
    [
      'the same is sent again',
      'this.#sent = found?.sent ?? this.#sent',
      'this.#sent = undefined',
      'PA7',
    ],
  ]),
  ...within('src/daemon/panes/panes.ts', 'test/pane/typing.test.ts', [
    ['the switch is not asked', 'if (!this.#switches.has(id)) throw', 'if (false) throw', 'PA8'],
    [
      'a prompt goes to one in any state',
      'if (!queued && !STANDS.includes(session.state))',
      'if (false)',
      'PA12',
    ],
    [
      'a prompt goes to one at work whose agent queues none',
      'agentOf(session.agent)?.input?.queues === true',
      'true',
      'PA23',
    ],
    ['any session is interrupted', 'if (!WORKS.includes(session.state))', 'if (false)', 'PA14'],
    [
      'a prompt is not noted',
      "      this.#acts.note(id, 'prompt', by, cutPrompt(text))\n",
      '',
      'PA9',
    ],
    [
      'keys overtake each other',
      'const done = before.then(',
      'const done = Promise.resolve().then(',
      'PA11',
    ],
  ]),
  ...within('src/daemon/panes/switches.ts', 'test/pane/typing.test.ts', [
    ['typing goes on in another process', '|| session.pid !== on.pid', '', 'PA8'],
    ['typing outlives its session', "session.state === 'closed' ||", '', 'PA8'],
  ]),
  ...within('src/daemon/panes/pane-acts.ts', 'test/pane/typing.test.ts', [
    ['keys are not counted', 'burst.count += countOf(typed)', 'burst.count += 1', 'PA9'],
  ]),
  ...within('src/daemon/panes/pane-access.ts', 'test/pane/typing.test.ts', [
    [
      'a shell is typed into',
      'return seat?.inFront ? undefined :',
      'return seat ? undefined :',
      'PA10',
    ],
    ['a scrolled pane is typed into', "if (mode !== '0')", 'if (false)', 'PA10'],
  ]),
  ...within('src/daemon/panes/type-into.ts', 'test/pane/typing.test.ts', [
    ['a paste can become keys', ".replaceAll(CONTROL, '')", '', 'PA12'],
    ['a dialog that came up is sent an Enter', '!(works && input === undefined)', 'true', 'PA23'],
    ['a prompt is typed over another', "input === '' ? undefined :", 'true ? undefined :', 'PA12'],
  ]),
  ...within('src/daemon/panes/press.ts', 'test/pane/typing.test.ts', [
    ['a dialog is answered', "if (shows === 'dialog')", 'if (false)', 'PA14'],
    ['letters mean something to tmux', 'tmuxQuoted(one.text)', 'one.text', 'PA11'],
  ]),
  ...within('src/daemon/panes/panes.ts', 'test/pane/daemon.test.ts', [
    ['a jump into nowhere is a success', 'await jumpTo(session, {})', 'undefined', 'PA20'],
  ]),
  ...within('src/daemon/api/routes/panes.ts', 'test/pane/daemon.test.ts', [
    [
      'an agent takes its user elsewhere',
      "of its tmux server.',\n    access: 'person',",
      "of its tmux server.',",
      'PA20',
    ],
    [
      'a program types by the port',
      "Types keys into a session’s pane.',\n      access: 'person',",
      "Types keys into a session’s pane.',",
      'PA8',
    ],
  ]),
  ...within('src/protocol/pane.ts', 'test/pane/routes.test.ts', [
    ['any name is a key', 'key: z.enum(KEY_NAMES)', 'key: z.string()', 'PA11'],
  ]),
  ...within('src/surfaces/cli/calling-agent.ts', 'test/pane/daemon.test.ts', [
    ['agents type', 'variables.marks.some((name) => env[name])', 'false', 'PA15'],
  ]),
  ...within('src/surfaces/tui/saying-keys.ts', 'src/surfaces/tui/saying-keys.test.ts', [
    [
      'a prompt goes to the selected session',
      'state.sessions.get(id)',
      'state.sessions.values().next().value',
      'PA19',
    ],
  ]),
  ...within('src/surfaces/web/pane/keys.ts', 'src/surfaces/web/pane/keys.test.ts', [
    ['answers of the terminal are typed', 'CONTROL.test(part) ? []', 'false ? []', 'PA16'],
  ]),
  ...within('src/surfaces/web/pane/frame.ts', 'test/page/pane.test.ts', [
    [
      'keys are sent though it is off',
      'terminal.options.disableStdin = !told.on',
      'terminal.options.disableStdin = false',
      'PA17',
    ],
    ['any window may paint', '&& source === window.parent', '', 'PA18'],
  ]),
  ...within('src/surfaces/web/pane/terminal.ts', 'test/page/pane.test.ts', [
    [
      'the terminal answers',
      'terminal.parser.registerCsiHandler(id, ignore)',
      'terminal.parser.registerCsiHandler(id, () => false)',
      'PA18',
    ],
  ]),
]

function within(file: string, test: string, breakages: readonly Breakage[]): Mutant[] {
  return breakages.map(([breaks, find, replace, caughtBy]) => {
    return { breaks: `pane: ${breaks}`, file, find, replace, test, caughtBy }
  })
}
