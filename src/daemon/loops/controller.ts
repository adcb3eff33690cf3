import { loopOf } from '../../agents/index.ts'
import type { HookOutput, LoopEvent } from '../../agents/loops.ts'
import { ANCHOR_TURNS_MAX } from '../../core/limits.ts'
import { anchorOf } from '../../core/loop/anchor.ts'
import { type Breaker, blocked, breakerOpen, failed, noBreaker } from '../../core/loop/breaker.ts'
import type { Report } from '../../core/signal.ts'
import type { LoopAnswer, LoopQuestion, LoopStep } from '../../protocol/loop.ts'
import type { Session } from '../../protocol/session.ts'
import type { Arrival, Complain } from '../../sources/arrival.ts'
import { bindingOf } from '../waiting-callers.ts'
import { loadDecider, loadDeciderSoon, loadedDecider } from './decider.ts'
import { lastWordsIn } from './last-words.ts'
import { type LoopStorage, OpenLoops, type StoredLoop } from './open-loops.ts'
import { type AskedStop, LoopQuestions } from './questions.ts'
import { kindOf, type StopReply, stopOf, takenUp, turnOf } from './stop.ts'
import { isOfTool, Turns } from './turns.ts'
import { facetOf, type StepParts, stepOf } from './view.ts'

export interface LoopControllerParts {
  readonly storage: LoopStorage
  readonly now: () => number
  readonly session: (id: string) => Session | undefined
  readonly parentOf: (id: string) => string | undefined
  /** A loop's facet is an ordinary report: logged, judged, shown. */
  readonly publish: (report: Report) => void
  /** The sessions whose Stop vigil decides. */
  readonly arm: (sessions: readonly string[]) => void
  readonly complain: Complain
  /** By the daemon's own environment, or by the policy: every Stop passes. */
  readonly disabled: () => boolean
}

const ALLOW = { act: 'allow' } as const

/** The decision about a Stop, before it takes the agent's own form. */
type Decided =
  | Exclude<LoopAnswer, { act: 'print' }>
  | { readonly act: 'block'; readonly reason: string }

/**
 * Holds every loop, and decides when an agent wants to stop. On any error the agent stops (SPEC
 * LP75): a loop that cannot be read, written or decided does not count.
 */
export class LoopController {
  readonly openLoops: OpenLoops
  readonly turns = new Turns()
  readonly #parts: LoopControllerParts
  readonly #questions: LoopQuestions
  /** Sessions with a queued command, which runs when the agent stops. */
  readonly #queued = new Set<string>()
  /** The time and message of each session's newest Stop. */
  readonly #stops = new Map<string, { readonly at: number; readonly message: string }>()
  #breaker: Breaker = noBreaker

  constructor(parts: LoopControllerParts) {
    this.#parts = parts
    this.openLoops = new OpenLoops(parts.storage)
    this.#questions = new LoopQuestions((asked) => this.letGo(asked.session))
    this.rearm()
  }

  /** Every report, in full: the log cuts long messages. */
  onReport({ report, spooled, cursor }: Arrival): void {
    // SPEC BR3. From the spool or the agent's own log: loops ignore a posted report.
    const event = spooled || cursor ? loopOf(report.agent)?.eventOf(report) : undefined
    if (!event) return
    if (isOfTool(event) && this.ownerOf(event.session)) this.turns.note(event)
    if (event.is === 'compacting') this.#anchor(event.session)
    // SPEC LP85. The client runs it when the agent stops, so a loop must not block that.
    if (event.is === 'queued' && this.ownerOf(event.session)) this.#queued.add(event.session)
    if (event.is === 'stop') this.#noteStop(event, report.t)
    if ((event.is === 'stop' || event.is === 'compacted') && event.asks && spooled)
      this.#questions.put(bindingOf(spooled), { ...event, agent: report.agent }, report.t)
  }

  async answer(question: LoopQuestion, gone: AbortSignal): Promise<LoopAnswer> {
    const { report, digest, askedAt, result } = question
    const name = bindingOf({ name: report, digest })
    const asked = await this.#questions.find(name, gone)
    if (!asked) return ALLOW
    try {
      await loadDecider()
      if (asked.is === 'compacted') return this.#remind(name, asked)
      const message = asked.message ?? (await lastWordsIn(asked))
      const late =
        result === undefined && !this.#questions.isFresh(name, this.#parts.now(), askedAt)
      if (late || gone.aborted) return ALLOW
      const answer = this.#decide(asked.session, { message: message || '', ...result })
      if (answer.act === 'chore') {
        this.#questions.hold(name, answer.chore.timeoutMs)
        return answer
      }
      this.#questions.answered(name)
      if (answer.act === 'block') return printed(loopOf(asked.agent)?.goOn(answer.reason))
      this.letGo(asked.session)
      return answer
    } catch (error) {
      this.#parts.complain('a loop decision failed', { session: asked.session, why: String(error) })
      this.#questions.answered(name)
      this.letGo(asked.session)
      return ALLOW
    }
  }

  /** The same for a Stop without a question; the decision reaches the agent another way. */
  decideNow(session: string, alreadyAsked: boolean): Decided {
    const message = alreadyAsked ? '' : this.#stops.get(session)?.message
    return this.#decide(session, { message: message ?? '' })
  }

  stoppedAt(session: string): number {
    return this.#stops.get(session)?.at ?? 0
  }

  /** Stored first, then published. */
  keep(stored: StoredLoop, step?: LoopStep, turn?: 'kept'): StoredLoop {
    const before = this.openLoops.find(stored.run.id)
    const ended = before && stored.run.stack.length < before.run.stack.length
    const last = ended ? before.run.stack.at(-1) : stored.last
    const put = this.openLoops.put(last ? { ...stored, last } : stored, ...(step ? [step] : []))
    if (put.run.stack.length === 0) this.#stops.delete(put.session)
    this.#publish(put, turn)
    this.rearm()
    return put
  }

  #publish(stored: StoredLoop, turn?: 'kept'): void {
    const { session } = stored
    this.#report(session, { loop: facetOf(stored), ...(turn && { turn }) })
  }

  /** An API error in a loop: many at once are not the fault of one loop. */
  failed(at: number): void {
    this.#breaker = failed(this.#breaker, at)
  }

  rearm(): void {
    const open = this.openLoops.open()
    if (open.length > 0) loadDeciderSoon(this.#parts.complain)
    try {
      this.#parts.arm(open.map(({ session }) => session))
    } catch (error) {
      this.#parts.complain('loops could not be prepared', { why: (error as Error).message })
    }
  }

  close(): void {
    this.#questions.close()
  }

  #decide(session: string, said: StopReply): Decided {
    const stored = this.ownerOf(session)
    const decide = loadedDecider()
    if (!stored || !decide) return ALLOW
    if (this.#parts.disabled() || this.#queued.delete(session)) return ALLOW
    const now = this.#parts.now()
    const costUsd = this.#parts.session(session)?.costUsd ?? undefined
    const run = takenUp(stored.run, now)
    const breaker = breakerOpen(this.#breaker, now)
    const effort = this.turns.effortOf(session)
    const decision = decide(run, stopOf({ stored, said, costUsd, breaker, effort }), now)
    if (decision.act === 'chore') return decision
    if (decision.act === 'allow' && decision.run === undefined) return ALLOW
    this.turns.forget(session)
    const turn = turnOf(stored, said.message, costUsd, now)
    const { anchor: _, ...rest } = stored
    const after = { ...rest, turnAt: now, ...(costUsd !== undefined && { turnCostUsd: costUsd }) }
    if (decision.act === 'block') return this.#goOn({ ...after, run: decision.run }, decision, turn)
    if (decision.run !== undefined && decision.run !== stored.run) {
      const { run: ended, to, why } = decision
      // Reports the frame that has just run, which may be gone.
      const step = stepOf(stored, { ...turn, kind: kindOf({ run: ended, to }), why })
      this.keep({ ...after, run: ended }, step)
    }
    return ALLOW
  }

  #goOn(
    stored: StoredLoop,
    { reason }: { readonly reason: string },
    turn: Omit<StepParts, 'kind'>,
  ): Decided {
    this.#breaker = blocked(this.#breaker, turn.at)
    const after = { ...stored, block: { at: turn.at, reason } }
    this.keep(after, stepOf(after, { ...turn, kind: 'iteration' }), 'kept')
    return { act: 'block', reason }
  }

  /** SPEC LP76. The session's own loop, or that of the session it continues: armed from here. */
  ownerOf(session: string): StoredLoop | undefined {
    const own = this.openLoops.ofSession(session)
    if (own) return own
    const parent = this.#parts.parentOf(session)
    if (!parent || this.#parts.session(parent)?.state !== 'closed') return undefined
    const inherited = this.ownerOf(parent)
    if (!inherited) return undefined
    this.#publish({ ...inherited, run: { ...inherited.run, event: 'ABORT', stack: [] } })
    const moved = { ...inherited, session }
    const step = stepOf(moved, { kind: 'moved', at: this.#parts.now(), why: `from ${parent}` })
    return this.keep(moved, step)
  }

  #noteStop({ session, message, off }: Extract<LoopEvent, { is: 'stop' }>, at: number): void {
    const stored = this.ownerOf(session)
    if (!stored) return
    if (!off) {
      this.#stops.set(session, { at, message: message ?? '' })
      return
    }
    // SPEC LP1. Only this Stop passes: the agent counts as not knowing of the loop.
    this.#stops.delete(session)
    const { block: _, ...rest } = stored
    this.keep({ ...rest, turnAt: this.#parts.now() })
  }

  /** The turn that asked has ended. */
  letGo(session: string): void {
    this.#report(session, { turn: 'let' })
  }

  #report(session: string, said: object): void {
    const agent = this.#parts.session(session)?.agent
    this.#parts.publish({ t: this.#parts.now(), source: 'loop', agent, session, ...said })
  }

  /** SPEC LP77. */
  #anchor(session: string): void {
    const stored = this.ownerOf(session)
    if (!stored) return
    const steps = this.openLoops.steps(stored.run.id, ANCHOR_TURNS_MAX)
    const anchor = anchorOf(stored.run, steps)
    const at = this.#parts.now()
    this.keep({ ...stored, anchor }, stepOf(stored, { kind: 'compacted', at }))
  }

  #remind(name: string, { agent, session }: AskedStop): LoopAnswer {
    this.#questions.answered(name)
    const stored = this.ownerOf(session)
    if (!stored?.anchor) return ALLOW
    const { anchor, ...rest } = stored
    this.keep(rest)
    return printed(loopOf(agent)?.remind(anchor))
  }
}

function printed(output: HookOutput | undefined): LoopAnswer {
  return output ? { act: 'print', ...output } : ALLOW
}
