import { styledRows } from './styled.ts'

/** What a pane shows at one moment. */
export interface PaneFrame {
  readonly width: number
  readonly height: number
  /** One for each line of the pane, text with its colours. */
  readonly rows: readonly string[]
  /** The last lines above the screen, as many as requested and available. */
  readonly above: readonly string[]
  readonly cursor: Cursor
  /** Lines that scrolled off the top, and how many of them tmux keeps. */
  readonly history: number
  readonly historyMax: number
  readonly tty: string
  readonly dead: boolean
  /** The tmux session of the pane, and how many clients are attached to it. */
  readonly session: string
  readonly attached: number
}

interface Cursor {
  readonly x: number
  readonly y: number
  readonly shown: boolean
}

const FIELDS = [
  ...['pane_width', 'pane_height', 'cursor_x', 'cursor_y', 'cursor_flag', 'history_size'],
  ...['history_limit', 'pane_dead', 'session_attached', 'session_id', 'pane_tty'],
]

/**
 * The command line that prints a pane's frame at one moment: tmux runs a list of commands before it
 * reads the output of panes. It prints nothing for a pane that is gone, because tmux would use
 * another pane.
 */
export function askFrame(pane: string, above: number): string {
  const head = `display-message -p -t ${pane} '${FIELDS.map((name) => `#{${name}}`).join(' ')}'`
  const capture = `capture-pane -p -e -N -S ${above === 0 ? 0 : -above} -t ${pane}`
  return `if -F -t ${pane} '#{==:#{pane_id},${pane}}' { ${head} ; ${capture} }`
}

/** Parses the output of that line; `asked` is the number of lines above that was requested. */
export function frameIn(lines: readonly string[], asked: number): PaneFrame | undefined {
  const [head = '', ...shown] = lines
  const values = head.split(' ')
  if (values.length < FIELDS.length) return undefined
  const [
    width = 0,
    height = 0,
    x = 0,
    y = 0,
    flag,
    history = 0,
    historyMax = 0,
    dead,
    attached = 0,
  ] = values.map(Number)
  const rows = styledRows(shown)
  const above = rows.splice(0, Math.min(asked, history))
  while (rows.length < height) rows.push('')
  return {
    width,
    height,
    rows,
    above,
    cursor: { x, y, shown: flag === 1 },
    history,
    historyMax,
    tty: values.at(-1) ?? '',
    dead: dead !== 0,
    session: values.at(-2) ?? '',
    attached,
  }
}
