import { randomUUID } from 'node:crypto'
import { loopOf } from '../../agents/index.ts'
import { notANumberIn } from '../../core/loop/bounds.ts'
import { documentOf, parseDocument } from '../../core/loop/document.ts'
import { pauseRun, resumeRun } from '../../core/loop/holds.ts'
import { openingOf } from '../../core/loop/opening.ts'
import type { LoopRun } from '../../core/loop/run.ts'
import { canNest, nestFrame, settledRun, startRun, stopRun } from '../../core/loop/stack.ts'
import type { TypedLoop } from '../../core/loop/typed.ts'
import type { AdminPolicy } from '../../home/policy.ts'
import type {
  LoopAnswer,
  LoopBegun,
  LoopDelivery,
  LoopQuestion,
  LoopStart,
  LoopStarted,
  LoopStep,
  LoopView,
} from '../../protocol/loop.ts'
import type { Session } from '../../protocol/session.ts'
import type { Complain } from '../../sources/arrival.ts'
import type { By } from '../panes/shapes.ts'
import { Problem } from '../problem.ts'
import type { ActRecorder } from '../requests/shapes.ts'
import type { LoopController } from './controller.ts'
import type { LoopFollower } from './following.ts'
import { frameOf, frameWords } from './frames.ts'
import type { StoredLoop } from './open-loops.ts'
import type { Loops } from './shapes.ts'
import { TypedLoops } from './typed-loops.ts'
import { stepOf, viewOf } from './view.ts'

interface Parts {
  readonly controller: LoopController
  readonly following: LoopFollower
  readonly now: () => number
  readonly session: (id: string) => Session | undefined
  readonly acts: Pick<ActRecorder, 'note'>
  readonly policy: Pick<AdminPolicy, 'whyNot'>
  readonly complain: Complain
  /** From the session's own environment. */
  readonly blockCapOf: (session: string) => number | undefined
}

/** How many loops are listed, and how many steps of one are shown. */
const LISTED_MAX = 200
const STEPS_MAX = 2_000

/** The API of loops. */
export class LocalLoops implements Loops {
  readonly #parts: Parts
  readonly typed: TypedLoops

  constructor(parts: Parts) {
    this.#parts = parts
    const { now, complain } = parts
    const start = (session: string, typed: TypedLoop) => this.#beginTyped(session, typed)
    this.typed = new TypedLoops({ now, complain, start })
  }

  list({ all }: { readonly all: boolean }): readonly LoopView[] {
    const { openLoops } = this.#parts.controller
    return (all ? openLoops.list(LISTED_MAX) : openLoops.open()).map((stored) => this.#view(stored))
  }

  find(name: string): LoopView | undefined {
    const stored = this.#parts.controller.openLoops.find(name)
    return stored && this.#view(stored)
  }

  history(name: string): readonly LoopStep[] {
    return this.#parts.controller.openLoops.steps(this.#stored(name).run.id, STEPS_MAX)
  }

  /** SPEC LP81. A second loop of a session is nested in the first. */
  async start(wanted: LoopStart, by: By): Promise<LoopStarted> {
    const { stored, session } = this.#begin(wanted, by)
    const delivery = await this.#deliver(stored, session)
    return { loop: this.#now(stored.run.id), delivery, capped: this.#isCapped(session) }
  }

  #begin(wanted: LoopStart, by: By): { readonly stored: StoredLoop; readonly session: Session } {
    const { controller, now } = this.#parts
    this.#refuseForbidden()
    const session = this.#openSession(wanted.session)
    const at = now()
    const frame = frameOf(wanted, session, at)
    const outer = controller.openLoops.ofSession(session.id)
    if (outer && !canNest(outer.run))
      throw new Problem(409, 'session: has too many nested loops; stop one first')
    const run = outer ? nestFrame(outer.run, frame, at) : startRun(runId(at), frame, at)
    const costs = session.costUsd === null ? {} : { turnCostUsd: session.costUsd }
    const { block: _, ...before } = outer ?? { session: session.id }
    const stored = { ...before, run, session: session.id, turnAt: at, ...costs }
    this.#note(session.id, by, `started a loop: ${frameWords(frame)}`)
    controller.keep(stored, stepOf(stored, { kind: outer ? 'nested' : 'started', at }))
    return { stored, session }
  }

  begin(session: string, gone: AbortSignal): Promise<LoopBegun> {
    return this.typed.begin(this.#openSession(session).id, gone)
  }

  /** Its agent has the task already: the user submitted it. */
  async #beginTyped(session: string, typed: TypedLoop): Promise<LoopStarted> {
    const begun = this.#begin({ ...NOTHING_ELSE, ...typed, session }, BY_COMMAND)
    const delivery = { how: 'next-stop', why: 'the agent has the task already' } as const
    const capped = this.#isCapped(begun.session)
    return { loop: this.#now(begun.stored.run.id), delivery, capped }
  }

  pause(name: string, why: string, by: By): LoopView {
    return this.#change(name, { kind: 'paused', why, by }, (run, at) => pauseRun(run, why, at))
  }

  /** Where the pane can be reached, vigil makes the agent continue. */
  async resume(name: string, by: By): Promise<LoopStarted> {
    this.#refuseForbidden()
    const loop = this.#change(name, { kind: 'resumed', why: '', by }, (run, at) =>
      resumeRun(run, at),
    )
    const session = this.#openSession(loop.session)
    const stored = this.#stored(loop.id)
    const delivery = await this.#deliver(stored, session)
    return { loop: this.#now(loop.id), delivery, capped: this.#isCapped(session) }
  }

  stop(name: string, why: string, by: By): LoopView {
    return this.#change(name, { kind: 'aborted', why, by }, (run, at) => stopRun(run, at))
  }

  export(name: string): object {
    return documentOf(this.#stored(name).run)
  }

  import(session: string, text: string, by: By): LoopView {
    const { controller, now } = this.#parts
    this.#refuseForbidden()
    const { id } = this.#openSession(session)
    if (controller.openLoops.ofSession(id))
      throw new Problem(409, 'session: is in a loop already; stop that loop first')
    const at = now()
    const found = parseDocument(text, at)
    if ('malformed' in found) throw new Problem(400, `state: ${found.malformed}`)
    const wrong = notANumberIn(found)
    if (wrong !== undefined) throw new Problem(400, `state: ${wrong}`)
    // A loop that was exported here and is imported again gets a new id: its past stays unchanged.
    const named = controller.openLoops.find(found.id) ? { ...found, id: runId(at) } : found
    const run = settledRun(named, at)
    const last = named.stack.at(-1)
    const stored = { run, session: id, turnAt: at, ...(last && { last }) }
    this.#note(id, by, `continued a loop: ${run.stack.map(frameWords).join('; nested in it: ')}`)
    return this.#view(controller.keep(stored, stepOf(stored, { kind: 'imported', at })))
  }

  answer(question: LoopQuestion, gone: AbortSignal): Promise<LoopAnswer> {
    return this.#parts.controller.answer(question, gone)
  }

  #change(
    name: string,
    { kind, why, by }: { kind: keyof typeof DONE; why: string; by: By },
    change: (run: LoopRun, at: number) => LoopRun,
  ): LoopView {
    const { controller, now } = this.#parts
    const stored = this.#stored(name)
    if (stored.run.stack.length === 0)
      throw new Problem(409, `${stored.run.id}: is over (${stored.run.reason ?? stored.run.event})`)
    const at = now()
    this.#note(stored.session, by, `${DONE[kind]}${why === '' ? '' : `: ${why}`}`)
    const after = { ...stored, run: change(stored.run, at) }
    return this.#view(controller.keep(after, stepOf(stored, { kind, at, why })))
  }

  /** SPEC WD4. In the log before it takes effect: what cannot be logged is not done. */
  #note(session: string, { who, where }: By, words: string): void {
    this.#parts.acts.note({ session, what: 'loop', who, where, words })
  }

  /** SPEC WD23. */
  #refuseForbidden(): void {
    const forbidden = this.#parts.policy.whyNot('loops')
    if (forbidden !== undefined) throw new Problem(403, forbidden)
  }

  /** SPEC LP82. How the agent gets it: at its next stop, or at once where it is idle. */
  async #deliver(stored: StoredLoop, session: Session): Promise<LoopDelivery> {
    const idle = session.state === 'idle' || session.state === 'error'
    if (!idle) return { how: 'next-stop', why: `it is ${session.state}` }
    const text = stored.run.unsaid
      ? openingOf(stored.run)
      : (stored.block?.reason ?? openingOf(stored.run))
    const trouble = await this.#parts.following.say(stored, text)
    return trouble === undefined
      ? { how: 'typed', why: 'typed into its pane' }
      : { how: 'by-user', why: trouble }
  }

  /** The agent ends a turn after a number of blocked Stops, unless its cap is raised. */
  #isCapped({ agent, id, version }: Session): boolean {
    return loopOf(agent)?.isCapped(version, this.#parts.blockCapOf(id)) ?? false
  }

  #openSession(id: string): Session {
    const session = this.#parts.session(id)
    if (!session) throw new Problem(404, 'session: no such session; GET /v1/sessions lists them')
    if (session.state === 'closed') throw new Problem(409, 'session: is closed; resume it first')
    return session
  }

  #stored(name: string): StoredLoop {
    const stored = this.#parts.controller.openLoops.find(name)
    if (!stored) throw new Problem(404, 'id: no such loop; GET /v1/loops lists them')
    return stored
  }

  #now(id: string): LoopView {
    return this.#view(this.#stored(id))
  }

  #view(stored: StoredLoop): LoopView {
    return viewOf(stored, this.#parts.session(stored.session)?.costUsd ?? null)
  }
}

/** Two loops started in the same second get two ids. */
function runId(at: number): string {
  return `loop-${Math.floor(at / 1000)}-${randomUUID().slice(0, 8)}`
}

const DONE = { paused: 'paused its loop', resumed: 'resumed its loop', aborted: 'stopped its loop' }

const BY_COMMAND: By = { who: 'its user, by /vigil:loop', where: 'cli' }

const NOTHING_ELSE = {
  mode: 'loop',
  promptFile: null,
  item: null,
  worktree: null,
  source: null,
  filter: null,
  until: null,
} as const
