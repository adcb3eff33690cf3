import type { Facts } from '../../core/facts.ts'
import { holdForHuman, parkRun, pauseRun, unparkRun } from '../../core/loop/holds.ts'
import { openingOf } from '../../core/loop/opening.ts'
import type { Report } from '../../core/signal.ts'
import type { Verdict } from '../../core/verdict.ts'
import { timerMs } from '../../home/timer.ts'
import type { Session } from '../../protocol/session.ts'
import type { Complain } from '../../sources/arrival.ts'
import type { LoopController } from './controller.ts'
import type { StoredLoop } from './open-loops.ts'
import { stepOf } from './view.ts'

export interface FollowingParts {
  readonly controller: LoopController
  readonly now: () => number
  readonly said: (session: string) => Verdict | undefined
  readonly facts: (session: string) => Facts | undefined
  readonly session: (id: string) => Session | undefined
  readonly publish: (report: Report) => void
  readonly complain: Complain
  /** A server of its agent takes prompts for it, without a pane. */
  readonly isServed: (session: string) => boolean
  /** Why nothing can be typed into its pane, if so. */
  readonly reach: (session: Session) => Promise<string | undefined>
  /** Types a prompt into the session's pane; returns why it could not. */
  readonly type: (session: Session, text: string) => Promise<string | undefined>
}

/**
 * How long an agent must be idle before it counts as stopped: a client that is about to continue
 * after a blocked Stop reports idle for some milliseconds.
 */
const STANDS_MS = 2_000

/** Updates a loop when its session is interrupted, fails, closes, or stops without asking. */
export class LoopFollower {
  readonly #parts: FollowingParts
  readonly #standing = new Map<string, NodeJS.Timeout>()
  #parked: NodeJS.Timeout | undefined
  #closed = false

  constructor(parts: FollowingParts) {
    this.#parts = parts
  }

  /** After a start: sessions may have continued while no daemon ran. */
  start(): void {
    this.onSessionsChanged(this.#parts.controller.openLoops.open().map(({ session }) => session))
    this.#scheduleParked()
  }

  /** These sessions have changed. */
  onSessionsChanged(ids: Iterable<string>): void {
    const { controller, said, now, session, publish } = this.#parts
    const any = controller.openLoops.open().length > 0
    for (const id of ids) {
      const verdict = said(id)
      if (!verdict) continue
      const stored = any ? controller.ownerOf(id) : undefined
      if (stored) this.#follow(stored, verdict)
      // Its end was not reported: the daemon ended between storing and reporting it.
      else if (verdict.loop?.state === 'ACTIVE' && verdict.state === 'working')
        publish({ t: now(), source: 'loop', agent: session(id)?.agent, session: id, loop: null })
    }
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#parked)
    for (const timer of this.#standing.values()) clearTimeout(timer)
  }

  /** Types the text into the agent's pane; if that is impossible, a person must do it. */
  async say(stored: StoredLoop, text: string): Promise<string | undefined> {
    const { controller, session, type, now } = this.#parts
    const to = session(stored.session)
    const trouble = to ? await type(to, text) : 'its session is unknown'
    const present = controller.openLoops.find(stored.run.id)
    if (!present || present.run.stack.length === 0) return trouble
    if (trouble !== undefined) return trouble
    const at = now()
    const run = { ...present.run, unsaid: false, updatedAt: at }
    const after = { ...present, run, block: { at, reason: text, typed: true } }
    controller.keep(after, stepOf(after, { kind: 'said', at, why: 'typed into its pane' }))
    return undefined
  }

  #follow(stored: StoredLoop, verdict: Verdict): void {
    const { run, session } = stored
    clearTimeout(this.#standing.get(session))
    this.#standing.delete(session)
    if (run.hold?.until !== undefined) this.#scheduleParked()
    if (run.hold) return
    const { state, how, after, since } = verdict
    // A state from before the loop's last update is no news, but that it is still idle is.
    const news = since >= run.updatedAt
    if (!news && (state !== 'idle' || after === 'interrupt')) return
    const facts = this.#parts.facts(session)
    // Its process continues as another session, or was meant to.
    const continues = verdict.rule === 'L1' || facts?.left?.continues === true
    // An interrupt known only from the turn's end may be the client's own: it reports that a moment
    // later.
    const byUser = (facts?.turn.interrupted?.at ?? 0) > run.updatedAt
    if (state === 'error') this.#park(stored, verdict.cause ?? 'unknown')
    else if (state === 'closed' && how !== 'killed' && !continues)
      this.#pause(stored, 'the session was closed')
    else if (state === 'idle' && after === 'interrupt' && byUser) this.#pause(stored, INTERRUPTED)
    else if (state === 'idle') {
      const timer = setTimeout(() => this.#guard(this.#stands(run.id, verdict)), STANDS_MS)
      this.#standing.set(session, timer.unref())
    }
  }

  /** SPEC LP78. */
  #pause(stored: StoredLoop, why: string): void {
    const at = this.#parts.now()
    const after = { ...stored, run: pauseRun(stored.run, why, at) }
    this.#parts.controller.keep(after, stepOf(after, { kind: 'paused', at, why }))
  }

  /** SPEC LP79. */
  #park(stored: StoredLoop, cause: string): void {
    const { controller, now, session, isServed } = this.#parts
    const at = now()
    controller.failed(at)
    const to = session(stored.session)
    const reach = to?.tmuxPane !== null || isServed(to.id)
    const unreachable = `${cause}; it is not in tmux: send it any prompt to continue the loop`
    const run = reach ? parkRun(stored.run, cause, at) : holdForHuman(stored.run, unreachable, at)
    const after = { ...stored, run }
    const kind = run.hold?.kind === 'parked' ? 'parked' : 'needs-human'
    controller.keep(after, stepOf(after, { kind, at, why: run.hold?.why ?? cause }))
    this.#scheduleParked()
  }

  #scheduleParked(): void {
    clearTimeout(this.#parked)
    if (this.#closed) return
    const { controller, now } = this.#parts
    const dues = controller.openLoops.open().flatMap(({ run }) => run.hold?.until ?? [])
    if (dues.length === 0) return
    const waitMs = timerMs(Math.min(...dues) - now())
    this.#parked = setTimeout(() => this.#guard(this.#takeUpParked()), waitMs).unref()
  }

  async #takeUpParked(): Promise<void> {
    const { controller, now } = this.#parts
    for (const stored of controller.openLoops.open()) {
      const until = stored.run.hold?.until
      if (until === undefined || until > now()) continue
      const at = now()
      const run = unparkRun(stored.run, at)
      const kind = run.event === 'STATE' ? 'resumed' : 'stuck'
      const resumed = controller.keep({ ...stored, run }, stepOf(stored, { kind, at }))
      if (kind === 'stuck') continue
      const trouble = await this.say(resumed, stored.block?.reason ?? openingOf(run))
      if (trouble !== undefined) this.#needsHuman(resumed.run.id, trouble)
    }
    this.#scheduleParked()
  }

  /** SPEC LP80. Idle although its loop runs: its hook did not ask, or the answer was lost. */
  async #stands(id: string, verdict: Verdict): Promise<void> {
    const { controller, said } = this.#parts
    const stored = controller.openLoops.find(id)
    if (!stored || stored.run.hold || stored.run.stack.length === 0) return
    const present = said(stored.session)
    if (present?.state !== 'idle' || present.since !== verdict.since) return
    if (present.after === 'interrupt') return this.#pause(stored, INTERRUPTED)
    const { block, turnAt } = stored
    const stoppedAt = controller.stoppedAt(stored.session)
    // Its agent does not know of the loop yet: its user starts it.
    if (!block && stoppedAt === 0) return
    const unheard = block !== undefined && !block.typed && stoppedAt <= block.at
    // Its last Stop was answered: an inner loop is done, and the outer one continues.
    const answered = stoppedAt <= turnAt
    const trouble = await this.#goOn(stored, unheard, answered)
    if (trouble !== undefined) this.#needsHuman(id, `${UNASKED} (${trouble})`)
  }

  /** Counts nothing before it is known that the agent can be reached. */
  async #goOn(
    stored: StoredLoop,
    unheard: boolean,
    answered: boolean,
  ): Promise<string | undefined> {
    const { controller, reach, session } = this.#parts
    const to = session(stored.session)
    const trouble = to ? await reach(to) : 'its session is unknown'
    if (trouble !== undefined) return trouble
    const again = stored.block?.reason ?? openingOf(stored.run)
    if (unheard) return this.say(stored, again)
    const answer = controller.decideNow(stored.session, answered)
    if (answer.act === 'allow') return undefined
    if (answer.act === 'block')
      return this.say(controller.openLoops.find(stored.run.id) ?? stored, answer.reason)
    // A command runs in its hook: at the next Stop, if the hook asks then.
    return stored.block?.typed ? 'its hook does not answer' : this.say(stored, again)
  }

  /** A log that cannot be written leaves the loop unchanged; its agent stops. */
  #guard(act: Promise<void>): void {
    act.catch((error) =>
      this.#parts.complain('a loop could not be continued', { why: String(error) }),
    )
  }

  #needsHuman(id: string, why: string): void {
    const { controller, now } = this.#parts
    const stored = controller.openLoops.find(id)
    if (!stored || stored.run.stack.length === 0) return
    const at = now()
    const after = { ...stored, run: holdForHuman(stored.run, why, at) }
    controller.keep(after, stepOf(after, { kind: 'needs-human', at, why }))
  }
}

const INTERRUPTED = 'interrupted by you'

const UNASKED =
  'the agent stopped, and vigil could not reach it; send it any prompt to continue the loop'
