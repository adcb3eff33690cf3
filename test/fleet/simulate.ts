import { STATES } from '../../src/core/verdict.ts'
import type { Member } from '../../src/fleet/shapes.ts'
import { Random } from '../simulation/random.ts'
import { SimulatedBroker } from './broker.ts'
import { LAST_WORD_MS, type SimulatedDaemon, SimulatedMachine } from './machine.ts'
import { Schedule } from './schedule.ts'

const MACHINES = 5
/** 360 of them are an hour. */
const CLOCK_STEP_MS = 10_000
const START_MS = 1_800_000_000_000
const DELAY_MAX_MS = 800
const FAULTS_MS = 60_000
const OUTAGE_MS = 600_000
const HEALED_MS = 2_000
const SILENCE_MAX_MS = 10_000
const WATCH_EVERY_MS = 250
/** How far off the measured clock of the server may be. */
const SLACK_MS = DELAY_MAX_MS

export interface FleetOutcome {
  readonly misses: readonly string[]
  /** What happened, by kind. */
  readonly happened: Readonly<Record<string, number>>
}

/** SPEC FL50–FL52. Five machines that publish and view, behind a bad network for a minute. */
export async function simulateFleet(seed: number): Promise<FleetOutcome> {
  return new Fleet(seed).run()
}

/** The server is gone for ten minutes while sessions change; `isLost`: its bucket is empty then. */
export async function simulateOutage(seed: number, isLost: boolean): Promise<FleetOutcome> {
  return new Fleet(seed).outage(isLost)
}

class Fleet {
  readonly #schedule = new Schedule()
  readonly #random: Random
  readonly #broker: SimulatedBroker
  readonly #machines: readonly SimulatedMachine[]
  readonly #misses: string[] = []
  readonly #happened: Record<string, number> = {}
  #isFaulty = true

  constructor(seed: number) {
    this.#random = new Random(seed)
    this.#broker = new SimulatedBroker(this.#schedule, this.#random, this.#clock())
    const ids = Array.from({ length: MACHINES }, (_, i) => `m${String(i).repeat(24)}`)
    const members = ids.map((machine): Member => {
      return { machine, name: `host ${machine[1]}`, signKey: '', boxKey: '', joinedAt: 0 }
    })
    this.#machines = ids.map((id) => new SimulatedMachine(id, members, this.#broker, this.#clock()))
  }

  async run(): Promise<FleetOutcome> {
    this.#begin()
    this.#worsen()
    await this.#schedule.runUntil(FAULTS_MS)
    await this.#healed()
    await this.#compareTimes()
    return this.#outcome()
  }

  async outage(isLost: boolean): Promise<FleetOutcome> {
    this.#begin()
    await this.#schedule.runUntil(FAULTS_MS)
    this.#broker.stop(isLost)
    await this.#schedule.runUntil(FAULTS_MS + OUTAGE_MS)
    await this.#healed()
    return this.#outcome()
  }

  #begin(): void {
    for (const machine of this.#machines) {
      this.#schedule.after(this.#random.between(0, 3_000), () => machine.start())
      this.#live(machine)
    }
    this.#watch()
  }

  async #healed(): Promise<void> {
    this.#heal()
    await this.#schedule.runUntil(this.#schedule.now + HEALED_MS)
    this.#compare()
  }

  #outcome(): FleetOutcome {
    const wentBack = this.#machines.flatMap(({ daemon }) => daemon?.wentBack ?? [])
    return { misses: [...this.#misses, ...wentBack], happened: this.#happened }
  }

  /** Sessions of a machine appear, change, close and leave the list. */
  #live(machine: SimulatedMachine): void {
    if (!this.#isFaulty) return
    const id = `session ${Math.floor(this.#random.next() * 6)}`
    const isThere = machine.sessions.has(id)
    if (isThere && this.#random.chance(0.3)) machine.leave(id)
    else machine.change(id, this.#random.pick(STATES))
    // Several changes at once are one put.
    const waitMs = this.#random.chance(0.2) ? 1 : this.#random.spread(100, 8_000)
    this.#schedule.after(waitMs, () => this.#live(machine))
  }

  #worsen(): void {
    if (!this.#isFaulty) return
    const random = this.#random
    this.#broker.faults = {
      delayMaxMs: random.spread(1, DELAY_MAX_MS),
      loss: random.chance(0.5) ? random.between(0, 0.4) : 0,
      duplication: random.chance(0.5) ? random.between(0, 0.3) : 0,
      isFull: random.chance(0.05),
    }
    const machine = random.pick(this.#machines)
    this.#act(random.pick(['cut', 'cut', 'cut', 'server', 'stop', 'stop', 'clock']), machine)
    this.#schedule.after(random.between(500, 8_000), () => this.#worsen())
  }

  #act(kind: string, machine: SimulatedMachine): void {
    const random = this.#random
    const lastsMs = random.spread(100, 30_000)
    if (kind === 'cut') {
      const connection = machine.daemon?.connection
      connection?.cut()
      this.#schedule.after(lastsMs, () => connection?.heal())
    } else if (kind === 'server') {
      if (!this.#broker.isUp) return
      const isLost = random.chance(0.5)
      this.#count(isLost ? 'bucket lost' : 'bucket kept')
      this.#broker.stop(isLost)
      this.#schedule.after(lastsMs, () => this.#broker.start())
    } else if (kind === 'stop') {
      this.#note(machine.daemon)
      machine.stop(random.chance(0.5))
      this.#schedule.after(lastsMs + LAST_WORD_MS, () => machine.start())
    } else machine.clockMs = this.#clock()
    this.#count(kind)
  }

  #heal(): void {
    this.#isFaulty = false
    this.#broker.faults = { delayMaxMs: 20, loss: 0, duplication: 0, isFull: false }
    this.#broker.start()
    for (const machine of this.#machines) {
      machine.daemon?.connection.heal()
      machine.start()
    }
  }

  /** During the faults: nothing is shown as fresh from a machine that was cut off for long. */
  #watch(): void {
    const { now } = this.#schedule
    for (const { reachedAt, daemon } of this.#machines) {
      for (const other of this.#machines) {
        const cutMs = now - Math.min(reachedAt, other.reachedAt)
        if (daemon && cutMs > SILENCE_MAX_MS + SLACK_MS) this.#expectStale(daemon, other.id, cutMs)
      }
    }
    this.#schedule.after(WATCH_EVERY_MS, () => this.#watch())
  }

  #expectStale({ viewer }: SimulatedDaemon, machine: string, cutMs: number): void {
    const fresh = viewer.ids().filter((address) => {
      const row = address.startsWith(machine) ? viewer.row(address) : undefined
      return row !== undefined && (row.stale === null || row.live)
    })
    this.#count('rows of a machine that is cut off', viewer.ids().length)
    if (fresh[0]) this.#misses.push(`${fresh[0]} is fresh after ${cutMs} ms`)
    if (viewer.machines().some(({ id, online }) => id === machine && online))
      this.#misses.push(`${machine} is online after ${cutMs} ms`)
  }

  /** Every viewer shows what every owner has, and nothing else. */
  #compare(): void {
    for (const { id, daemon } of this.#machines) {
      this.#note(daemon)
      const there = this.#machines.filter((machine) => machine.id !== id)
      const expected = there.flatMap((machine) =>
        [...machine.sessions.values()].map((session) => `${machine.id}/${textOf(session)} fresh`),
      )
      const shown = (daemon?.viewer.ids() ?? []).map((address) => {
        const row = daemon?.viewer.row(address)
        const { machine = '', stale = 0 } = row ?? {}
        return `${machine}/${row && textOf(row)} ${stale === null ? 'fresh' : 'stale'}`
      })
      this.#count('compared', expected.length)
      const lacking = expected.find((row) => !shown.includes(row))
      const wrong = shown.find((row) => !expected.includes(row))
      if (lacking) this.#misses.push(`${id} lacks ${lacking}`)
      if (wrong) this.#misses.push(`${id} shows ${wrong}`)
    }
  }

  /** Clocks that were set are known three heartbeats later. */
  async #compareTimes(): Promise<void> {
    await this.#schedule.runUntil(FAULTS_MS + 22_000)
    for (const machine of this.#machines) machine.change('last', 'waiting')
    const at = this.#schedule.now
    await this.#schedule.runUntil(at + 2_000)
    for (const { id, daemon, clockMs } of this.#machines) {
      for (const other of daemon?.viewer.machines() ?? []) {
        const since = daemon?.viewer.row(`${other.id}/last`)?.since ?? 0
        const offMs = Math.round(since - clockMs - at)
        if (Math.abs(offMs) > 400) this.#misses.push(`${id}: ${other.id} is ${offMs} ms off`)
        const { online, isComplete, troubles } = other
        if (!online || !isComplete || troubles.length > 0)
          this.#misses.push(`${id}: ${JSON.stringify(other)}`)
      }
    }
  }

  #note(daemon: SimulatedDaemon | undefined): void {
    if (this.#isFaulty) this.#misses.push(...(daemon?.wentBack ?? []))
  }

  #clock(): number {
    // A clock that is set back by less than two seconds is known ten minutes later only.
    return START_MS + CLOCK_STEP_MS * Math.round(this.#random.between(-360, 360))
  }

  #count(kind: string, by = 1): void {
    this.#happened[kind] = (this.#happened[kind] ?? 0) + by
  }
}

function textOf({
  id,
  title,
  state,
  asks,
}: {
  id: string
  title: string | null
  state: string
  asks: readonly string[]
}): string {
  return `${id} ${title} ${state} ${asks.map((ask) => ask.split('/').at(-1)).join()}`
}
