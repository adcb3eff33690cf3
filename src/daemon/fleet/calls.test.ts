import { beforeEach, describe, expect, it } from 'vitest'
import { machineNumber, membersOf, NOW } from '../../../test/support/members.ts'
import { CallGuard } from '../../fleet/call-guard.ts'
import type { RemoteCall } from '../../fleet/shapes.ts'
import { TransportError } from '../../fleet/transport.ts'
import type { MemberCaller } from '../api/admit.ts'
import type { ApiRequest, ApiResponse } from '../api/route.ts'
import { IncomingCalls } from './incoming.ts'
import type { Membership } from './membership.ts'
import { OutgoingCalls } from './outgoing.ts'

const OWNER = machineNumber(2)
const SEEN = { method: 'POST', target: '/v1/x', body: { a: 1 }, stream: false } as const
const stored = () => ({ rows: 2, digest: 'ab' })
const never = new AbortController().signal

let caller: Membership
let owner: Membership
let other: Membership
let done: { readonly request: ApiRequest; readonly member: MemberCaller }[]
let answer: ApiResponse
let incoming: IncomingCalls
/** The call as it is on its way, each time it is sent. */
let sent: Uint8Array[]

beforeEach(() => {
  const [one, two, three] = membersOf(3).map(({ membership }) => membership)
  if (!one || !two || !three) throw new Error('no fleet')
  ;[caller, owner, other] = [one, two, three]
  done = []
  sent = []
  answer = { status: 200, headers: { 'content-type': 'application/json' }, body: '{"ok":1}' }
  incoming = new IncomingCalls({
    membership: owner,
    guard: new CallGuard(),
    stored,
    startedAt: NOW - 3_600_000,
    now: () => NOW,
    app: async (request, member) => {
      done.push({ request, member })
      return answer
    },
  })
})

type Way = (parts: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>

/** Calls of `caller`; `ways` is what becomes of the replies, one way for each time. */
function outgoing(...ways: Way[]): OutgoingCalls {
  const transport = {
    call: (_: string, bytes: Uint8Array) => {
      sent.push(bytes)
      return (ways.shift() ?? whole)(incoming.serve(bytes, never))
    },
  }
  return new OutgoingCalls({ transport, membership: caller, now: () => NOW })
}

const whole: Way = (parts) => parts
const cut: Way = async function* (parts) {
  for await (const part of parts) if (part.length === 0) yield part
  throw new TransportError('late', 'no reply')
}
const lacksFirst: Way = async function* (parts) {
  let at = 0
  for await (const part of parts) if (at++ > 0) yield part
}

const forward = (calls: OutgoingCalls, over = {}, ahead = 0) =>
  calls.forward({ ...SEEN, ...over, machine: OWNER }, ahead, never)

async function repliesTo(bytes: Uint8Array): Promise<readonly string[]> {
  const replies: string[] = []
  for await (const part of incoming.serve(bytes, never)) {
    const opened = caller.open(part, { kind: 'reply', about: 'call-0001', machine: OWNER })
    replies.push(opened.ok ? JSON.stringify(opened.payload) : opened.why)
  }
  return replies
}

const aCall = (over: Partial<RemoteCall> = {}): RemoteCall => ({
  ...{ id: 'call-0001', method: 'POST', target: '/v1/x', body: {}, deadline: NOW + 8_000 },
  ...over,
})

describe('a call to another machine', () => {
  it('[FL130][FL132] is done there, and its reply is put together', async () => {
    answer = { ...answer, body: 'é'.repeat(350_000) }
    const { status, body } = await forward(outgoing())
    expect([status, body]).toEqual([200, answer.body])
    expect(done).toHaveLength(1)
    expect(done[0]?.request).toMatchObject({ method: 'POST', target: '/v1/x' })
  })

  it('[FL130] has its deadline by the clock of the machine that is asked', async () => {
    await forward(outgoing(), {}, 2_000)
    const [bytes = new Uint8Array()] = sent
    const opened = owner.open(bytes, { kind: 'call', about: OWNER })
    expect(opened).toMatchObject({ ok: true, payload: { deadline: NOW + 10_000 } })
  })

  it('[FL130] takes no reply that another machine signed, or for another call', async () => {
    const reply = { status: 200, type: 'x', body: 'forged', part: 0, last: true }
    for (const forge of [
      (id: string) => other.seal('reply', id, reply),
      () => owner.seal('reply', 'another-call', reply),
    ]) {
      const way: Way = async function* () {
        const opened = owner.open(sent.at(-1) as Uint8Array, { kind: 'call', about: OWNER })
        yield forge(opened.ok ? (opened.payload as RemoteCall).id : '')
      }
      await expect(forward(outgoing(way))).rejects.toThrow('not one of this fleet')
    }
  })

  it('[FL131] whose reply or a part of it is lost is repeated, and done once', async () => {
    answer = { ...answer, body: 'x'.repeat(250_000) }
    const { body } = await forward(outgoing(cut, lacksFirst))
    expect(body).toBe(answer.body)
    expect([sent.length, done.length]).toEqual([3, 1])
  })

  it('[FL131] to a machine that is offline is not repeated', async () => {
    const offline: Way = async function* () {
      yield await Promise.reject(new TransportError('offline', ''))
    }
    await expect(forward(outgoing(offline))).rejects.toThrow('offline; nothing was done')
    expect([sent.length, done.length]).toEqual([1, 0])
  })

  it('[FL132] is refused when its reply is longer than 32 MB', async () => {
    answer = { ...answer, body: 'x'.repeat(33 * 1_024 * 1_024) }
    await expect(forward(outgoing())).rejects.toThrow('longer than 32 MB')
  })

  it('[FL132] that is a stream is passed on part by part until its caller goes', async () => {
    const texts = ['a', 'b', 'c']
    const ended: string[] = []
    const body = { next: async () => texts.shift(), end: () => void ended.push('ended') }
    answer = { ...answer, body }
    const reply = await forward(outgoing(), { method: 'GET', body: undefined, stream: true })
    const pulled = reply.body as typeof body
    expect([await pulled.next(), await pulled.next()]).toEqual(['a', 'b'])
    expect([await pulled.next(), await pulled.next()]).toEqual(['c', undefined])
    expect(ended).not.toEqual([])
  })
})

describe('a call of another machine', () => {
  it('[FL133] that is no member’s, for another machine or malformed is silent', async () => {
    const [stranger] = membersOf(1)
    for (const bytes of [
      stranger?.membership.seal('call', OWNER, aCall()),
      caller.seal('call', other.machine, aCall()),
      caller.seal('reply', OWNER, aCall()),
      caller.seal('call', OWNER, { ...aCall(), target: 'http://elsewhere/' }),
      Buffer.from('x'),
    ])
      expect(await repliesTo(bytes ?? Buffer.of())).toEqual([])
    expect(done).toEqual([])
    expect(await repliesTo(caller.seal('call', OWNER, aCall()))).toHaveLength(1)
  })

  it('[FL134] has the rights of the machine that signed it, as they are now', async () => {
    const call = (id: string) => repliesTo(other.seal('call', OWNER, aCall({ id })))
    await call('call-0001')
    owner.change({ rights: { [other.machine]: 'nothing' } })
    await call('call-0002')
    expect(done.map(({ member }) => [member.machine, member.name, member.right])).toEqual([
      [other.machine, 'name3', 'look'],
      [other.machine, 'name3', 'nothing'],
    ])
  })

  it('[FL135] is done once, and each repetition gets its reply', async () => {
    const bytes = caller.seal('call', OWNER, aCall())
    const [first, again] = await Promise.all([repliesTo(bytes), repliesTo(bytes)])
    expect(first).toEqual(again)
    expect(first[0]).toContain('"ok\\":1')
    expect(done).toHaveLength(1)
  })

  it.each([
    ['expired', NOW, 'came too late'],
    ['too far ahead', NOW + 16_000, 'clocks of the two machines differ'],
  ])('[FL135] that is %s is not done', async (_, deadline, said) => {
    for (const method of ['GET', 'POST'] as const) {
      const [reply] = await repliesTo(caller.seal('call', OWNER, aCall({ method, deadline })))
      expect(reply).toContain(said)
    }
    expect(done).toEqual([])
  })

  it('[FL135] that an earlier daemon may have done is not done; what only reads is', async () => {
    const guard = new CallGuard<ApiResponse>()
    const parts = { membership: owner, guard, stored, now: () => NOW }
    const app = async () => answer
    incoming = new IncomingCalls({ ...parts, startedAt: NOW - 1_000, app })
    const send = (over: Partial<RemoteCall>) => repliesTo(caller.seal('call', OWNER, aCall(over)))
    expect((await send({}))[0]).toContain('has just started there')
    expect((await send({ method: 'GET' }))[0]).toContain('"ok\\":1')
  })

  it('[FL181] for a stream that does not say so is refused, and the stream ends', async () => {
    const ended: string[] = []
    const body = { next: async () => 'a', end: () => void ended.push('ended') }
    answer = { ...answer, body }
    const [reply, ...more] = await repliesTo(caller.seal('call', OWNER, aCall({ method: 'GET' })))
    expect([reply, more]).toEqual([expect.stringContaining('a stream'), []])
    expect(ended).toEqual(['ended'])
  })

  it('[FL160] for its word is answered whatever its right, and does nothing', async () => {
    owner.change({ rights: { [caller.machine]: 'nothing' } })
    const call = aCall({ method: 'GET', target: '/word', deadline: 0 })
    const [reply] = await repliesTo(caller.seal('call', OWNER, call))
    expect(JSON.parse(JSON.parse(reply ?? '').body)).toEqual(stored())
    expect(done).toEqual([])
  })
})
