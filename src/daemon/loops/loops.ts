import { randomUUID } from 'node:crypto'
import { isAtLeast } from '../../agents/claude/events.ts'
import { BLOCK_CAP_DEFAULT, BLOCK_CAP_SINCE } from '../../agents/claude/loop-sign.ts'
import { documentOf, parseDocument } from '../../core/loop/document.ts'
import { pauseRun, resumeRun } from '../../core/loop/holds.ts'
import { openingOf } from '../../core/loop/opening.ts'
import type { Frame, Run } from '../../core/loop/run.ts'
import { canNest, nestFrame, startRun, stopRun } from '../../core/loop/stack.ts'
import type { Session } from '../session.ts'
import type { Following } from './following.ts'
import type { Keeper } from './keeper.ts'
import { LoopProblem } from './problem.ts'
import type {
  Answer,
  Delivery,
  LoopStep,
  Loops,
  LoopView,
  Question,
  Started,
  StartLoop,
} from './shapes.ts'
import type { Kept } from './shelf.ts'
import { stepOf, viewOf } from './view.ts'

interface Parts {
  readonly keeper: Keeper
  readonly following: Following
  readonly now: () => number
  readonly session: (id: string) => Session | undefined
  /** As the session's own environment has it. */
  readonly blockCapOf: (session: string) => number | undefined
}

/** As many as are listed, and as many steps of one as are shown. */
const LISTED_MAX = 200
const STEPS_MAX = 2_000

/** Loops, for who may ask. */
export class LocalLoops implements Loops {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  list({ all }: { readonly all: boolean }): readonly LoopView[] {
    const { shelf } = this.#parts.keeper
    return (all ? shelf.list(LISTED_MAX) : shelf.open()).map((kept) => this.#view(kept))
  }

  find(name: string): LoopView | undefined {
    const kept = this.#parts.keeper.shelf.find(name)
    return kept && this.#view(kept)
  }

  history(name: string): readonly LoopStep[] {
    return this.#parts.keeper.shelf.steps(this.#kept(name).run.id, STEPS_MAX)
  }

  /** SPEC LP81. A second loop of a session is one within the first. */
  async start(wanted: StartLoop): Promise<Started> {
    const { keeper, now } = this.#parts
    const session = this.#openSession(wanted.session)
    const at = now()
    const frame = frameOf(wanted, session, at)
    const outer = keeper.shelf.ofSession(session.id)
    if (outer && !canNest(outer.run)) throw new LoopProblem(409, 'session: is in too many loops')
    const run = outer ? nestFrame(outer.run, frame, at) : startRun(runId(at), frame, at)
    const costs = session.costUsd === null ? {} : { turnCostUsd: session.costUsd }
    const { block: _, ...before } = outer ?? { session: session.id }
    const kept = { ...before, run, session: session.id, turnAt: at, ...costs }
    keeper.keep(kept, stepOf(kept, { kind: outer ? 'nested' : 'started', at }))
    const delivery = await this.#deliver(kept, session)
    return { loop: this.#now(run.id), delivery, capped: this.#isCapped(session) }
  }

  pause(name: string, why: string): LoopView {
    return this.#change(name, 'paused', why, (run, at) => pauseRun(run, why, at))
  }

  /** Its agent goes on by itself where it can be reached. */
  async resume(name: string): Promise<Started> {
    const loop = this.#change(name, 'resumed', '', (run, at) => resumeRun(run, at))
    const session = this.#openSession(loop.session)
    const kept = this.#kept(loop.id)
    const delivery = await this.#deliver(kept, session)
    return { loop: this.#now(loop.id), delivery, capped: this.#isCapped(session) }
  }

  stop(name: string, why: string): LoopView {
    return this.#change(name, 'aborted', why, (run, at) => stopRun(run, at))
  }

  export(name: string): object {
    return documentOf(this.#kept(name).run)
  }

  import(session: string, text: string): LoopView {
    const { keeper, now } = this.#parts
    const { id } = this.#openSession(session)
    if (keeper.shelf.ofSession(id))
      throw new LoopProblem(409, 'session: is in a loop already; stop that one first')
    const at = now()
    const found = parseDocument(text, at)
    if ('malformed' in found) throw new LoopProblem(400, `state: ${found.malformed}`)
    // One that was exported here and is taken up again is another: its past stays as it was.
    const run = keeper.shelf.find(found.id) ? { ...found, id: runId(at) } : found
    const kept = { run, session: id, turnAt: at }
    return this.#view(keeper.keep(kept, stepOf(kept, { kind: 'imported', at })))
  }

  answer(question: Question, gone: AbortSignal): Promise<Answer> {
    return this.#parts.keeper.answer(question, gone)
  }

  #change(
    name: string,
    kind: LoopStep['kind'],
    why: string,
    change: (run: Run, at: number) => Run,
  ): LoopView {
    const { keeper, now } = this.#parts
    const kept = this.#kept(name)
    if (kept.run.stack.length === 0)
      throw new LoopProblem(409, `${kept.run.id}: is over (${kept.run.reason ?? kept.run.event})`)
    const at = now()
    const after = { ...kept, run: change(kept.run, at) }
    return this.#view(keeper.keep(after, stepOf(kept, { kind, at, why })))
  }

  /** SPEC LP82. How the agent hears of it: at its next stop, or at once where it stands idle. */
  async #deliver(kept: Kept, session: Session): Promise<Delivery> {
    const idle = session.state === 'idle' || session.state === 'error'
    if (!idle) return { how: 'next-stop', why: `it is ${session.state}` }
    const text = kept.run.unsaid ? openingOf(kept.run) : (kept.block?.reason ?? openingOf(kept.run))
    const trouble = await this.#parts.following.say(kept, text)
    return trouble === undefined
      ? { how: 'typed', why: 'typed into its pane' }
      : { how: 'by-user', why: trouble }
  }

  /** The client ends a turn after eight blocked Stops in a row, unless it is told not to. */
  #isCapped({ id, version }: Session): boolean {
    if (version !== null && !isAtLeast(version, BLOCK_CAP_SINCE)) return false
    const cap = this.#parts.blockCapOf(id)
    return cap === undefined || (cap !== 0 && cap <= BLOCK_CAP_DEFAULT)
  }

  #openSession(id: string): Session {
    const session = this.#parts.session(id)
    if (!session) throw new LoopProblem(404, 'session: no such session')
    if (session.state === 'closed')
      throw new LoopProblem(409, 'session: is closed; resume it first')
    return session
  }

  #kept(name: string): Kept {
    const kept = this.#parts.keeper.shelf.find(name)
    if (!kept) throw new LoopProblem(404, 'id: no such loop; GET /v1/loops lists them')
    return kept
  }

  #now(id: string): LoopView {
    return this.#view(this.#kept(id))
  }

  #view(kept: Kept): LoopView {
    return viewOf(kept, this.#parts.session(kept.session)?.costUsd ?? null)
  }
}

/** Two begun in the same second are two. */
function runId(at: number): string {
  return `loop-${Math.floor(at / 1000)}-${randomUUID().slice(0, 8)}`
}

function frameOf(wanted: StartLoop, session: Session, at: number): Frame {
  const { mode, max, patience, forMs } = wanted
  const optional = {
    prompt: wanted.prompt,
    promptFile: wanted.promptFile,
    filter: wanted.filter,
    item: wanted.item,
    worktree: wanted.worktree,
    source: wanted.source,
    until: wanted.until,
    deadlineAt: forMs === null ? null : at + forMs,
    budgetUsd: wanted.budgetUsd,
    costAtStartUsd: session.costUsd,
  }
  const given = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== null))
  return { id: randomUUID(), mode, iter: 0, max, startedAt: at, patience, ...given }
}
