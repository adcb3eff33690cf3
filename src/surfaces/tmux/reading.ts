import { isNoUser } from '../../tmux/control.ts'
import { tmuxQuoted } from '../../tmux/quote.ts'

/** A pane as the server knows it, and its window. */
export interface PaneSeen {
  readonly id: string
  readonly tty: string
  /** A user's terminal shows it, and the user's keys go there. */
  readonly seen: boolean
  readonly window: string
  /** The session in which it is visible, or any session that contains it. */
  readonly session: string
}

/** `automatic-rename` before vigil: set in the window itself or inherited, and its value. */
export type Auto = (typeof AUTOS)[number]
const AUTOS = ['on', 'off', 'inherit-on', 'inherit-off'] as const

export interface WindowSeen {
  readonly id: string
  /** As tmux shows it. */
  readonly name: string
  /** Whether tmux renames it automatically at this moment. */
  readonly auto: boolean
  /** Set while vigil names the window: the original name, and what vigil wrote. */
  readonly held: { readonly was: string; readonly wrote: string; readonly auto: Auto } | undefined
  /** The user named it while an agent was in it. */
  readonly byHand: boolean
  /** vigil's style for it in the status line; empty for none. */
  readonly style: string
  /** vigil's variables are set in it or in its panes, by this or an earlier vigil. */
  readonly marked: boolean
}

/** A server at one moment. */
export interface Seen {
  readonly panes: ReadonlyMap<string, PaneSeen>
  readonly windows: ReadonlyMap<string, WindowSeen>
  readonly segment: string
  /** When the users of each session last pressed a key, in seconds. */
  readonly activeAt: ReadonlyMap<string, number>
}

const PANE = [
  ...['#{pane_id}', '#{window_id}', '#{session_id}', '#{pane_tty}'],
  ...['#{pane_active}#{window_active}', '#{automatic-rename}', '#{@vigil_auto}', '#{@vigil_hand}'],
  ...[
    '#{?@vigil_state,1,}',
    '#{window_name}',
    '#{@vigil_was}',
    '#{@vigil_wrote}',
    '#{@vigil_style}',
  ],
]
const CLIENT = ['#{client_pid}', '#{session_id}', '#{client_flags}', '#{client_activity}']

/** Reads all that vigil needs from a server, in one line. */
export const READ = [
  `list-panes -a -F ${tmuxQuoted(['pane', ...PANE].join('\t'))}`,
  `list-clients -F ${tmuxQuoted(['client', ...CLIENT].join('\t'))}`,
  `display-message -p ${tmuxQuoted('segment\t#{@vigil_segment}')}`,
].join(' ; ')

/** Parses the output of that line. A window linked into several sessions appears several times. */
export function seenIn(lines: readonly string[], ownPid: number | undefined): Seen {
  const rows = lines.map((line) => line.split('\t'))
  const activeAt = new Map<string, number>()
  const watched = new Set<string>()
  for (const [kind, pid = '', session = '', flags = '', activity] of rows) {
    if (kind !== 'client' || pid === String(ownPid) || isNoUser(pid, flags)) continue
    if (flags.split(',').includes('focused')) watched.add(session)
    activeAt.set(session, Math.max(activeAt.get(session) ?? 0, Number(activity) || 0))
  }
  const panes = new Map<string, PaneSeen>()
  const windows = new Map<string, WindowSeen>()
  for (const [kind, ...row] of rows) {
    if (kind !== 'pane' || row.length < PANE.length) continue
    const [id = '', window = '', session = '', tty = '', active] = row
    const seen = active === '11' && watched.has(session)
    if (!panes.get(id)?.seen) panes.set(id, { id, tty, window, session, seen })
    windows.set(window, windowOf(window, row, windows.get(window)))
  }
  const segment = rows.find(([kind]) => kind === 'segment')?.[1] ?? ''
  return { panes, windows, segment, activeAt }
}

function windowOf(id: string, row: readonly string[], known: WindowSeen | undefined): WindowSeen {
  const [auto, held, hand, marked, name = '', was = '', wrote = '', style = ''] = row.slice(5)
  const before = AUTOS.find((one) => one === held)
  return {
    id,
    name,
    auto: auto === '1',
    held: before && { was, wrote, auto: before },
    byHand: hand === '1',
    style,
    marked: marked === '1' || known?.marked === true,
  }
}

/**
 * Reads whether `automatic-rename` is set in the windows themselves: formats give only the
 * effective value, and an inherited value must be inherited again.
 */
export function readAutos(windows: readonly string[]): string {
  return windows
    .map((id) => {
      const show = `display-message -p ${id} ; show-options -wqv -t ${id} automatic-rename`
      return `if -F -t ${id} '#{==:#{window_id},${id}}' { ${show} }`
    })
    .join(' ; ')
}

export function autosIn(lines: readonly string[], { windows }: Seen): Map<string, Auto> {
  const autos = new Map<string, Auto>()
  let window = ''
  for (const line of lines) {
    if (line.startsWith('@')) {
      window = line
      autos.set(window, windows.get(window)?.auto ? 'inherit-on' : 'inherit-off')
    } else if (line === 'on' || line === 'off') autos.set(window, line)
  }
  return autos
}
