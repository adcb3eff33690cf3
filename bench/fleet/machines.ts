/**
 * Started as a process of its own: machines of a fleet that publish their sessions and view none.
 * Each has keys, rows and heartbeats as a daemon makes them; one connection sends for all.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { WORD_TARGET } from '../../src/daemon/fleet/incoming.ts'
import {
  type EnvelopeExpectation,
  type EnvelopeKind,
  openEnvelope,
  ROW_PLAIN_MAX_BYTES,
  sealEnvelope,
} from '../../src/fleet/envelope.ts'
import type { MachineKeys } from '../../src/fleet/keys.ts'
import { openNatsTransport } from '../../src/fleet/nats/open.ts'
import { RowPublisher } from '../../src/fleet/publisher.ts'
import { fitRow } from '../../src/fleet/row-fit.ts'
import type { RemoteCall } from '../../src/fleet/shapes.ts'
import type { FleetState } from '../../src/fleet/state.ts'
import type { FleetTransport } from '../../src/fleet/transport.ts'
import type { Session } from '../../src/protocol/session.ts'
import { aSession } from '../../test/support/sessions.ts'

/** What the process is given. */
export interface MachinesWanted {
  readonly founder: FleetState
  readonly machines: readonly { readonly machine: string; readonly keys: MachineKeys }[]
  readonly sessions: number
  /** The signing key of each machine. */
  readonly members: readonly (readonly [string, string])[]
}

const BEAT_MS = 5_000
/** Machines that put all their rows at the same time. */
const AT_ONCE = 16
const TICK_MS = 10

class SimulatedMachine {
  readonly #sessions = new Map<string, Session>()
  readonly #publisher: RowPublisher
  readonly #seal: (kind: EnvelopeKind, about: string, payload: unknown, rev: number) => Buffer
  readonly #transport: FleetTransport
  readonly #machine: string
  readonly #startedAt = Date.now()
  readonly #expected: EnvelopeExpectation
  #rev = 0
  #onReconciled = () => {}

  constructor(wanted: MachinesWanted, at: number, transport: FleetTransport) {
    const { founder, sessions } = wanted
    const { machine, keys } = wanted.machines[at] as MachinesWanted['machines'][number]
    const [[epoch = '', text = ''] = []] = Object.entries(founder.groupKeys)
    const groupKey = Buffer.from(text, 'base64url')
    this.#machine = machine
    const members = new Map(wanted.members)
    this.#expected = {
      ...{ fleet: founder.fleet, kind: 'call', about: machine },
      signKeyOf: (id) => members.get(id),
      groupKeyOf: () => groupKey,
    }
    transport.serve(machine, (bytes) => this.serve(bytes))
    this.#transport = transport
    this.#seal = (kind, about, payload, rev) => {
      const head = { fleet: founder.fleet, machine, kind, about, rev, at: Date.now() }
      return sealEnvelope({ ...head, key: Number(epoch) }, payload, keys.signSeed, groupKey)
    }
    for (let n = 0; n < sessions; n++) {
      const id = `session-${at}-${n}`
      this.#sessions.set(id, sessionOf(id, machine, n))
    }
    this.#publisher = new RowPublisher({
      machine,
      ids: () => this.#sessions.keys(),
      row: (id) => {
        const session = this.#sessions.get(id)
        return session && fitRow(session, ROW_PLAIN_MAX_BYTES)
      },
      put: async (key, row) => {
        const rev = this.#nextRev()
        await transport.put(key, this.#seal('row', key, row, rev))
        return rev
      },
      delete: (key) => transport.delete(key),
      now: () => performance.now(),
      onDue: () => {},
      onReconciled: () => this.#onReconciled(),
    })
  }

  async begin(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#onReconciled = resolve
      this.#publisher.reconcile([])
    })
    await this.beat()
  }

  /** Other machines ask whether it is there, and which rows it has stored. */
  async *serve(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
    const opened = openEnvelope(bytes, this.#expected)
    if (!opened.ok) return
    const { id, target } = opened.payload as RemoteCall
    const isWord = target === WORD_TARGET
    const body = JSON.stringify(isWord ? this.#publisher.stored() : { error: 'it is simulated' })
    const reply = {
      status: isWord ? 200 : 404,
      type: 'application/json',
      body,
      part: 0,
      last: true,
    }
    yield this.#seal('reply', id, reply, this.#nextRev())
  }

  async beat(): Promise<void> {
    const about = { name: 'machine', version: '0', run: 'run', startedAt: this.#startedAt }
    const beat = this.#publisher.beat({ ...about, isEnding: false, troubles: [] })
    const key = `beat.${this.#machine}`
    await this.#transport.put(key, this.#seal('beat', key, beat, this.#nextRev()))
  }

  /** A turn begins or ends. */
  change(n: number): void {
    const [id, session] = [...this.#sessions][n % this.#sessions.size] ?? []
    if (id === undefined || !session) return
    const state = session.state === 'idle' ? 'working' : 'idle'
    const now = Date.now()
    this.#sessions.set(id, { ...session, state, since: now, prompt: `changed ${now}` })
    this.#publisher.touch(id)
  }

  #nextRev(): number {
    this.#rev = Math.max(this.#rev + 1, this.#startedAt)
    return this.#rev
  }
}

/** About 1.2 KB as JSON, as rows of real sessions are. */
function sessionOf(id: string, machine: string, n: number): Session {
  const cwd = `/home/ada/projects/engine-${n}`
  return aSession({
    ...{ id, machine, cwd, project: `engine-${n}`, branch: 'main', host: 'machine' },
    title: `Rebuild the engine, part ${n}`,
    prompt: 'Look at the failing test and mend what it shows.',
    reply: 'The test waits for a file that is not written any more; I removed the wait.',
    ...{ state: 'idle', since: Date.now() - 60_000, pid: 4_000 + n, tty: `/dev/pts/${n}` },
    transcript: `/home/ada/.claude/projects/-home-ada-projects-engine-${n}/${id}.jsonl`,
    ...{ model: 'fable', version: '2.1.0', contextUsedPercent: 40, costUsd: 1.25 },
  })
}

async function run(file: string): Promise<void> {
  const wanted = JSON.parse(readFileSync(file, 'utf8')) as MachinesWanted
  const { founder } = wanted
  const transport = await openNatsTransport({
    ...{ urls: founder.urls, fleet: founder.fleet, machine: founder.machine, create: true },
    login: { seed: new TextEncoder().encode(founder.keys.signSeed) },
  })
  await transport.put('roster', Buffer.from(founder.roster, 'base64url'))
  const machines = wanted.machines.map((_, at) => new SimulatedMachine(wanted, at, transport))
  const waiting = [...machines]
  const begin = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) await next.begin()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, begin))
  beating(machines)
  process.on(
    'message',
    ({ perSecond }: { perSecond: number }) => void changing(machines, perSecond),
  )
  process.on('disconnect', () => process.exit())
  process.send?.('ready')
}

/** Each machine every five seconds, one after another. */
function beating(machines: readonly SimulatedMachine[]): void {
  const begin = performance.now()
  let sent = 0
  setInterval(() => {
    const due = Math.floor(((performance.now() - begin) * machines.length) / BEAT_MS)
    for (; sent < due; sent++) machines[sent % machines.length]?.beat().catch(() => {})
  }, TICK_MS)
}

/** Over all machines, and over all their sessions. */
async function changing(machines: readonly SimulatedMachine[], perSecond: number) {
  const begin = performance.now()
  for (let sent = 0; ; await sleep(TICK_MS)) {
    const due = Math.floor(((performance.now() - begin) * perSecond) / 1000)
    for (; sent < due; sent++)
      machines[sent % machines.length]?.change(Math.floor(sent / machines.length))
  }
}

await run(process.argv[2] ?? '')
