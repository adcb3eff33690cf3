import type { Mutant } from './mutants.ts'

type Breakage = readonly [breaks: string, find: string, replace: string, caughtBy: string]

const tui = 'src/surfaces/tui'
const terminal = 'test/tui/terminal.test.ts'

/** The live view: each of its rules broken once. */
export const TUI_MUTANTS: readonly Mutant[] = [
  ...within(`${tui}/model.ts`, `${tui}/model.test.ts`, [
    ['a choice is out of sight', 'Math.max(at - height + 1, ', 'Math.max(0, ', 'TU5'],
  ]),
  ...within(`${tui}/keys.ts`, `${tui}/model.test.ts`, [
    ['numbers count from the first row of all', '{ from: top, ', '{ from: 0, ', 'TU6'],
    ['a closed session is jumped to', 'if (resume === null)', 'if (resume !== null)', 'TU12'],
    ['Ctrl-C is a letter', "if (key === 'ctrl-c')", "if (key === 'ctrl-C')", 'TU12'],
  ]),
  ...within('src/view/board/rows.ts', `${tui}/rows.test.ts`, [
    ['one word of a filter is enough', 'words.every(', 'words.some(', 'TU8'],
    ['groups are by folder only', "'machine' ? host", "'machine' ? agent", 'TU9'],
  ]),
  ...within(`${tui}/layout.ts`, `${tui}/layout.test.ts`, [
    ['a small terminal is drawn over twice', '|| taken.has(place)', '', 'TU14'],
  ]),
  ...within(`${tui}/model.ts`, `${tui}/layout.test.ts`, [
    [
      'one scrolls beyond the end',
      'Math.min(state.scroll, scrollMax(state))',
      'state.scroll',
      'TU13',
    ],
  ]),
  ...within(`${tui}/saying-keys.ts`, `${tui}/saying-keys.test.ts`, [
    ['a user who has scrolled is taken to the end', 'isAtEnd ? END : state.scroll', 'END', 'TU30'],
  ]),
  ...within(`${tui}/layout.ts`, `${tui}/saying-keys.test.ts`, [
    ['another session’s pane is shown', 'pane?.session !== session', 'pane === null', 'TU30'],
  ]),
  ...within('src/daemon/panes/watch.ts', 'test/pane/daemon.test.ts', [
    [
      'another program’s lines are shown',
      'if (!frame || why !== undefined) throw',
      'if (!frame) throw',
      'PA24',
    ],
  ]),
  ...within(`${tui}/list-lines.ts`, `${tui}/layout.test.ts`, [
    ['no row tells of its loop', 'const before = more ?', 'const before = !more ?', 'TU15'],
  ]),
  ...within(`${tui}/text.ts`, `${tui}/text.test.ts`, [
    [
      'wide letters count one',
      'const width = stringWidth(text)',
      'const width = text.length',
      'TU14',
    ],
  ]),
  ...within(`${tui}/picture.ts`, `${tui}/picture.test.ts`, [
    ['all is drawn always', '!sameLine(strip.line, before', 'sameLine([], before', 'TU18'],
  ]),
  ...within(`${tui}/pace.ts`, `${tui}/pace.test.ts`, [
    ['keys are drawn without end', '2 * FRAME_MS)', '0)', 'TU19'],
    ['a key waits for what is calm', 'this.#due.at <= at', 'this.#due', 'TU19'],
  ]),
  ...within(`${tui}/key-names.ts`, `${tui}/key-names.test.ts`, [
    ['keys that come at once are one', 'return [...input]', 'return [input]', 'TU5'],
  ]),
  ...within('src/agents/claude/talk.ts', 'src/agents/claude/talk.test.ts', [
    ['the first call is taken for the last', 'call ??= {', 'call = {', 'TU23'],
  ]),
  ...within(`${tui}/screen.ts`, terminal, [
    ['the screen is not given back', 'this.#out.write(LEAVE)', '{}', 'TU21'],
  ]),
  ...within(`${tui}/view.ts`, terminal, [
    ['another size is not noticed', "stdout.on('resize', onResize)", '', 'TU20'],
    ['colours where there should be none', 'if (colours) this.#palette', 'this.#palette', 'TU24'],
  ]),
  ...within(`${tui}/ink.ts`, terminal, [
    [
      'the environment is not given back',
      'if (before[name] === undefined) delete',
      'if (!name) delete',
      'TU25',
    ],
  ]),
]

function within(file: string, test: string, breakages: readonly Breakage[]): Mutant[] {
  return breakages.map(([breaks, find, replace, caughtBy]) => ({
    ...{ breaks: `live view: ${breaks}`, file, find, replace, test, caughtBy },
  }))
}
