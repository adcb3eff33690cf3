import { beforeEach, expect, it } from 'vitest'
import { IncomingCalls } from '../../../src/daemon/fleet/incoming.ts'
import type { Membership } from '../../../src/daemon/fleet/membership.ts'
import { OutgoingCalls } from '../../../src/daemon/fleet/outgoing.ts'
import { CallGuard } from '../../../src/fleet/call-guard.ts'
import type { RemoteCall, RemoteReply } from '../../../src/fleet/shapes.ts'
import { machineNumber, membersOf, NOW } from '../../support/members.ts'

const OWNER = machineNumber(2)
const signal = new AbortController().signal
const stored = () => ({ rows: 0, digest: '' })

let owner: Membership
let caller: Membership
let attacker: Membership
let done: string[]
let now: number
let incoming: IncomingCalls
let streams: number
/** Whether the owner's API never answers. */
let hangs: boolean

beforeEach(() => {
  const [one, two, three] = membersOf(3).map(({ membership }) => membership)
  if (!one || !two || !three) throw new Error('no fleet')
  ;[caller, owner, attacker] = [one, two, three]
  done = []
  now = NOW
  streams = 0
  hangs = false
  incoming = ownerStartedAt(NOW - 3_600_000)
})

function ownerStartedAt(startedAt: number): IncomingCalls {
  return new IncomingCalls({
    ...{ membership: owner, startedAt, stored, guard: new CallGuard(), now: () => now },
    app: async ({ method }, member) => {
      done.push(`${method} by ${member.machine}, who may ${member.right}`)
      if (hangs) await new Promise(() => {})
      const headers = { 'content-type': 'x' }
      if (method === 'POST') return { status: 200, headers, body: 'x' }
      streams += 1
      return { status: 200, headers, body: { next: () => new Promise(() => {}), end: () => {} } }
    },
  })
}

const aCall = (over: Partial<RemoteCall> = {}): RemoteCall => ({
  ...{ id: 'call-0001', method: 'POST', target: '/v1/x', body: {}, deadline: now + 8_000 },
  ...over,
})

async function send(bytes: Uint8Array, to = incoming): Promise<number> {
  let replies = 0
  for await (const _ of to.serve(bytes, signal)) replies += 1
  return replies
}

const sealed = (over: Partial<RemoteCall> = {}, by = attacker, to = OWNER) =>
  by.seal('call', to, aCall(over))

/** None of them reaches the owner's API. */
const REFUSED: Readonly<Record<string, () => Promise<unknown>>> = {
  'a call that was made for another machine': () => send(sealed({}, caller, attacker.machine)),
  'a call with a byte changed': async () => {
    const bytes = sealed({}, caller)
    for (const at of [5, 300, bytes.length - 1]) {
      const copy = Buffer.from(bytes)
      copy[at] = (copy[at] ?? 0) ^ 1
      await send(copy)
    }
  },
  'a reply as a call': () => send(attacker.seal('reply', OWNER, aCall())),
  'a row as a call': () => send(attacker.seal('row', `row.${attacker.machine}.x`, aCall())),
  'a call to another host': () => send(sealed({ target: 'http://elsewhere/' })),
  'a call by a method that there is not': () => send(sealed({ method: 'DELETE' as 'POST' })),
  'a call without a deadline': () => send(sealed({ deadline: null as unknown as number })),
  'a call for ever': () => send(sealed({ deadline: 1e300 })),
  'a call that has expired': () => send(sealed({ deadline: now - 1 })),
  'a call with an empty id': () => send(sealed({ id: '' })),
  'a call after its removal': async () => {
    const bytes = sealed()
    const state = { ...owner.roster, rev: owner.roster.rev + 1 }
    const members = state.members.filter(({ machine }) => machine !== attacker.machine)
    const { sealRoster } = await import('../../../src/fleet/roster.ts')
    owner.takeRoster(sealRoster({ ...state, members }, caller.state.keys, NOW))
    await send(bytes)
  },
  'a call that an earlier daemon may have done': () => send(sealed(), ownerStartedAt(now - 100)),
}

it.each(Object.entries(REFUSED))('[FL166] a member sends %s', async (_, attempt) => {
  await attempt()
  expect(done).toEqual([])
  await send(sealed({ id: 'call-0002' }, caller))
  expect(done).toEqual([`POST by ${caller.machine}, who may answer`])
})

it('[FL166] a call is repeated, before and after its deadline, and by another member', async () => {
  const bytes = sealed({}, caller)
  await Promise.all([send(bytes), send(bytes)])
  await send(bytes)
  now += 9_000
  await send(bytes)
  now -= 5_000
  await send(bytes)
  expect(done).toEqual([`POST by ${caller.machine}, who may answer`])
})

it('[FL166] a member uses the id of another’s call', async () => {
  await send(sealed({}, caller))
  await send(sealed({}, attacker))
  expect(done).toEqual([
    `POST by ${caller.machine}, who may answer`,
    `POST by ${attacker.machine}, who may look`,
  ])
})

it.each(['nothing', 'look'] as const)(
  '[FL166] with the right to %s it claims a higher one',
  async (right) => {
    owner.change({ rights: { [attacker.machine]: right } })
    const claims = { right: 'type', machine: caller.machine, name: 'one', kind: 'token' }
    await send(attacker.seal('call', OWNER, { ...aCall(), ...claims }))
    expect(done).toEqual([`POST by ${attacker.machine}, who may ${right}`])
  },
)

const open = (by: Membership, n: number, stream = true) =>
  incoming.serve(sealed({ id: `stream-${n}`, method: 'GET', stream }, by), signal).next()
const opened = (by: Membership, from: number, count: number, stream = true) =>
  Array.from({ length: count }, (_, n) => open(by, from + n, stream))

it('[FL164] a member opens streams without end', async () => {
  const mine = opened(attacker, 0, 40)
  await Promise.race([Promise.all(mine.slice(6)), new Promise((go) => setTimeout(go, 2_000))])
  expect(streams).toBe(6)
  void open(caller, 99)
  await expect.poll(() => streams).toBe(7)
  // It still asks for other things.
  await send(sealed({ id: 'call-0100' }))
  expect(done.at(-1)).toContain('POST')
})

it('[FL164] members open all streams together, and leave some to the machine’s user', async () => {
  const all = [attacker, caller, owner].flatMap((by, n) => opened(by, n * 100, 10))
  await Promise.race([Promise.all(all.slice(16)), new Promise((go) => setTimeout(go, 2_000))])
  expect(streams).toBe(12)
})

it('[FL164] a member calls without end, and waits for none', async () => {
  hangs = true
  const mine = opened(attacker, 0, 40, false)
  await Promise.race([Promise.all(mine.slice(32)), new Promise((go) => setTimeout(go, 2_000))])
  expect(done).toHaveLength(32)
  void open(caller, 99, false)
  await expect.poll(() => done.length).toBe(33)
})

/** What arrives at a caller instead of the owner's reply. */
const REPLIES: Readonly<Record<string, (id: string) => Iterable<Uint8Array>>> = {
  'signed by another member': (id) => [attacker.seal('reply', id, part(0))],
  'to another call': () => [owner.seal('reply', 'call-0000', part(0))],
  'that is a call': (id) => [owner.seal('call', id, part(0))],
  'of bytes of no kind': () => [Buffer.alloc(10_000_000, 1)],
  'of a status that there is not': (id) => [owner.seal('reply', id, part(0, { status: 9 }))],
  'of thousands of empty parts': function* (id) {
    for (let n = 0; n < 6_000; n++)
      yield owner.seal('reply', id, part(n, { last: false, body: '' }))
  },
}

function part(n: number, over: Partial<RemoteReply> = {}): RemoteReply {
  return { status: 200, type: 'x', body: 'forged', part: n, last: true, ...over }
}

it.each(Object.entries(REPLIES))('[FL166] a caller gets a reply %s', async (_, replies) => {
  const transport = {
    call: async function* (_machine: string, bytes: Uint8Array) {
      const opened = owner.open(bytes, { kind: 'call', about: OWNER })
      yield* replies(opened.ok ? (opened.payload as RemoteCall).id : '')
    },
  }
  const calls = new OutgoingCalls({ transport, membership: caller, now: () => now })
  const request = { method: 'POST', target: '/v1/x', body: {}, stream: false } as const
  await expect(calls.forward({ ...request, machine: OWNER }, 0, signal)).rejects.toThrow(
    /not one of this fleet|longer than 32 MB/,
  )
})
