import type { MachineWord } from '../../src/fleet/remote-shapes.ts'
import type { Heartbeat, SharedRow } from '../../src/fleet/shapes.ts'
import { TransportError, type TransportFault } from '../../src/fleet/transport.ts'
import type { Random } from '../simulation/random.ts'
import type { Schedule } from './schedule.ts'

/** What an envelope has when it is open. */
export interface Payload {
  readonly rev: number
  readonly at: number
  readonly row?: SharedRow
  readonly beat?: Heartbeat
}

export interface SimulatedEntry {
  readonly key: string
  readonly value: Payload | undefined
  readonly storedAt: number
  readonly isOld: boolean
}

export interface Faults {
  delayMaxMs: number
  /** A request or its reply is lost. */
  loss: number
  duplication: number
  /** The storage is full. */
  isFull: boolean
}

/** Called by a connection. */
export interface ConnectionUser {
  readonly machine: string
  /** What it says when it is asked. */
  readonly onAsked: () => MachineWord
  readonly onConnected: () => void
  readonly onDisconnected: () => void
  readonly onEntry: (entry: SimulatedEntry) => void
  readonly onReady: () => void
}

const REPLY_MAX_MS = 1_000

/** A server with one bucket, and a network that delays, loses and repeats. */
export class SimulatedBroker {
  readonly schedule: Schedule
  readonly random: Random
  readonly connections = new Set<SimulatedConnection>()
  faults: Faults = { delayMaxMs: 20, loss: 0, duplication: 0, isFull: false }
  bucket = new Map<string, Omit<SimulatedEntry, 'isOld'>>()
  isUp = true
  readonly #clockMs: number

  constructor(schedule: Schedule, random: Random, clockMs: number) {
    this.schedule = schedule
    this.random = random
    this.#clockMs = clockMs
  }

  delay(): number {
    return this.random.between(0.2, this.faults.delayMaxMs)
  }

  stop(isBucketLost: boolean): void {
    for (const connection of this.connections) connection.lose()
    this.isUp = false
    if (isBucketLost) this.bucket = new Map()
  }

  start(): void {
    this.isUp = true
  }

  /** SPEC FL160. A call from one machine to another: lost and late as all else is. */
  ask(from: SimulatedConnection, machine: string, onReply: (word: MachineWord) => void): void {
    const [lost, way, back] = [this.random.chance(this.faults.loss), this.delay(), this.delay()]
    this.schedule.after(way, () => {
      const other = [...this.connections].find((one) => one.machine === machine && one.isReaching)
      if (!other || !from.isReaching) return
      const word = other.asked()
      const pass = () =>
        from.isReaching && !lost ? onReply(word) : this.ask(from, machine, onReply)
      this.schedule.after(lost ? REPLY_MAX_MS : back, pass)
    })
  }

  store(key: string, value: Payload | undefined): void {
    const storedAt = this.schedule.now + this.#clockMs
    this.bucket.set(key, { key, value, storedAt })
    for (const connection of this.connections)
      connection.deliver({ key, value, storedAt, isOld: false })
  }
}

/** One machine's connection: entries of one key keep their order, those of several do not. */
export class SimulatedConnection {
  readonly #broker: SimulatedBroker
  readonly #user: ConnectionUser
  #up = new Map<string, number>()
  #down = new Map<string, number>()
  /** Messages of an earlier connection are lost. */
  #number = 0
  #isCut = false
  #reachedAt = Number.NEGATIVE_INFINITY
  #isClosed = false
  isConnected = false

  constructor(broker: SimulatedBroker, user: ConnectionUser) {
    this.#broker = broker
    this.#user = user
    broker.connections.add(this)
    this.#seek()
  }

  get machine(): string {
    return this.#user.machine
  }

  asked(): MachineWord {
    return this.#user.onAsked()
  }

  get isReaching(): boolean {
    return this.isConnected && !this.#isCut && this.#broker.isUp
  }

  /** When it last reached the server. */
  get reachedAt(): number {
    return this.isReaching ? this.#broker.schedule.now : this.#reachedAt
  }

  close(): void {
    this.#reachedAt = this.reachedAt
    this.#isClosed = true
    this.#number += 1
    this.isConnected = false
    this.#broker.connections.delete(this)
  }

  /** The network is cut; the client notices later. */
  cut(): void {
    this.#reachedAt = this.reachedAt
    this.#isCut = true
    this.#number += 1
    const number = this.#number
    const { schedule, random } = this.#broker
    schedule.after(random.between(0, 4_000), () => {
      if (this.#number === number) this.lose()
    })
  }

  heal(): void {
    if (!this.#isCut) return
    this.#isCut = false
    this.lose()
  }

  lose(): void {
    this.#reachedAt = this.reachedAt
    this.#number += 1
    if (!this.isConnected) return
    this.isConnected = false
    this.#user.onDisconnected()
    this.#seek()
  }

  send(key: string, value: Payload | undefined): Promise<void> {
    if (!this.isConnected) return Promise.reject(fault('disconnected'))
    const { schedule, random, faults } = this.#broker
    const number = this.#number
    return new Promise((resolve, reject) => {
      schedule.after(REPLY_MAX_MS, () => reject(fault('late')))
      if (this.#isCut || random.chance(faults.loss)) return
      const arrive = () => {
        if (number !== this.#number) return
        if (faults.isFull) reject(fault('full'))
        else this.#broker.store(key, value)
        if (random.chance(faults.loss)) return
        schedule.after(this.#broker.delay(), () => number === this.#number && resolve())
      }
      this.#inOrder(this.#up, key, arrive)
      if (random.chance(faults.duplication)) this.#inOrder(this.#up, key, arrive)
    })
  }

  deliver(entry: SimulatedEntry): void {
    if (!this.isReaching) return
    const number = this.#number
    const pass = () => number === this.#number && this.#user.onEntry(entry)
    this.#inOrder(this.#down, entry.key, pass)
    if (this.#broker.random.chance(this.#broker.faults.duplication))
      this.#inOrder(this.#down, entry.key, pass)
  }

  #seek(): void {
    const { schedule, random } = this.#broker
    schedule.after(random.between(50, 400), () => {
      if (this.#isClosed || this.isConnected) return
      if (this.#isCut || !this.#broker.isUp) this.#seek()
      else this.#connect()
    })
  }

  #connect(): void {
    this.#number += 1
    this.#up = new Map()
    this.#down = new Map()
    this.isConnected = true
    this.#user.onConnected()
    const number = this.#number
    for (const entry of this.#broker.bucket.values()) this.deliver({ ...entry, isOld: true })
    const last = Math.max(this.#broker.schedule.now, ...this.#down.values())
    this.#broker.schedule.at(last, () => number === this.#number && this.#user.onReady())
  }

  #inOrder(lane: Map<string, number>, key: string, act: () => void): void {
    const time = this.#broker.schedule.now + this.#broker.delay()
    const at = Math.max(time, lane.get(key) ?? 0)
    lane.set(key, at)
    this.#broker.schedule.at(at, act)
  }
}

function fault(kind: TransportFault): TransportError {
  return new TransportError(kind, kind)
}
