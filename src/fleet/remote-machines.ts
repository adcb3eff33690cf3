import { Appointments, firstTime } from '../core/appointments.ts'
import { addressOf, readAddress, type SessionAddress } from '../protocol/address.ts'
import type { Session } from '../protocol/session.ts'
import { HeldNews } from './held-news.ts'
import { MachineRecord } from './remote-machine.ts'
import type { DeletedRow, RowEntry } from './remote-rows.ts'
import type { BeatEntry, MachineWord, Moment, RemoteMachine, RemoteParts } from './remote-shapes.ts'
import { ServerClock } from './server-clock.ts'
import type { Member } from './shapes.ts'

/** SPEC FL47. Three times what a fleet is made for. */
const MACHINES_MAX = 3_000

/** SPEC FL40–FL49. What other machines of the fleet have told, by this machine's clock. */
export class RemoteMachines {
  readonly #parts: RemoteParts
  readonly #records = new Map<string, MachineRecord>()
  /** From the server's clock to `mono` of this machine. */
  readonly #serverClock = new ServerClock()
  readonly #silences = new Appointments()
  readonly #checks = new Appointments()
  readonly #news = new HeldNews()
  #isWhole = false
  #now: Moment = { mono: 0, wall: 0 }

  constructor(parts: RemoteParts) {
    this.#parts = parts
  }

  machines(): readonly RemoteMachine[] {
    return [...this.#records.values()].map((record) => record.view(this.#now))
  }

  ids(): readonly SessionAddress[] {
    return [...this.#records].flatMap(([machine, { rows }]) =>
      [...rows.sessions()].map((id) => addressOf({ machine, id })),
    )
  }

  /** With its times by this machine's clock. */
  row(address: string): Session | undefined {
    const { machine = '', session } = readAddress(address)
    const wallOf = (storedAt: number) => this.#serverClock.wallOf(storedAt, this.#now)
    return this.#records.get(machine)?.row(session, wallOf)
  }

  /** Only what decides whether it is listed. */
  stateOf(address: string): Pick<Session, 'state' | 'since'> | undefined {
    const { machine = '', session } = readAddress(address)
    return this.#records.get(machine)?.stateOf(session)
  }

  onRows: HeldNews['onRows'] = (listener) => this.#news.onRows(listener)
  onMachine: HeldNews['onMachine'] = (listener) => this.#news.onMachine(listener)

  /** SPEC FL49. The machines of the fleet now; one with other keys is another one. */
  setMembers(members: readonly Member[], now: Moment): void {
    this.#at(now)
    const others = members.filter(({ machine }) => machine !== this.#parts.own)
    const present = new Map(others.slice(0, MACHINES_MAX).map((member) => [member.machine, member]))
    for (const [machine, { member }] of [...this.#records])
      if (present.get(machine)?.signKey !== member.signKey) this.#remove(machine)
    for (const [machine, member] of present) {
      const record = this.#records.get(machine)
      if (record?.member.name === member.name) continue
      if (record) record.member = member
      else this.#records.set(machine, new MachineRecord(member))
      this.#changed(machine)
      // What came before it was a member was not taken.
      if (!record) this.#parts.refetch(machine)
    }
  }

  takeBeat(entry: BeatEntry, now: Moment): void {
    this.#at(now)
    const { machine, isOld, storedAt, arrivedAt = now.mono } = entry
    if (!isOld) this.hearServer(storedAt, arrivedAt, now)
    const record = this.#records.get(machine)
    if (!record) return
    if (record.takeBeat(entry, now, this.#serverClock.ms)) this.#tookBeat(machine, record)
    if (record.mustAsk) this.#ask(machine)
  }

  /** By the server's clock; a heartbeat of this machine tells it, too. */
  hearServer(storedAt: number, arrivedAt: number, now: Moment): void {
    this.#at(now)
    const isFirst = this.#serverClock.ms === undefined
    this.#serverClock.add(storedAt, arrivedAt)
    for (const [machine, record] of isFirst ? this.#records : []) {
      record.hear(now, this.#serverClock.ms)
      this.#refresh(machine, record)
    }
    this.#at(now)
    if (this.#isWhole) this.#news.release()
  }

  /** SPEC FL160. What the machine signed for a call of this run. */
  prove(machine: string, word: MachineWord, now: Moment): void {
    this.#at(now)
    const record = this.#records.get(machine)
    if (!record) return
    record.prove(word, now)
    this.#correct(machine, record)
    this.#refresh(machine, record)
    this.#check(machine, record)
    this.#news.settle(machine)
  }

  /** A machine that was asked has not replied, and is not asked any more. */
  unanswered(machine: string): void {
    this.#news.settle(machine)
  }

  #ask(machine: string): void {
    this.#news.await(machine)
    this.#parts.ask(machine)
  }

  #tookBeat(machine: string, record: MachineRecord): void {
    record.beginCheck(this.#now)
    this.#correct(machine, record)
    if (!this.#refresh(machine, record) && record.isNews(this.#now)) this.#news.machine(machine)
    this.#check(machine, record)
  }

  takeRow(entry: RowEntry, now: Moment): void {
    this.#at(now)
    const record = this.#records.get(entry.machine)
    if (!record || record.isHidden) return
    record.guessOffset(entry.storedAt - entry.at, now.mono)
    const session = record.rows.take(entry, now.mono)
    this.#news.rows(entry.machine, session === undefined ? [] : [session])
    this.#correct(entry.machine, record)
    this.#check(entry.machine, record)
  }

  takeDeleted({ machine, key, storedAt }: DeletedRow, now: Moment): void {
    this.#at(now)
    const record = this.#records.get(machine)
    const session = record?.rows.takeDeleted(key, storedAt, now.mono)
    if (!record || session === undefined) return
    this.#news.rows(machine, [session])
    this.#check(machine, record)
  }

  /** SPEC FL29. Whether the machine keeps its rows from this one. */
  setHidden(machine: string, isHidden: boolean, now: Moment): void {
    this.#at(now)
    const record = this.#records.get(machine)
    if (!record || record.isHidden === isHidden) return
    const sessions = record.hide(isHidden)
    this.#checks.set(machine, undefined)
    this.#news.both(machine, sessions)
    if (!isHidden) this.#parts.refetch(machine)
  }

  /** The connection is new: the next entries are all that the bucket has. */
  beginSnapshot(): void {
    this.#news.hold(this.#now.mono)
    for (const record of this.#records.values()) {
      record.isBeatCurrent = false
      record.rows.beginSnapshot()
    }
  }

  endSnapshot(now: Moment): void {
    this.#at(now)
    for (const [machine, record] of this.#records) {
      this.#news.rows(machine, record.rows.endSnapshot(record.isBeatCurrent, now.mono))
      this.#check(machine, record)
    }
    this.#isWhole = true
    // Whether a machine is reachable is known only with the server's clock.
    if (this.#serverClock.ms !== undefined) this.#news.release()
  }

  /** SPEC FL46. What `refetch` found. */
  takeListing(machine: string, rows: readonly RowEntry[], now: Moment): void {
    this.#at(now)
    const record = this.#records.get(machine)
    if (!record) return
    this.#news.rows(machine, record.takeListing(rows, now))
    record.beginCheck(now)
    this.#check(machine, record)
  }

  /** By `mono`; undefined: time alone changes nothing. */
  nextTick(): number | undefined {
    return firstTime(this.#silences.first()?.at, this.#checks.first()?.at, this.#news.heldUntil)
  }

  tick(now: Moment): void {
    this.#at(now)
    if ((this.#news.heldUntil ?? Infinity) <= now.mono) this.#news.releaseAll()
    for (const due of [this.#silences, this.#checks]) {
      for (let next = due.first(); next && next.at <= now.mono; next = due.first()) {
        due.set(next.id, undefined)
        const record = this.#records.get(next.id)
        if (!record) continue
        this.#refresh(next.id, record)
        this.#check(next.id, record)
      }
    }
  }

  /** Returns whether it became reachable or unreachable. */
  #refresh(machine: string, record: MachineRecord): boolean {
    const isOther = record.refresh(this.#now)
    if (isOther) this.#changed(machine)
    this.#silences.set(machine, record.silentAt())
    return isOther
  }

  #check(machine: string, record: MachineRecord): void {
    const was = record.isComplete
    const found = record.check(this.#now)
    if (record.isToAsk(this.#now)) this.#ask(machine)
    this.#checks.set(machine, record.checkAt)
    if (found === undefined) return
    if (found === 'same') this.#news.rows(machine, record.rows.dropUnconfirmed(this.#now.mono))
    // SPEC FL162. Each of its rows is shown otherwise.
    if (was === record.isComplete) this.#news.machine(machine)
    else this.#changed(machine)
    if (found === 'refetch') this.#parts.refetch(machine)
  }

  /** A machine's clock may have been set since. */
  #at(now: Moment): void {
    this.#now = now
    if (this.#serverClock.hasMoved(now))
      for (const [machine, record] of this.#records) this.#correct(machine, record)
  }

  #correct(machine: string, record: MachineRecord): void {
    const { ms } = this.#serverClock
    if (ms !== undefined && record.correct(ms, this.#now)) this.#changed(machine)
  }

  #remove(machine: string): void {
    const sessions = this.#records.get(machine)?.rows.sessions() ?? []
    this.#records.delete(machine)
    for (const due of [this.#silences, this.#checks]) due.set(machine, undefined)
    this.#news.both(machine, sessions)
  }

  /** The machine, and with it how each of its rows is shown. */
  #changed(machine: string): void {
    this.#news.both(machine, this.#records.get(machine)?.rows.sessions() ?? [])
  }
}
