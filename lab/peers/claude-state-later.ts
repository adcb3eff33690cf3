import { afterEntry } from './claude-state.ts'
import { type Held, heldOf } from './holding-queue.ts'
import { blocksOf, type Entry, endsClient, type Hook } from './lines.ts'
import { type Peer, Sayings } from './peer.ts'

/**
 * claude-state with its author's later corrections: waiting is sticky, late events are dropped,
 * subagents' tools are ignored, background work is tracked, keys and SessionStart mean nothing. Its
 * search for API errors is left out: it runs when a turn stops, and a failed turn has no Stop.
 */
export const CLAUDE_STATE_LATER: Peer = {
  name: 'claude-state, later',
  knows: 'hooks, transcript, background ledger; held 500 ms',
  judge({ lines }) {
    const surface = new Surface(lines[0]?.t ?? 0)
    for (const event of heldOf(lines)) surface.take(event)
    return surface.sayings.all
  },
}

interface Step {
  readonly state: string
  /** Ends a wait, and is not too late however old. */
  readonly clears?: true
}

class Surface {
  readonly sayings = new Sayings()
  #lastTool: string | undefined
  readonly #pending = new Set<string>()
  /** Subagents and shells that outlive their turn. */
  readonly #ledger = new Set<string>()
  #newest = 0

  constructor(t: number) {
    this.sayings.say(t, 'idle')
  }

  take({ t, at, hook, entry }: Held): void {
    const step = hook ? this.#hook(hook) : entry ? this.#entry(entry) : undefined
    if (step) this.#apply(t, at, step)
    // Its probe of running work is assumed to find an end as soon as the transcript has it.
    if (this.sayings.state === 'background' && this.#ledger.size === 0) this.sayings.say(t, 'idle')
  }

  #apply(t: number, at: number, { state, clears }: Step): void {
    if (at < this.#newest && !clears) return
    if (this.sayings.state === 'waiting' && state === 'working' && !clears) return
    this.#newest = Math.max(at, this.#newest)
    this.sayings.say(t, state)
  }

  #hook(hook: Hook): Step | undefined {
    const { hook_event_name: event, tool_use_id: id, agent_id: agent } = hook
    switch (event) {
      case 'PreToolUse':
        if (agent) return undefined
        this.#lastTool = id
        return { state: 'working' }
      case 'PreCompact':
        return agent ? undefined : { state: 'working' }
      case 'SubagentStart':
        if (agent) this.#ledger.add(agent)
        return { state: 'working' }
      case 'SubagentStop':
        this.#ledger.delete(agent ?? '')
        return undefined
      case 'UserPromptSubmit':
        this.#forget()
        if (!this.#finished(hook.prompt)) this.#ledger.clear()
        return { state: 'working', clears: true }
      case 'PermissionRequest':
        if (this.#lastTool !== undefined) this.#pending.add(this.#lastTool)
        return { state: 'waiting' }
      case 'PostToolUse':
      case 'PostToolUseFailure':
        return this.#answered(id)
      case 'Stop':
        this.#forget()
        return { state: this.#ledger.size > 0 ? 'background' : 'idle' }
      case 'SessionEnd':
        this.#forget()
        this.#ledger.clear()
        return { state: endsClient(hook) ? 'closed' : 'idle' }
      case 'SessionStart':
        // Not one of its rules, but a client that comes back is no longer closed.
        return this.sayings.state === 'closed' ? { state: 'idle' } : undefined
      default:
        return undefined
    }
  }

  #entry(entry: Entry): Step | undefined {
    this.#finished(entry.content ?? '')
    const { backgroundTaskId } = (entry.toolUseResult ?? {}) as { backgroundTaskId?: string }
    if (backgroundTaskId) this.#ledger.add(backgroundTaskId)
    const state = afterEntry(entry)
    if (state !== undefined) return { state }
    for (const { type, tool_use_id: id } of blocksOf(entry))
      if (type === 'tool_result' && id !== undefined && this.#pending.has(id))
        return this.#answered(id)
    return undefined
  }

  #answered(id: string | undefined): Step | undefined {
    const asked = id !== undefined && this.#pending.delete(id)
    return asked ? { state: 'working', clears: true } : undefined
  }

  /** A task's end arrives as a prompt, or in the queue of prompts; it clears that task alone. */
  #finished(text: string | undefined): boolean {
    const told = /^<task-notification>\s*<task-id>(.*?)<\/task-id>/.exec(text ?? '')
    if (told) this.#ledger.delete(told[1] as string)
    return told !== null
  }

  #forget(): void {
    this.#lastTool = undefined
    this.#pending.clear()
  }
}
