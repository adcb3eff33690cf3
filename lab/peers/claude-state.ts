import { type Held, heldOf } from './holding-queue.ts'
import { blocksOf, type Entry, endsClient, type Hook } from './lines.ts'
import { type Peer, Sayings } from './peer.ts'

/**
 * claude-state by its rules of February 2026. The sweep that turns two silent minutes of `working`
 * into `stuck` is left out: the meter treats both alike.
 */
export const CLAUDE_STATE: Peer = {
  name: 'claude-state',
  knows: 'hooks, transcript, keys; each event held for 500 ms',
  judge({ lines }) {
    const surface = new Surface(lines[0]?.t ?? 0)
    for (const event of heldOf(lines)) surface.take(event)
    return surface.sayings.all
  },
}

class Surface {
  readonly sayings = new Sayings()
  /** PermissionRequest has no tool_use_id: the last PreToolUse is taken for the one that asks. */
  #lastTool: string | undefined
  readonly #pending = new Set<string>()

  constructor(t: number) {
    this.sayings.say(t, 'idle')
  }

  take({ t, hook, entry, enter }: Held): void {
    const state = hook ? this.#hook(hook) : entry ? afterEntry(entry) : undefined
    if (state !== undefined) this.sayings.say(t, state)
    // Enter from any state but stopped or stuck: the user has answered.
    if (enter && this.sayings.state === 'waiting') this.sayings.say(t, 'working')
  }

  #hook(hook: Hook): string | undefined {
    const { hook_event_name: event, tool_use_id: id } = hook
    switch (event) {
      case 'PreToolUse':
        this.#lastTool = id
        return 'working'
      case 'SubagentStart':
      case 'PreCompact':
        return 'working'
      case 'UserPromptSubmit':
        this.#forget()
        return 'working'
      case 'PermissionRequest':
        if (this.#lastTool !== undefined) this.#pending.add(this.#lastTool)
        return 'waiting'
      case 'PostToolUse':
      case 'PostToolUseFailure':
        // The end of another tool may be a subagent's, and says nothing about the dialog.
        return id !== undefined && this.#pending.delete(id) ? 'working' : undefined
      case 'Stop':
        this.#forget()
        return 'idle'
      case 'SessionEnd':
        this.#forget()
        // It says "stopped" for both. Counting it as having seen the end favours it.
        return endsClient(hook) ? 'closed' : 'idle'
      case 'SessionStart':
        return this.#started(hook)
      default:
        return undefined
    }
  }

  /** Only a compaction's start has a rule. A client that comes back is no longer closed. */
  #started({ source }: Hook): string | undefined {
    return source === 'compact' || this.sayings.state === 'closed' ? 'idle' : undefined
  }

  #forget(): void {
    this.#lastTool = undefined
    this.#pending.clear()
  }
}

/** Commands that run without the model are logged as if the user had said them. */
const LOCAL = /^<(command-name|bash-input|bash-std|local-command-)/

/** From the transcript alone: that the model speaks, and every interrupt and rejection. */
export function afterEntry(entry: Entry): string | undefined {
  if (entry.type === 'assistant') return 'working'
  if (entry.type !== 'user' || entry.isMeta) return undefined
  const content = entry.message?.content
  if (typeof content === 'string') return LOCAL.test(content) ? undefined : 'working'
  const result = String(entry.toolUseResult ?? '')
  if (/interrupted by user|rejected/.test(result)) return 'idle'
  const interrupted = blocksOf(entry).some(
    ({ type, text }) => type === 'text' && text?.includes('interrupted by user'),
  )
  return interrupted ? 'idle' : undefined
}
