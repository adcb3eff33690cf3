import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ATTACKS } from './attacks.ts'
import { bytesOf, change, type Parts } from './request.ts'
import { type Rig, send, startRig, TRANSPORTS, until } from './support.ts'

let rig: Rig
beforeAll(async () => {
  rig = await startRig()
})
afterAll(() => rig.close())

describe.each(TRANSPORTS)('over %s', (transport) => {
  it.each(ATTACKS)('[P1] refused: $name', async (attack) => {
    const before = stateOf(rig)
    const counted = rig.gate.refused()[attack.reason ?? ''] ?? 0
    const answer = await send(rig.dial(transport), attack.send(rig, transport))
    expect(answer.status, answer.raw.slice(0, 300)).toBe(attack.status)
    if (attack.reason !== undefined) {
      expect(rig.gate.refused()[attack.reason]).toBe(counted + 1)
      expect(JSON.parse(answer.body).error).toMatch(/./)
    }
    expect(stateOf(rig)).toEqual(before)
    expect(answer.raw).not.toContain(rig.token)
    expect(answer.raw).not.toMatch(/access-control|set-cookie|session_id|root:/i)
  })

  it('[P1] what is admitted, and nothing else was', async () => {
    const admitted: Record<string, Parts> = {
      'a command': {},
      'a command that only looks': { method: 'HEAD' },
      'a tool that reports': change(),
      'a tool that names its charset': change({
        headers: { 'content-type': 'application/json; charset=utf-8' },
      }),
      'the page, by a link its user typed': { headers: { 'sec-fetch-site': 'none' } },
      'the page, by its own script': { headers: { 'sec-fetch-site': 'same-origin' } },
      ...(transport === 'tcp' && { 'the page itself': { headers: { origin: rig.origin } } }),
      ...(transport === 'tcp' && {
        'a program at the address': { headers: { host: `127.0.0.1:${rig.port}` } },
        'a program at the name': { headers: { host: `localhost:${rig.port}` } },
      }),
    }
    for (const [name, parts] of Object.entries(admitted)) {
      const answer = await send(rig.dial(transport), [bytesOf(rig, transport, parts)])
      expect(answer.status, `${name}: ${answer.raw.slice(0, 300)}`).toBe(200)
      expect(answer.raw).not.toMatch(/access-control|set-cookie/i)
    }
  })

  it('[P1] nothing hides behind a refused request on the same connection', async () => {
    const before = stateOf(rig)
    const keep = { connection: 'keep-alive' }
    const bad = bytesOf(rig, transport, { headers: { ...keep, host: 'evil' } })
    const good = bytesOf(rig, transport, change({ headers: keep }))
    const answer = await send(rig.dial(transport), [bad + good])
    expect(answer.status).toBe(403)
    expect(answer.raw.match(/HTTP\/1\.1/g)).toHaveLength(1)
    expect(stateOf(rig)).toEqual(before)
  })

  it('[P1] a body is asked for only after its request was admitted', async () => {
    const expectation = { expect: '100-continue' }
    const bad = bytesOf(rig, transport, change({ headers: { ...expectation, host: 'evil' } }))
    expect((await send(rig.dial(transport), [bad])).raw).toMatch(/^HTTP\/1\.1 403/)
    const good = bytesOf(rig, transport, change({ headers: expectation }))
    expect((await send(rig.dial(transport), [good])).raw).toMatch(/^HTTP\/1\.1 100/)
  })
})

it('[P3] no complaint holds a token, a path or a header, and a flood of them is cut', () => {
  const said = JSON.stringify(rig.complaints)
  expect(rig.complaints.length).toBeGreaterThan(0)
  expect(said).not.toContain(rig.token)
  expect(said).not.toMatch(/evil|passwd|Bearer/)
  const refusals = Object.values(rig.gate.refused()).reduce((sum, times) => sum + times, 0)
  expect(refusals).toBeGreaterThan(2 * ATTACKS.length - 20)
  expect(rig.complaints.length).toBeLessThan(refusals)
})

describe.each(TRANSPORTS)('slow, over %s', (transport) => {
  const limits = { headersMs: 200, requestMs: 400, checkMs: 20 }
  let slow: Rig
  beforeAll(async () => {
    slow = await startRig({ limits })
  })
  afterAll(() => slow.close())

  it.each(['headers', 'body'])('[P7] refused: slow %s', async (part) => {
    const before = stateOf(slow)
    const counted = slow.gate.refused().slow ?? 0
    const bytes = bytesOf(slow, transport, change())
    const cut = part === 'headers' ? bytes.indexOf('\r\n\r\n') : bytes.length - 5
    const drops = [...bytes.slice(cut, cut + 3)].flatMap((drop) => [drop])
    const answer = await send(slow.dial(transport), [bytes.slice(0, cut), ...drops], {
      pieceMs: 20,
    })
    expect(answer.status, answer.raw).toBe(408)
    expect(slow.gate.refused().slow).toBe(counted + 1)
    expect(stateOf(slow)).toEqual(before)
  })

  it('[P7] a connection that says nothing is closed', async () => {
    const socket = slow.dial(transport)
    let closed = false
    socket.resume().on('close', () => {
      closed = true
    })
    await until('the silent connection is closed', () => closed)
  })
})

/** What an attack could have changed. */
function stateOf({ fleet, subscribers, browsers }: Rig) {
  const { log, stops, imported, feed } = fleet
  const counts = [log.length, stops.length, imported.length, browsers.list().length]
  return [...counts, feed.lastId(), subscribers.count]
}
