import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../../src/client/client.ts'
import { Home, percentile, turn } from '../daemon/home.ts'
import { FleetStage, machineOf } from './stage.ts'

const PER_SECOND = 100
const SECONDS = 20
const SESSIONS = 40
const WAIT_MAX_MS = 30_000

/**
 * From a hook's file on one machine to the event of a subscriber on another, and to that of one on
 * the machine itself, for the same reports.
 */
export async function delay() {
  const [here, there] = [new Home(), new Home()]
  const machines = [here, there].map(({ folders }) => machineOf(folders))
  const stage = await FleetStage.start(machines)
  const over = new AbortController()
  try {
    for (const [at, home] of [here, there].entries()) stage.write(home.folders, machines[at] ?? '')
    const clients = [await here.start(), await there.start()] as const
    here.write(turn(0, SESSIONS))
    await until(async () => (await clients[1].sessions()).sessions.some(isOfBench))
    const readers = clients.map((client) => new Reader(client, over.signal))
    await until(() => readers.every(({ isReading }) => isReading))
    await report(here, readers)
    await until(() => readers.every(({ waits }) => waits === 0)).catch(() => {})
    const [local, remote] = readers.map(({ delays }) => delays.toSorted((a, b) => a - b))
    return figuresOf(local ?? [], remote ?? [])
  } finally {
    over.abort()
    await there.end()
    await here.end()
    await stage.end()
  }
}

/** The reports that reached a subscriber, and how long after they were written. */
class Reader {
  readonly delays: number[] = []
  readonly #written = new Map<string, number>()
  isReading = false

  constructor(client: Client, signal: AbortSignal) {
    void this.#read(client, signal)
  }

  get waits(): number {
    return this.#written.size
  }

  wrote(what: string): void {
    this.#written.set(what, performance.now())
  }

  async #read(client: Client, signal: AbortSignal): Promise<void> {
    for await (const events of client.stream({ signal })) {
      this.isReading = true
      for (const event of events) if (event.kind === 'session') this.#saw(event.session)
    }
  }

  #saw({ id, state }: { readonly id: string; readonly state: string }): void {
    const begun = this.#written.get(`${id} ${state}`)
    if (begun !== undefined) this.delays.push(performance.now() - begun)
    this.#written.delete(`${id} ${state}`)
  }
}

async function report(home: Home, readers: readonly Reader[]): Promise<void> {
  const begin = performance.now()
  // The first round began the sessions that the readers know.
  for (let index = 0; index < PER_SECOND * SECONDS; index++) {
    const dueMs = begin + (index * 1000) / PER_SECOND - performance.now()
    if (dueMs > 0) await sleep(dueMs)
    const payload = turn(index + SESSIONS, SESSIONS) as {
      session_id: string
      hook_event_name: string
    }
    const state = payload.hook_event_name === 'Stop' ? 'idle' : 'working'
    for (const reader of readers) reader.wrote(`${payload.session_id} ${state}`)
    home.write(payload)
  }
}

function figuresOf(local: readonly number[], remote: readonly number[]) {
  const [localMedianMs, remoteMedianMs] = [percentile(local, 0.5), percentile(remote, 0.5)]
  const [localP99Ms, remoteP99Ms] = [percentile(local, 0.99), percentile(remote, 0.99)]
  return {
    reports: PER_SECOND * SECONDS,
    toldHere: local.length,
    toldThere: remote.length,
    localMedianMs,
    remoteMedianMs,
    moreMedianMs: remoteMedianMs - localMedianMs,
    localP99Ms,
    remoteP99Ms,
    moreP99Ms: remoteP99Ms - localP99Ms,
    ratio: remoteMedianMs / localMedianMs,
  }
}

const isOfBench = ({ id }: { readonly id: string }) => id.startsWith('bench-')

export async function until(isSo: () => unknown): Promise<void> {
  const giveUpAt = performance.now() + WAIT_MAX_MS
  while (!(await isSo())) {
    if (performance.now() > giveUpAt) throw new Error(`waited ${WAIT_MAX_MS} ms in vain`)
    await sleep(50)
  }
}
