/**
 * What the parts of a fleet cost, for docs/fleet-at-scale.md: `npm run bench:fleet-parts`.
 *
 * Times are CPU times of one process each, so other work on the machine changes them little.
 */
import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { openStage } from '../src/app/stage.ts'
import { BucketReader } from '../src/daemon/fleet/bucket-reader.ts'
import type { Membership } from '../src/daemon/fleet/membership.ts'
import { ROW_PLAIN_MAX_BYTES } from '../src/fleet/envelope.ts'
import { RemoteMachines } from '../src/fleet/remote-machines.ts'
import { fitRow } from '../src/fleet/row-fit.ts'
import { rowKeyOf } from '../src/fleet/row-key.ts'
import type { BucketEntry } from '../src/fleet/transport.ts'
import type { Session } from '../src/protocol/session.ts'
import { machineNumber, membersOf } from '../test/support/members.ts'
import { NatsFleet } from '../test/support/nats.ts'

const MACHINES = 1_000
const SESSIONS = 30
const PUTS = 4_000
const VIEWERS = [1, 21] as const
const TICK_MS = 10
setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')
const BEAT = {
  ...{ name: 'build-17', version: '0.8.0', run: 'AAAAAAAAAAAA', startedAt: 1, troubles: [] },
  ...{ isEnding: false, rows: SESSIONS, digest: '0'.repeat(32) },
}

const say = (name: string, value: string) => process.stdout.write(`${name.padEnd(58)} ${value}\n`)
const us = (ms: number, count: number) => `${((ms * 1_000) / count).toFixed(0)} µs`
const mb = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`

const sessions = await demoSessions()
const members = membersOf(2)
const [viewer, owner] = [members[0]?.membership, members[1]?.membership]
if (!viewer || !owner) throw new Error('no members')
sizes(owner)
await snapshot()
await server()
process.exit()

async function demoSessions(): Promise<readonly Session[]> {
  const stage = await openStage({ speed: 1, hasPast: false })
  const { sessions: shown } = await stage.client.sessions()
  await stage.close()
  return shown
}

function sealedRow(by: Membership, n: number): { readonly key: string; readonly value: Buffer } {
  const session = sessions[n % sessions.length]
  const row = session && fitRow({ ...session, id: `session-${n}` }, ROW_PLAIN_MAX_BYTES)
  const key = rowKeyOf(by.machine, `session-${n}`)
  return { key, value: by.seal('row', key, row) }
}

function sizes(by: Membership): void {
  const rows = sessions.map((_, n) => sealedRow(by, n).value.length).toSorted((a, b) => a - b)
  const [median = 0, largest = 0] = [rows[Math.floor(rows.length / 2)], rows.at(-1)]
  say('a row of the demo, sealed', `median ${median} bytes, largest ${largest}`)
  say('a heartbeat, sealed', `${by.seal('beat', `beat.${by.machine}`, BEAT).length} bytes`)
  const began = process.cpuUsage()
  for (let n = 0; n < PUTS; n += 1) sealedRow(by, n)
  say('to make and seal a row', us(cpuMs(began), PUTS))
}

/** A viewer that takes the rows of a whole fleet; without the server and the network. */
async function snapshot(): Promise<void> {
  const all = membersOf(MACHINES).map(({ membership }) => membership)
  const [own, ...others] = all
  if (!own) throw new Error('no members')
  own.takeRoster(Buffer.from(all[0]?.state.roster ?? '', 'base64url'))
  const entries = others.flatMap((member): readonly BucketEntry[] =>
    [
      ...Array.from({ length: SESSIONS }, (_, n) => sealedRow(member, n)),
      { key: `beat.${member.machine}`, value: member.seal('beat', `beat.${member.machine}`, BEAT) },
    ].map(({ key, value }) => ({ key, value, storedAt: Date.now(), isOld: true })),
  )
  const remote = new RemoteMachines({ own: own.machine, refetch: () => {}, ask: () => {} })
  const moment = () => ({ mono: performance.now(), wall: Date.now() })
  remote.setMembers(own.roster.members, moment())
  const none = { onOwnBeat: () => {}, onOwnRow: () => {}, onRoster: () => {} }
  const reader = new BucketReader({ membership: own, remote, moment, ...none })
  collect()
  const before = process.memoryUsage()
  const began = process.cpuUsage()
  for (const entry of entries) reader.take(entry)
  const ms = cpuMs(began)
  collect()
  const kept = process.memoryUsage().heapUsed - before.heapUsed
  say('entries that a viewer of 999 machines takes', `${entries.length}`)
  say('to check, open and keep one', us(ms, entries.length))
  say('all of them', `${(ms / 1_000).toFixed(1)} s of CPU`)
  say(
    'memory that they take',
    `${mb(kept)}, ${Math.round(kept / (SESSIONS * others.length))} bytes a row`,
  )
  const beats = others.map((member): BucketEntry => {
    const key = `beat.${member.machine}`
    return { key, value: member.seal('beat', key, BEAT), storedAt: Date.now(), isOld: false }
  })
  const beatsBegan = process.cpuUsage()
  for (const beat of beats) reader.take(beat)
  say('to check, open and take a heartbeat', us(cpuMs(beatsBegan), beats.length))
}

/** What nats-server uses for a stored message, and for each viewer that gets it. */
async function server(): Promise<void> {
  const machines = Array.from({ length: VIEWERS[1] + 1 }, (_, n) => machineNumber(n + 1))
  const fleet = await NatsFleet.start('2.15.1', machines)
  const [first = '', ...rest] = machines
  const writer = await fleet.open(first)
  const value = Buffer.alloc(1_400, 'x')
  const costs: number[] = []
  let seen = 0
  for (const [at, machine] of rest.entries()) {
    const transport = await fleet.open(machine)
    await new Promise<void>((resolve) => {
      transport.watch({
        onEntry: () => {
          seen += 1
        },
        onReady: resolve,
      })
    })
    if (!VIEWERS.includes((at + 1) as never)) continue
    const [count, began, wall] = [seen, serverMs(fleet), performance.now()]
    for (let n = 0; n < PUTS; n += 32)
      await Promise.all(
        Array.from({ length: 32 }, (_, i) => writer.put(`row.${first}.${n + i}`, value)),
      )
    while (seen - count < PUTS * (at + 1)) await new Promise((resolve) => setTimeout(resolve, 5))
    const ms = serverMs(fleet) - began
    costs.push(ms)
    const rate = (PUTS * 1_000) / (performance.now() - wall)
    const stored = `${PUTS} rows stored, told to ${at + 1} viewers`
    say(stored, `${ms} ms of the server's CPU; ${rate.toFixed(0)} rows/s here`)
  }
  const [one = 0, many = 0] = costs
  const told = (many - one) / (VIEWERS[1] - VIEWERS[0])
  say('the server, for each delivery', us(told, PUTS))
  say('the server, for each stored row', us(one - told, PUTS))
  const status = readFileSync(`/proc/${fleet.server.pid}/status`, 'utf8')
  say('the server, with these rows', `${/VmRSS:\s+(\d+)/.exec(status)?.[1]} KB resident`)
  const began = performance.now()
  const late = await fleet.open(rest[0] ?? '')
  await new Promise<void>((resolve) => {
    late.watch({ onEntry: () => {}, onReady: resolve })
  })
  const ms = performance.now() - began
  say(`to connect and read ${PUTS} rows, as they are`, `${ms.toFixed(0)} ms`)
  await fleet.end()
}

/** CPU time of nats-server so far. */
function serverMs(fleet: NatsFleet): number {
  const stat = readFileSync(`/proc/${fleet.server.pid}/stat`, 'utf8').split(') ')[1] ?? ''
  const fields = stat.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1_000
}
