import { RowPublisher } from '../../src/fleet/publisher.ts'
import { RemoteMachines } from '../../src/fleet/remote-machines.ts'
import type { RowEntry } from '../../src/fleet/remote-rows.ts'
import type { MachineWord, Moment } from '../../src/fleet/remote-shapes.ts'
import type { Member } from '../../src/fleet/shapes.ts'
import type { Session } from '../../src/protocol/session.ts'
import { aSession } from '../support/sessions.ts'
import {
  type Payload,
  type SimulatedBroker,
  SimulatedConnection,
  type SimulatedEntry,
} from './broker.ts'

const BEAT_EVERY_MS = 5_000
/** How long an ending daemon waits for the reply to its last heartbeat. */
export const LAST_WORD_MS = 500
const BEAT_RETRY_MS = 400
const BEAT_AGAIN_MS = 1_000
/** A daemon that starts skips what an earlier one may have used. */
const REV_BLOCK = 1_000

/** A machine with sessions, and a daemon that runs or does not. */
export class SimulatedMachine {
  readonly id: string
  readonly sessions = new Map<string, Session>()
  readonly broker: SimulatedBroker
  readonly #members: readonly Member[]
  readonly #versions = new Map<string, number>()
  clockMs: number
  daemon: SimulatedDaemon | undefined
  rev = 0
  #reachedAt = 0

  constructor(id: string, members: readonly Member[], broker: SimulatedBroker, clockMs: number) {
    this.id = id
    this.#members = members
    this.broker = broker
    this.clockMs = clockMs
  }

  get wall(): number {
    return this.broker.schedule.now + this.clockMs
  }

  start(): void {
    if (this.daemon) return
    this.rev += REV_BLOCK
    this.daemon = new SimulatedDaemon(this, this.#members)
  }

  /** When one of its daemons last reached the server. */
  get reachedAt(): number {
    return Math.max(this.#reachedAt, this.daemon?.connection.reachedAt ?? 0)
  }

  stop(isSaid: boolean): void {
    this.#reachedAt = this.reachedAt
    this.daemon?.stop(isSaid)
    this.daemon = undefined
  }

  /** The title counts the changes of a session, also while it was away from the list. */
  change(id: string, state: Session['state']): void {
    const version = (this.#versions.get(id) ?? 0) + 1
    this.#versions.set(id, version)
    const row = { id, machine: this.id, host: 'own name', title: `v${version}`, asks: ['ask'] }
    this.sessions.set(id, aSession({ ...row, state, since: this.wall }))
    this.daemon?.publisher.touch(id)
  }

  leave(id: string): void {
    this.sessions.delete(id)
    this.daemon?.publisher.touch(id)
  }
}

/** Wires a publisher and a viewer to a connection, as the daemon does. */
export class SimulatedDaemon {
  readonly publisher: RowPublisher
  readonly viewer: RemoteMachines
  readonly connection: SimulatedConnection
  readonly #machine: SimulatedMachine
  readonly #run: string
  readonly #startedAt: number
  readonly #own = new Map<string, Payload>()
  #isReady = false
  #isStopped = false
  #beats = 0
  #armed = Number.POSITIVE_INFINITY
  /** The newest version of each session that this viewer showed. */
  readonly shown = new Map<string, number>()
  readonly wentBack: string[] = []

  constructor(machine: SimulatedMachine, members: readonly Member[]) {
    this.#machine = machine
    this.#run = `${machine.id} ${machine.rev}`
    this.#startedAt = machine.wall
    this.publisher = new RowPublisher({
      machine: machine.id,
      ids: () => machine.sessions.keys(),
      row: (id) => {
        const session = machine.sessions.get(id)
        return session && { session, isCut: false }
      },
      put: async (key, row) => {
        const payload = this.#seal({ row })
        await this.connection.send(key, payload)
        return payload.rev
      },
      delete: (key) => this.connection.send(key, undefined),
      now: () => this.#schedule.now,
      onDue: () => this.#arm(),
      onReconciled: () => {
        this.#beat()
        this.#schedule.after(BEAT_AGAIN_MS, () => this.#isStopped || this.#beat())
      },
    })
    this.viewer = new RemoteMachines({
      own: machine.id,
      refetch: (id) => this.#refetch(id),
      ask: (id) => {
        const prove = (word: MachineWord) =>
          !this.#isStopped && this.viewer.prove(id, word, this.now)
        machine.broker.ask(this.connection, id, prove)
      },
    })
    this.viewer.onRows((addresses) => {
      for (const address of addresses) this.#look(address)
    })
    this.connection = new SimulatedConnection(machine.broker, {
      machine: machine.id,
      onAsked: () => ({ at: machine.wall, ...this.publisher.stored() }),
      onConnected: () => this.#began(),
      onDisconnected: () => this.publisher.pause(),
      onEntry: (entry) => this.#take(entry),
      onReady: () => this.#reconcile(),
    })
    this.viewer.setMembers(members, this.now)
    this.#beatOften()
  }

  get now(): Moment {
    return { mono: this.#schedule.now + MONO_BASE_MS, wall: this.#machine.wall }
  }

  get #schedule() {
    return this.#machine.broker.schedule
  }

  stop(isSaid: boolean): void {
    if (isSaid) this.#send(true).catch(() => undefined)
    this.#isStopped = true
    if (isSaid) this.#schedule.after(LAST_WORD_MS, () => this.connection.close())
    else this.connection.close()
  }

  /** Sets a timer for whatever the models wait for. */
  #arm(): void {
    const publisher = this.publisher.nextTick() ?? Number.POSITIVE_INFINITY
    const viewer = (this.viewer.nextTick() ?? Number.POSITIVE_INFINITY) - MONO_BASE_MS
    const at = Math.min(publisher, viewer)
    if (at >= this.#armed) return
    this.#armed = at
    // Sums of fractions may fall short of the time that was meant.
    this.#schedule.at(at + 0.01, () => {
      this.#armed = Number.POSITIVE_INFINITY
      if (this.#isStopped) return
      this.publisher.tick()
      this.viewer.tick(this.now)
      this.#arm()
    })
  }

  #began(): void {
    this.#isReady = false
    this.#own.clear()
    this.viewer.beginSnapshot()
  }

  #take({ key, value, storedAt, isOld }: SimulatedEntry): void {
    if (this.#isStopped) return
    const [kind, machine = ''] = key.split('.')
    const origin = { machine, rev: value?.rev ?? 0, at: value?.at ?? 0, storedAt, isOld }
    if (machine === this.#machine.id && kind === 'row') this.#takeOwn(key, value)
    if (value?.beat) this.viewer.takeBeat({ ...origin, beat: value.beat }, this.now)
    else if (value?.row) this.viewer.takeRow({ ...origin, key, row: value.row }, this.now)
    else if (!value) this.viewer.takeDeleted({ machine, key, storedAt }, this.now)
    this.#arm()
  }

  #takeOwn(key: string, value: Payload | undefined): void {
    if (this.#isReady) this.publisher.observe(key, value?.rev)
    else if (value) this.#own.set(key, value)
    else this.#own.delete(key)
  }

  #reconcile(): void {
    if (this.#isStopped) return
    this.#isReady = true
    this.viewer.endSnapshot(this.now)
    this.publisher.reconcile([...this.#own].map(([key, { rev, row }]) => ({ key, rev, row })))
    this.#beat()
  }

  #beatOften(): void {
    if (this.#isStopped) return
    this.#beat()
    this.#schedule.after(BEAT_EVERY_MS, () => this.#beatOften())
  }

  #beat(): void {
    this.#beats += 1
    const number = this.#beats
    this.#send(false).catch(() => {
      this.#schedule.after(BEAT_RETRY_MS, () => {
        if (!this.#isStopped && number === this.#beats && this.connection.isConnected) this.#beat()
      })
    })
    this.#arm()
  }

  #send(isEnding: boolean): Promise<void> {
    const about = { name: 'x', version: '1', run: this.#run, startedAt: this.#startedAt }
    const beat = this.publisher.beat({ ...about, isEnding, troubles: [] })
    return this.connection.send(`beat.${this.#machine.id}`, this.#seal({ beat }))
  }

  #seal(content: Omit<Payload, 'rev' | 'at'>): Payload {
    this.#machine.rev += 1
    return { ...content, rev: this.#machine.rev, at: this.#machine.wall }
  }

  #refetch(machine: string): void {
    this.#schedule.after(this.#machine.broker.delay(), () => {
      if (this.#isStopped || !this.connection.isReaching) return
      const rows = [...this.#machine.broker.bucket.values()].flatMap((entry): RowEntry[] => {
        const { key, value, storedAt } = entry
        if (!value?.row || !key.startsWith(`row.${machine}.`)) return []
        return [
          { machine, key, row: value.row, rev: value.rev, at: value.at, storedAt, isOld: true },
        ]
      })
      this.viewer.takeListing(machine, rows, this.now)
      this.#arm()
    })
  }

  #look(address: string): void {
    const version = Number(this.viewer.row(address)?.title?.slice(1) ?? Number.NaN)
    const before = this.shown.get(address) ?? 0
    if (version < before) this.wentBack.push(`${address}: v${before}, then v${version}`)
    if (version > before) this.shown.set(address, version)
  }
}

/** A clock that is never set has its own beginning. */
const MONO_BASE_MS = 77_000
