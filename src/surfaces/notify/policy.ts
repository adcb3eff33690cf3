import type { Session } from '../../protocol/session.ts'
import { CALLS_MAX, GATHER_MS, LOOK_AGAIN_MS, SINGLES_MAX, WINDOW_MS } from './limits.ts'
import { isQuietHour, type LocalClock, quietEndsAt } from './quiet.ts'
import type { ChannelSettings, NotifySettings } from './settings.ts'
import { isWanted } from './wanted.ts'

/** What to do, as data; the sender does it. */
export type Order =
  | {
      readonly do: 'send'
      readonly channel: string
      readonly id: string
      readonly sessions: readonly Session[]
    }
  | { readonly do: 'withdraw'; readonly channel: string; readonly id: string }

/** A session that calls its user, and the messages about it by channel. */
interface Call {
  session: Session
  readonly at: number
  heldUntil: number
  /** Channel → the message that reported the call. */
  readonly told: Map<string, string>
}

interface Plan {
  readonly due: readonly Call[]
  readonly free: number
  /** When to look again; undefined if nothing is pending. */
  readonly at: number | undefined
}

const NOTHING: Plan = { due: [], free: 0, at: undefined }

/**
 * Decides what goes to which channel and when. Time, the local clock and what the user looks at are
 * arguments: the same input gives the same orders.
 */
export class Policy {
  #settings: NotifySettings
  readonly #clock: LocalClock
  readonly #calls = new Map<string, Call>()
  /** Channel → when it was last used, within the window. */
  readonly #used = new Map<string, number[]>()
  /** Message → the sessions in it that still call, and its channel. */
  readonly #messages = new Map<string, { readonly channel: string; readonly of: Set<string> }>()
  #serial = 0

  constructor(settings: NotifySettings, clock: LocalClock) {
    this.#settings = settings
    this.#clock = clock
  }

  /** A new channel reports only new calls, not all that exist already. */
  set settings(settings: NotifySettings) {
    const known = new Set(this.#settings.channels.map(({ name }) => name))
    const added = settings.channels.filter(({ name }) => !known.has(name))
    for (const { told } of this.#calls.values())
      for (const { name } of added) if (!told.has(name)) told.set(name, '')
    this.#settings = settings
  }

  /** The session calls. The end of an earlier call retracts the message about that call. */
  call(session: Session, at: number, told: Iterable<readonly [string, string]> = []): void {
    this.#calls.delete(session.id)
    this.#calls.set(session.id, { session, at, heldUntil: 0, told: new Map(told) })
    for (const [channel, id] of told) {
      const message = this.#messages.get(id) ?? { channel, of: new Set<string>() }
      message.of.add(session.id)
      this.#messages.set(id, message)
    }
    for (const oldest of this.#calls.keys()) {
      if (this.#calls.size <= CALLS_MAX) break
      this.end(oldest)
    }
  }

  /**
   * SPEC NO7. The call was read or is over. A message about several sessions is retracted with the
   * last of them.
   */
  end(session: string): Order[] {
    const call = this.#calls.get(session)
    this.#calls.delete(session)
    return [...(call?.told ?? [])].flatMap(([channel, id]) => {
      const message = this.#messages.get(id)
      message?.of.delete(session)
      if (!message || message.of.size > 0) return []
      this.#messages.delete(id)
      return [{ do: 'withdraw', channel, id } as const]
    })
  }

  /** A placeholder gets the id of its session. */
  rename(from: string, session: Session): void {
    const call = this.#calls.get(from)
    if (!call || this.#calls.has(session.id)) return
    this.#calls.delete(from)
    this.#calls.set(session.id, { ...call, session })
    for (const id of call.told.values()) {
      const message = this.#messages.get(id)
      if (message?.of.delete(from)) message.of.add(session.id)
    }
  }

  /** Calls that are due now: the surface checks whether the user looks at their panes. */
  due(now: number): readonly Session[] {
    const calls = this.#settings.channels.flatMap((channel) => this.#plan(channel, now).due)
    return [...new Set(calls)].map(({ session }) => session)
  }

  /** SPEC NO4. `looked`: sessions that the user looks at. */
  tick(now: number, looked: ReadonlySet<string> = new Set()): Order[] {
    for (const id of looked) {
      const call = this.#calls.get(id)
      if (call) call.heldUntil = now + LOOK_AGAIN_MS
    }
    return this.#settings.channels.flatMap((channel) => {
      const { due, free } = this.#plan(channel, now)
      return groupsOf(due, free).map((calls) => this.#send(channel.name, calls, now))
    })
  }

  /** When `tick` has something to do next. */
  nextAt(now: number): number | undefined {
    const times = this.#settings.channels.flatMap((channel) => this.#plan(channel, now).at ?? [])
    return times.length > 0 ? Math.min(...times) : undefined
  }

  /** The messages about a call, to remember them beyond the daemon's end. */
  toldOf(session: string): ReadonlyMap<string, string> | undefined {
    return this.#calls.get(session)?.told
  }

  #plan(channel: ChannelSettings, now: number): Plan {
    const { settleMs, quiet, perMinute, on } = this.#settings
    if (!on) return NOTHING
    const waitMs = Math.max(settleMs, channel.afterMin * 60_000)
    const due: Call[] = []
    let [first, later] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    for (const call of this.#calls.values()) {
      if (call.told.has(channel.name) || !isWanted(channel, call.session)) continue
      const at = Math.max(call.at + waitMs, call.heldUntil)
      if (at > now) later = Math.min(later, at)
      else {
        first = Math.min(first, at)
        due.push(call)
      }
    }
    if (due.length === 0) return { ...NOTHING, at: Number.isFinite(later) ? later : undefined }
    if (!channel.always && isQuietHour(quiet, now, this.#clock))
      return { ...NOTHING, at: quietEndsAt(quiet, now, this.#clock) }
    const used = this.#usedBy(channel.name, now)
    const free = perMinute - used.length
    if (free < 1) return { ...NOTHING, at: (used[0] ?? now) + WINDOW_MS }
    // The last messages of a minute wait for later calls to combine with; the first never waits.
    const gatherMs = used.length === 0 ? 0 : (GATHER_MS[free - 1] ?? 0)
    if (now < first + gatherMs) return { ...NOTHING, at: first + gatherMs }
    return { due, free, at: now }
  }

  #usedBy(channel: string, now: number): readonly number[] {
    const used = (this.#used.get(channel) ?? []).filter((at) => at > now - WINDOW_MS)
    this.#used.set(channel, used)
    return used
  }

  #send(channel: string, calls: readonly Call[], now: number): Order {
    this.#serial += 1
    const id = `${now.toString(36)}-${this.#serial.toString(36)}`
    this.#used.get(channel)?.push(now)
    for (const { told } of calls) told.set(channel, id)
    this.#messages.set(id, { channel, of: new Set(calls.map(({ session }) => session.id)) })
    return { do: 'send', channel, id, sessions: calls.map(({ session }) => session) }
  }
}

/**
 * SPEC NO6. A few calls get one message each; many, or the last that fit into the limit, are
 * combined.
 */
function groupsOf(due: readonly Call[], free: number): readonly (readonly Call[])[] {
  if (due.length === 0) return []
  const isFew = due.length <= SINGLES_MAX && (due.length < free || due.length === 1)
  return isFew ? due.map((call) => [call]) : [due]
}
