import { hash } from 'node:crypto'
import { appendFileSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DemoDecision, DemoSession } from '../../agents/demo-agent.ts'
import { agentOf, UNNAMED_AGENT } from '../../agents/index.ts'
import type { AttachedSurface, SurfaceContext } from '../../client/surface-context.ts'
import type { Report } from '../../core/signal.ts'
import type { Arrival, Spooled } from '../../sources/arrival.ts'
import { type Beat, beatReports, castOf, opened, type PastBeat } from './beats.ts'
import type { DemoRole } from './story.ts'

/** The waiting hooks of the demo, which are not processes. */
interface ActedHooks {
  /** Calls `onAnswer` when there is an answer. */
  wait(name: string, onAnswer: () => void): void
}

export interface PlayerOptions {
  readonly roles: readonly DemoRole[]
  readonly speed: number
  /** The folder for files that the demo's agents write. */
  readonly files: string
  readonly hooks: ActedHooks
  /** When the demo begins; earlier events are in the log. */
  readonly now: number
}

type PlayerContext = Pick<SurfaceContext, 'take' | 'complain' | 'requests'>

/** If more requests than this wait for long, the oldest is answered as if in its terminal. */
const WAITING_MAX = 4
const UNANSWERED_MS = 40_000
const LOOK_MS = 5_000

/** SPEC IN31. Plays all roles into a daemon. */
export class Player implements AttachedSurface {
  readonly #actors: readonly Actor[]
  readonly #timer: NodeJS.Timeout

  constructor(context: PlayerContext, options: PlayerOptions) {
    const { now } = options
    const writer = new Writer(context, options.files)
    this.#actors = options.roles.map((role, number) => {
      const session = castOf(role, number, options.files)
      return new Actor({ role, session, writer, context, ...options })
    })
    for (const actor of this.#actors) actor.open(now)
    this.#timer = setInterval(() => this.#answerOne(), LOOK_MS / options.speed)
  }

  close(): void {
    clearInterval(this.#timer)
    for (const actor of this.#actors) actor.close()
  }

  /** Keeps some requests open, but never all. */
  #answerOne(): void {
    const waiting = this.#actors.filter(({ waitsSince }) => waitsSince !== undefined)
    if (waiting.length <= WAITING_MAX) return
    const [oldest] = waiting.toSorted((a, b) => (a.waitsSince ?? 0) - (b.waitsSince ?? 0))
    oldest?.answerInTerminal()
  }
}

interface ActorParts extends Omit<PlayerOptions, 'roles' | 'files' | 'now'> {
  readonly role: DemoRole
  readonly session: DemoSession
  readonly writer: Writer
  readonly context: PlayerContext
}

/** One session of the demo. */
class Actor {
  readonly #parts: ActorParts
  #beats: ReturnType<typeof opened>['rest'] | undefined
  #timer: NodeJS.Timeout | undefined
  #waiting: { readonly since: number; readonly spooled: Spooled } | undefined

  constructor(parts: ActorParts) {
    this.#parts = parts
  }

  /**
   * Since when the user could have answered; undefined while no request is open, or it is too new.
   */
  get waitsSince(): number | undefined {
    const since = this.#waiting?.since
    if (since === undefined) return undefined
    return Date.now() - since > UNANSWERED_MS / this.#parts.speed ? since : undefined
  }

  /** An open request is made now, with its original time. */
  open(now: number): void {
    const { past, rest } = opened(this.#parts.role, now)
    this.#beats = rest
    const { writer } = this.#parts
    for (const one of past) {
      const arrivals = this.#arrivals(one)
      if (one.beat.event.is === 'request') writer.write(arrivals)
      else writer.log(arrivals)
    }
    const last = past.at(-1)
    if (last) this.#after(last.beat, now)
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  answerInTerminal(): void {
    this.#next({ allowed: true, words: '' })
  }

  #arrivals({ beat, at }: PastBeat): readonly Arrival[] {
    const { session, role, writer } = this.#parts
    return beatReports(session, role, beat, at).map((report) => {
      const arrival = writer.arrivalOf(report)
      if (beat.event.is === 'request' && arrival.spooled) this.#wait(arrival.spooled)
      return arrival
    })
  }

  #wait(spooled: Spooled): void {
    this.#waiting = { since: Date.now(), spooled }
    this.#parts.hooks.wait(spooled.name, () => setImmediate(() => this.#take(spooled)))
  }

  /** There is an answer: fetches it as a hook would. */
  #take(spooled: Spooled): void {
    if (this.#waiting?.spooled !== spooled) return
    const outcome = this.#parts.context.requests.outcome(spooled)
    if (outcome.act !== 'decide') return
    const decision = agentOf(UNNAMED_AGENT)?.demo?.decisionOf(outcome.output)
    if (decision) this.#next(decision)
  }

  #next(decision?: DemoDecision): void {
    this.#waiting = undefined
    const next = this.#beats?.next(decision)
    if (!next || next.done) return
    const now = Date.now()
    this.#parts.writer.write(this.#arrivals({ beat: next.value, at: now }))
    this.#after(next.value, now)
  }

  #after({ thenMs }: Beat, now: number): void {
    if (thenMs === undefined) return
    const dueAt = now + thenMs / this.#parts.speed
    this.#timer = setTimeout(() => this.#next(), Math.max(1, dueAt - Date.now()))
  }
}

/** Gives reports to the daemon as sources would. */
class Writer {
  readonly #context: PlayerContext
  readonly #files: string
  #hooks = 0

  constructor(context: PlayerContext, files: string) {
    this.#context = context
    this.#files = files
  }

  /** A hook's report has a name in the spool, which identifies its request. */
  arrivalOf(report: Report): Arrival {
    if (report.source !== 'hook') return { report }
    this.#hooks += 1
    const name = `demo.${this.#hooks}`
    const digest = hash('sha256', JSON.stringify(report.payload ?? null))
    return { report, key: name, spooled: { name, digest } }
  }

  write(arrivals: readonly Arrival[]): void {
    this.log(arrivals)
    if (arrivals.length > 0) this.#context.take(arrivals)
  }

  /** The agent's messages are read from its log, as for real agents. */
  log(arrivals: readonly Arrival[]): void {
    for (const { report } of arrivals) this.#append(report)
  }

  #append({ source, path, entry }: Report): void {
    if (source !== 'transcript' || typeof path !== 'string' || !path.startsWith(this.#files)) return
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      appendFileSync(path, `${JSON.stringify(entry)}\n`, { mode: 0o600 })
    } catch (error) {
      // The disk is full: then the agent said nothing.
      this.#context.complain('the demo cannot write', { why: (error as Error).message })
    }
  }
}
