import { hash } from 'node:crypto'
import { appendFileSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { ActedDecision, ActedSession } from '../../agents/acting.ts'
import { agentOf, UNNAMED_AGENT } from '../../agents/index.ts'
import type { AttachedSurface, SurfaceContext } from '../../client/surface-context.ts'
import type { Report } from '../../core/signal.ts'
import type { Arrival, Spooled } from '../../sources/arrival.ts'
import { type Beat, beatReports, castOf, opened, type PastBeat } from './beats.ts'
import type { DemoRole } from './story.ts'

/** The hooks that wait in the demo, which are no processes. */
interface ActedHooks {
  /** `onAnswer` is called when there is an answer for it. */
  wait(name: string, onAnswer: () => void): void
}

export interface PlayerOptions {
  readonly roles: readonly DemoRole[]
  readonly speed: number
  /** The folder for what its agents write. */
  readonly files: string
  readonly hooks: ActedHooks
  /** When it begins: what was before is in the log. */
  readonly now: number
}

type PlayerContext = Pick<SurfaceContext, 'take' | 'complain' | 'requests'>

/** When more wait for long, the oldest is answered as if in its terminal. */
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

  /** Something always waits, and never everything. */
  #answerOne(): void {
    const waiting = this.#actors.filter(({ waitsSince }) => waitsSince !== undefined)
    if (waiting.length <= WAITING_MAX) return
    const [oldest] = waiting.toSorted((a, b) => (a.waitsSince ?? 0) - (b.waitsSince ?? 0))
    oldest?.answerInTerminal()
  }
}

interface ActorParts extends Omit<PlayerOptions, 'roles' | 'files' | 'now'> {
  readonly role: DemoRole
  readonly session: ActedSession
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

  /** Since when its user could have answered; none while nothing is asked, or only just now. */
  get waitsSince(): number | undefined {
    const since = this.#waiting?.since
    if (since === undefined) return undefined
    return Date.now() - since > UNANSWERED_MS / this.#parts.speed ? since : undefined
  }

  /** A request that stands is made now, as if it had come then. */
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

  /** There is an answer: it is asked for as a hook would. */
  #take(spooled: Spooled): void {
    if (this.#waiting?.spooled !== spooled) return
    const outcome = this.#parts.context.requests.outcome(spooled)
    if (outcome.act !== 'decide') return
    const decision = agentOf(UNNAMED_AGENT)?.acting?.decisionOf(outcome.output)
    if (decision) this.#next(decision)
  }

  #next(decision?: ActedDecision): void {
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

  /** A hook's report has a name in the spool, by which what it asks is known. */
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

  /** What an agent says is read from its log, here as anywhere. */
  log(arrivals: readonly Arrival[]): void {
    for (const { report } of arrivals) this.#append(report)
  }

  #append({ source, path, entry }: Report): void {
    if (source !== 'transcript' || typeof path !== 'string' || !path.startsWith(this.#files)) return
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      appendFileSync(path, `${JSON.stringify(entry)}\n`, { mode: 0o600 })
    } catch (error) {
      // A full disk: then it has said nothing.
      this.#context.complain('the demo cannot write', { why: (error as Error).message })
    }
  }
}
