import type { Report, Signal } from '../../core/signal.ts'
import { textIn } from '../read.ts'
import type { Deliveries as Comparison, Ratio } from '../records.ts'
import { translateClaude } from './translate.ts'

const TOLD_BY = ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop'] as const
export type ToldBy = (typeof TOLD_BY)[number]

/** The short set (SPEC I23) has no hook for a tool call: a session without any is not asked for. */
const OF_TOOLS: ReadonlySet<unknown> = new Set(['PreToolUse', 'PostToolUse', 'PostToolUseFailure'])

/** Async hooks may arrive this much later than the transcript's line. */
const LATE_MAX_MS = 10_000

interface Shown {
  readonly at: number
  readonly session: string
  readonly by: ToldBy
  readonly id: string
}

/** Counts both sides. Hooks and transcripts may be given in any order. */
export class ClaudeDeliveries implements Comparison {
  /** By session: its first hook. Earlier lines had no hook. */
  readonly #since = new Map<string, number>()
  /** By session: the last hook of a tool. After it, another set may have been installed. */
  readonly #toolsUntil = new Map<string, number>()
  /** By kind of event, session and id: when a hook reported it. */
  readonly #told = new Map<ToldBy, Map<string, number>>(TOLD_BY.map((by) => [by, new Map()]))
  readonly #stops = new Map<string, number[]>()
  readonly #interrupts = new Map<string, number[]>()
  /** Older clients give their prompts no id, the oldest ones not even their tools. */
  readonly #nameless = new Set<string>()
  readonly #shown = new Map<string, Shown>()

  hook(report: Report): void {
    const payload = fields(report.payload)
    const session = textIn(payload.session_id)
    if (session === undefined) return
    this.#since.set(session, Math.min(this.#since.get(session) ?? report.t, report.t))
    if (OF_TOOLS.has(payload.hook_event_name))
      this.#toolsUntil.set(session, Math.max(this.#toolsUntil.get(session) ?? 0, report.t))
    const id = textIn(payload.tool_use_id)
    switch (payload.hook_event_name) {
      case 'PreToolUse':
        if (id) this.#told.get('PreToolUse')?.set(`${session} ${id}`, report.t)
        else for (const by of ['PreToolUse', 'PostToolUse']) this.#nameless.add(`${by} ${session}`)
        break
      case 'PostToolUse':
      case 'PostToolUseFailure':
        if (id) this.#told.get('PostToolUse')?.set(`${session} ${id}`, report.t)
        break
      case 'UserPromptSubmit': {
        const prompt = textIn(payload.prompt_id)
        if (prompt) this.#told.get('UserPromptSubmit')?.set(`${session} ${prompt}`, report.t)
        else this.#nameless.add(`UserPromptSubmit ${session}`)
        break
      }
      case 'Stop':
      case 'StopFailure':
        listed(this.#stops, session).push(report.t)
    }
  }

  transcript(report: Report): void {
    for (const signal of translateClaude(report)) {
      const { session } = signal.about
      if (session === undefined) continue
      if (signal.kind === 'turn-interrupted') listed(this.#interrupts, session).push(signal.at)
      for (const [by, id] of expectedOf(signal, fields(report.entry)))
        this.#shown.set(`${by} ${session} ${id}`, { at: signal.at, session, by, id })
    }
  }

  /** Leaves out events younger than a hook's delay: their hook may still arrive. */
  ratios(now: number): Record<ToldBy, Ratio> {
    const counts = Object.fromEntries(TOLD_BY.map((by) => [by, { expected: 0, told: 0 }]))
    const stops = new Map([...this.#stops].map(([session, times]) => [session, [...times]]))
    for (const shown of [...this.#shown.values()].toSorted((a, b) => a.at - b.at)) {
      const count = counts[shown.by]
      if (!count || !this.#isExpected(shown) || shown.at > now - LATE_MAX_MS) continue
      count.expected += 1
      if (this.#isTold(shown, stops)) count.told += 1
    }
    return counts as Record<ToldBy, Ratio>
  }

  /**
   * How long after the transcript's own time each hook's report was written: both report a tool's
   * end and a prompt at once. The time of a tool call's other hooks is the agent's own.
   */
  delaysMs(): number[] {
    return [...this.#shown.values()].flatMap((shown) => {
      const told = this.#toldAt(shown)
      return told === undefined || !this.#isExpected(shown) ? [] : Math.max(0, told - shown.at)
    })
  }

  /** A line that was copied from another session has an earlier time, and no hook here. */
  #isExpected(shown: Shown): boolean {
    const { at, session, by } = shown
    const since = this.#since.get(session)
    if (since === undefined || at < since || this.#nameless.has(`${by} ${session}`)) return false
    const until = this.#toolsUntil.get(session) ?? Number.NEGATIVE_INFINITY
    if (OF_TOOLS.has(by) && at > until + LATE_MAX_MS) return false
    return by !== 'Stop' || !this.#wasInterrupted(shown)
  }

  #toldAt({ by, session, id }: Shown): number | undefined {
    return this.#told.get(by)?.get(`${session} ${id}`)
  }

  /** A Stop has no id that the transcript knows: each Stop counts for the first turn it fits. */
  #isTold(shown: Shown, stops: Map<string, number[]>): boolean {
    const { by, session, at } = shown
    if (by !== 'Stop') return this.#toldAt(shown) !== undefined
    const left = listed(stops, session)
    const found = left.findIndex((time) => Math.abs(time - at) <= LATE_MAX_MS)
    if (found >= 0) left.splice(found, 1)
    return found >= 0
  }

  /** The client also notes the length of an interrupted turn, and runs no Stop hook. */
  #wasInterrupted({ session, at }: Shown): boolean {
    return near(this.#interrupts.get(session), at, INTERRUPT_NEAR_MS)
  }
}

/** The client notes it at once. */
const INTERRUPT_NEAR_MS = 2_000

function expectedOf(
  signal: Signal,
  entry: Readonly<Record<string, unknown>>,
): (readonly [ToldBy, string])[] {
  switch (signal.kind) {
    case 'tool-started':
      return [['PreToolUse', signal.id]]
    case 'tool-ended':
      return isError(entry, signal.id) ? [] : [['PostToolUse', signal.id]]
    case 'turn-started':
      return signal.by === 'user' && signal.turn && isPrompt(entry)
        ? [['UserPromptSubmit', signal.turn]]
        : []
    case 'turn-ended':
      return signal.how === 'over' ? [['Stop', String(signal.at)]] : []
    default:
      return []
  }
}

/**
 * A command run with `!` is in a prompt's place and is none. A queued prompt was reported at once,
 * under the id of the turn that ran (recording queue).
 */
function isPrompt(entry: Readonly<Record<string, unknown>>): boolean {
  const { content } = fields(entry.message)
  if (entry.promptSource === 'queued') return false
  return typeof content !== 'string' || !content.startsWith('<bash-')
}

/** Refused, interrupted and failed calls have an error as their result, and no PostToolUse hook. */
function isError(entry: Readonly<Record<string, unknown>>, id: string): boolean {
  if (entry.toolDenialKind !== undefined) return true
  const { content } = fields(entry.message)
  const blocks = Array.isArray(content) ? content.map(fields) : []
  return blocks.some((block) => block.tool_use_id === id && block.is_error === true)
}

function near(times: readonly number[] | undefined, at: number, ms: number): boolean {
  return times?.some((time) => Math.abs(time - at) <= ms) === true
}

function listed(map: Map<string, number[]>, key: string): number[] {
  const list = map.get(key) ?? []
  map.set(key, list)
  return list
}

function fields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
