import { FRESH_MAX_MS } from '../limits.ts'
import type { Verdict } from '../verdict.ts'

type NotifyState =
  | 'IDLE'
  | 'WORKING'
  | 'COMPLETED'
  | 'BASE'
  | 'ACTIVE_FOCUSED'
  | 'ACTIVE_UNFOCUSED'
  | 'ALERT'

/** `needs` is vigil's own: the name changes inside a turn too, when the user must act. */
export type NotifyMode = 'stop-only' | 'needs' | 'real-time'
/** Emoji by the name of a tool. */
export type ToolSigns = Readonly<Record<string, string>>

export interface NotifyView {
  readonly state: NotifyState
  /** Put before the window's own name; undefined leaves the name unchanged. */
  readonly emoji: string | undefined
  readonly variables: { readonly '@agent_running': string; readonly '@last_completed_time': string }
}

/** The part of a verdict that this vocabulary needs. */
type Told = Pick<Verdict, 'state' | 'since' | 'after' | 'doing'>

/**
 * A verdict in notify-tmux's words at `now`. Undefined: nothing to change, which in stop-only mode
 * is everything that happens inside a turn (SPEC SN16), and for a closed session its bare name.
 */
export function notifyTmux(
  verdict: Told,
  now: number,
  mode: NotifyMode = 'stop-only',
  focused = false,
  signs: ToolSigns = {},
): NotifyView | undefined {
  const state = stateOf(verdict, now, mode, focused)
  return (
    state && { state, emoji: emojiFor(state, verdict, signs), variables: variables(state, verdict) }
  )
}

function stateOf(
  verdict: Told,
  now: number,
  mode: NotifyMode,
  focused: boolean,
): NotifyState | undefined {
  switch (verdict.state) {
    case 'waiting':
      return mode === 'stop-only' ? undefined : 'ALERT'
    case 'working':
    case 'stuck':
      if (mode !== 'real-time') return mode === 'needs' ? 'BASE' : undefined
      return focused ? 'ACTIVE_FOCUSED' : 'ACTIVE_UNFOCUSED'
    case 'background':
      return 'WORKING'
    case 'idle':
      if (verdict.after === 'start' || now - verdict.since > FRESH_MAX_MS) return 'IDLE'
      return verdict.after === 'work' ? 'COMPLETED' : 'BASE'
    case 'error':
      return now - verdict.since > FRESH_MAX_MS ? 'IDLE' : 'BASE'
    case 'starting':
      return 'IDLE'
    case 'closed':
    case 'unknown':
      return undefined
  }
}

function variables(state: NotifyState, verdict: Told): NotifyView['variables'] {
  const completed = state === 'COMPLETED' ? String(Math.floor(verdict.since / 1000)) : ''
  return { '@agent_running': String(state === 'WORKING'), '@last_completed_time': completed }
}

function emojiFor(state: NotifyState, verdict: Told, signs: ToolSigns): string | undefined {
  switch (state) {
    case 'IDLE':
    case 'COMPLETED':
      return '🤖✅'
    case 'WORKING':
      return '🤖⚙️'
    case 'BASE':
      return '🤖'
    case 'ALERT':
      return '🤖🚨'
    case 'ACTIVE_UNFOCUSED':
      return `🤖${toolEmoji(verdict.doing?.tool, signs)}`
    case 'ACTIVE_FOCUSED': {
      // SPEC SN12: while the user looks the name stays, except for thinking and for alerts.
      const emoji = toolEmoji(verdict.doing?.tool, signs)
      return emoji === '💭' || emoji === '🚨' ? `🤖${emoji}` : undefined
    }
  }
}

/** SPEC SN15. The emoji of the agent's own tools; any other tool counts as thinking. */
export function toolEmoji(tool: string | undefined, signs: ToolSigns): string {
  if (tool === undefined || !Object.hasOwn(signs, tool)) return '💭'
  return signs[tool] ?? '💭'
}
