import type { Session } from '../protocol/session.ts'
import { ClockOffset } from './clock-offset.ts'
import { BEAT_SILENCE_MAX_MS, Liveness } from './liveness.ts'
import { RemoteRows, type RowEntry } from './remote-rows.ts'
import type { BeatEntry, MachineWord, Moment, RemoteMachine } from './remote-shapes.ts'
import { RunWatch } from './run-watch.ts'
import { OFFSET_STEP_MS } from './server-clock.ts'
import type { Member } from './shapes.ts'
import { shiftTimes } from './shift-times.ts'

/** SPEC FL46. Rows come in the order in which they were stored, but a slow reader is behind. */
const MISSING_AFTER_MS = 2_000
/** Rows change meanwhile, so a machine's word and what came of its rows may not agree at first. */
const ASK_AGAIN_MS = 500
const REFETCH_APART_MS = 10_000
const TROUBLES_MAX = 20
const TROUBLE_MAX_CHARS = 500

/** What is known of another machine. */
export class MachineRecord {
  member: Member
  rows: RemoteRows
  readonly #ownerClock = new ClockOffset()
  readonly #liveness = new Liveness()
  readonly #runs = new RunWatch()
  #beat: BeatEntry | undefined
  /** Since when by which clock; an old heartbeat has neither before the server's clock is known. */
  #heard: Moment | undefined
  #checkAt: number | undefined
  #refetchedAt = Number.NEGATIVE_INFINITY
  #refetchedRev = -1
  #missing = false
  #told = ''
  #askAt = Number.POSITIVE_INFINITY
  /** The rows were those that the machine counts: none is older than this run. */
  #wasComplete = false
  /** The last heartbeat that came with a snapshot, or after it. */
  isBeatCurrent = false
  isComplete = false
  isOnline = false
  /** This machine may not look there. */
  isHidden = false
  /** The last heartbeat says nothing of when it was made until the machine has been asked. */
  mustAsk = false
  clockOffsetMs = 0

  constructor(member: Member) {
    this.member = member
    this.rows = new RemoteRows(member.machine)
  }

  view(now: Moment): RemoteMachine {
    return {
      id: this.member.machine,
      name: this.member.name,
      version: this.#beat?.beat.version ?? '',
      online: this.isOnline,
      lastHeardAt: this.#heard?.wall ?? null,
      sessions: this.rows.size,
      clockOffsetMs: this.clockOffsetMs,
      troubles: this.#troubles(now),
      isComplete: this.isComplete,
    }
  }

  /** Whether it looks different now. When one that is reachable was last heard is no news. */
  isNews(now: Moment): boolean {
    const { lastHeardAt, sessions: _, isComplete: __, ...shown } = this.view(now)
    const text = JSON.stringify([shown, shown.online ? null : lastHeardAt])
    const isSame = text === this.#told
    this.#told = text
    return !isSame
  }

  stateOf(id: string): Pick<Session, 'state' | 'since'> | undefined {
    const session = this.rows.get(id)?.row.session
    return session && { state: session.state, since: session.since + this.clockOffsetMs }
  }

  /** SPEC FL43, FL45, FL162. `wallOf` converts a time of the server. */
  row(id: string, wallOf: (storedAt: number) => number): Session | undefined {
    const entry = this.rows.get(id)
    if (!entry) return undefined
    const { session } = entry.row
    const { machine, name } = this.member
    const isFresh = this.isOnline && this.#wasComplete
    const stale = isFresh ? null : (this.#heard?.wall ?? wallOf(entry.storedAt))
    return {
      ...shiftTimes(session, this.clockOffsetMs),
      machine,
      own: false,
      host: name,
      asks: session.asks.map((ask) => `${machine}/${ask}`),
      live: session.live && stale === null,
      stale,
    }
  }

  /** Returns whether it is newer than the last one. `serverMs` is from the server's to `mono`. */
  takeBeat(entry: BeatEntry, now: Moment, serverMs: number | undefined): boolean {
    if (!entry.isOld) this.#runs.saw(entry.beat.run, entry.at, now.mono)
    this.isBeatCurrent = true
    const { rev, storedAt, at } = entry
    if (this.#beat && rev <= this.#beat.rev) return false
    this.#ownerClock.add(storedAt - at, now.mono)
    this.#beat = entry
    this.hear(now, serverMs)
    const isPlausible = !this.#liveness.take(at, entry.arrivedAt ?? now.mono)
    const isKnown = isPlausible && (this.#wasComplete || this.isHidden)
    this.mustAsk = !entry.beat.isEnding && !isKnown
    return true
  }

  /** SPEC FL160, FL162. What the machine signed for a call of this run. */
  prove({ at, rows, digest }: MachineWord, now: Moment): void {
    this.#liveness.hear(at, now.mono)
    this.mustAsk = false
    if (!this.#beat) return
    this.#beat = { ...this.#beat, beat: { ...this.#beat.beat, rows, digest } }
    const until = this.#checkAt
    this.beginCheck(now)
    this.#checkAt &&= until ?? this.#checkAt
    this.#askAt = now.mono + ASK_AGAIN_MS
  }

  /** SPEC FL45. From when the server stored it: a reader that was behind heard nothing. */
  hear(now: Moment, serverMs: number | undefined): void {
    if (!this.#beat || serverMs === undefined) return
    const ageMs = Math.max(0, now.mono - this.#beat.storedAt - serverMs)
    const mono = now.mono - ageMs
    if (this.#heard && this.#heard.mono >= mono) return
    this.#heard = { mono, wall: now.wall - ageMs }
  }

  silentAt(): number | undefined {
    return this.isOnline ? this.#silentAt : undefined
  }

  get #silentAt(): number {
    const heardUntil = (this.#heard?.mono ?? Number.NEGATIVE_INFINITY) + BEAT_SILENCE_MAX_MS
    return Math.min(heardUntil, this.#liveness.freshUntil)
  }

  /** Returns whether it became reachable or unreachable. */
  refresh({ mono }: Moment): boolean {
    const was = this.isOnline
    const isEnding = this.#beat?.beat.isEnding ?? true
    this.isOnline = !isEnding && mono < this.#silentAt
    return was !== this.isOnline
  }

  /** SPEC FL161. Returns whether its times are to be shown otherwise. */
  correct(serverMs: number, { mono, wall }: Moment): boolean {
    if (this.#ownerClock.ms === undefined) return false
    const ownerMs = this.#liveness.correct(this.#ownerClock.ms + serverMs)
    const ms = Math.round(ownerMs + wall - mono)
    if (Math.abs(ms - this.clockOffsetMs) <= OFFSET_STEP_MS) return false
    this.clockOffsetMs = ms
    return true
  }

  /** A row came before any heartbeat. */
  guessOffset(sample: number, mono: number): void {
    if (this.#ownerClock.ms === undefined) this.#ownerClock.add(sample, mono)
  }

  /** SPEC FL29. Returns the sessions that are not shown any more. */
  hide(isHidden: boolean): readonly string[] {
    const sessions = [...this.rows.sessions()]
    this.isHidden = isHidden
    this.rows = new RemoteRows(this.member.machine)
    this.#checkAt = undefined
    this.#missing = false
    this.#wasComplete = false
    this.isComplete = isHidden
    return sessions
  }

  /** SPEC FL39. The last heartbeat is compared, for some time, with the rows that are there. */
  beginCheck({ mono }: Moment): void {
    this.#checkAt = this.#beat?.beat.digest && !this.isHidden ? mono + MISSING_AFTER_MS : undefined
  }

  get checkAt(): number | undefined {
    const at = Math.min(this.#checkAt ?? this.#askAt, this.#askAt)
    return Number.isFinite(at) ? at : undefined
  }

  /** SPEC FL162. Whether it is time to ask again: no word agreed with the rows so far. */
  isToAsk({ mono }: Moment): boolean {
    const isOver = this.#wasComplete || this.isHidden || mono >= this.#liveness.freshUntil
    if (isOver) this.#askAt = Number.POSITIVE_INFINITY
    if (mono < this.#askAt) return false
    this.#askAt = mono + ASK_AGAIN_MS
    return true
  }

  takeListing(rows: readonly RowEntry[], { mono }: Moment): readonly string[] {
    return this.rows.takeListing(rows, this.#refetchedRev, mono)
  }

  /** SPEC FL46. Returns whether the rows are those that the last heartbeat counted. */
  check({ mono }: Moment): 'same' | 'missing' | 'refetch' | undefined {
    if (this.#checkAt === undefined || !this.#beat || this.isHidden) return undefined
    if (this.rows.hasHad(this.#beat.beat, mono)) {
      this.#checkAt = undefined
      this.#missing = false
      this.#wasComplete = true
      this.isComplete = true
      return 'same'
    }
    if (mono < this.#checkAt) return undefined
    this.#checkAt = undefined
    this.#missing = true
    this.isComplete = false
    if (mono - this.#refetchedAt < REFETCH_APART_MS) return 'missing'
    this.#refetchedAt = mono
    this.#refetchedRev = this.#beat.rev
    return 'refetch'
  }

  #troubles({ mono }: Moment): readonly string[] {
    const { name } = this.member
    const told = this.#beat?.beat.troubles.slice(0, TROUBLES_MAX) ?? []
    return [
      ...told.map((text) => text.slice(0, TROUBLE_MAX_CHARS)),
      this.#runs.areTwo(mono) && `two machines use the id of ${name}`,
      this.isHidden && `${name} does not show its sessions to this machine`,
      this.#missing && `rows of ${name} are missing`,
      this.rows.isOver && `${name} has more sessions than fit here: some are not shown`,
    ].filter((text) => text !== false)
  }
}
