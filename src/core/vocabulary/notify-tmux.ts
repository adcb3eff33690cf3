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

export type NotifyMode = 'stop-only' | 'real-time'
export type EmojiSet = 'document' | 'script'

export interface NotifyView {
  readonly state: NotifyState
  /** What stands before the window's own name; undefined leaves the name as it is. */
  readonly emoji: string | undefined
  readonly variables: { readonly '@agent_running': string; readonly '@last_completed_time': string }
}

/** All of a verdict that this vocabulary needs. */
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
  set: EmojiSet = 'document',
): NotifyView | undefined {
  const state = stateOf(verdict, now, mode, focused)
  return (
    state && { state, emoji: emojiFor(state, verdict, set), variables: variables(state, verdict) }
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
      return mode === 'real-time' ? 'ALERT' : undefined
    case 'working':
    case 'stuck':
      if (mode === 'stop-only') return undefined
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

function emojiFor(state: NotifyState, verdict: Told, set: EmojiSet): string | undefined {
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
      return `🤖${toolEmoji(verdict.doing?.tool, set)}`
    case 'ACTIVE_FOCUSED': {
      // SPEC SN12: under its user's eyes the name stays, but for thinking and for alerts.
      const emoji = toolEmoji(verdict.doing?.tool, set)
      return emoji === '💭' || emoji === '🚨' ? `🤖${emoji}` : undefined
    }
  }
}

const SHARED: Readonly<Record<string, string>> = {
  AskUserQuestion: '🚨',
  Edit: '✏️',
  Bash: '🧪',
  Read: '🔍',
  Grep: '🔍',
  Glob: '🔍',
  WebSearch: '🌐',
  WebFetch: '🌐',
  Skill: '🎯',
  SlashCommand: '⚡',
  TaskOutput: '📤',
}

/** SPEC SN15. Where the document and the script it describes differ, both are kept. */
const EMOJI: Readonly<Record<EmojiSet, Readonly<Record<string, string>>>> = {
  document: { ...SHARED, Write: '📝', TodoWrite: '⚙️', Task: '🎯', Agent: '🎯' },
  script: { ...SHARED, Write: '✏️', NotebookEdit: '✏️', TodoWrite: '📝', Task: '⚙️', Agent: '⚙️' },
}

export function toolEmoji(tool: string | undefined, set: EmojiSet = 'document'): string {
  if (tool === undefined || !Object.hasOwn(EMOJI[set], tool)) return '💭'
  return EMOJI[set][tool] ?? '💭'
}
