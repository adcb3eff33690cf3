import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testApi } from './ask.ts'
import { bytesOf } from './request.ts'
import { type Rig, seenFleet, send, startRig } from './support.ts'

const fleet = seenFleet()
const { get, post, routes } = testApi(fleet)

const piece = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    '',
    '%',
    '%2e%2e',
    '..',
    '%00',
    '%25',
    '\u2028',
    '🦉',
    'v1',
    'sessions',
    'constructor',
  ),
)
const name = fc.oneof(piece, fc.constantFrom('all', 'limit', 'after', 'source', '__proto__'))
const query = fc.array(fc.tuple(name, piece), { maxLength: 3 })
const path = fc.oneof(
  fc.constantFrom(...routes.map((route) => route.path)),
  fc.array(piece, { maxLength: 5 }).map((pieces) => `/${pieces.map(encode).join('/')}`),
)
const target = fc.tuple(path, piece, query).map(([to, id, parameters]) => {
  const given = parameters.map(([key, value]) => `${encode(key)}=${encode(value)}`)
  return `${to.replace('{id}', encode(id))}${given.length > 0 ? `?${given.join('&')}` : ''}`
})

/** JSON near enough to what is asked for to get past the first look. */
const report = fc.record(
  {
    source: fc.oneof(fc.constantFrom('hook', 'registry', 'transcript', 'process'), fc.jsonValue()),
    t: fc.oneof(fc.double(), fc.jsonValue()),
    env: fc.jsonValue(),
    payload: fc.jsonValue(),
  },
  { requiredKeys: [] },
)
const posting = fc.record({ report, key: fc.jsonValue() }, { requiredKeys: ['report'] })
const body = fc.oneof(
  posting,
  fc.array(posting, { maxLength: 3 }),
  fc.record({ name: fc.jsonValue(), lines: fc.array(report, { maxLength: 3 }) }),
  fc.record({ why: fc.jsonValue() }),
  fc.jsonValue(),
)

it('[P10] no path and no query gives a 500', async () => {
  await fc.assert(
    fc.asyncProperty(target, async (any) => {
      // A stream without an end is no answer to wait for.
      fc.pre(!/^\/v1\/(events|stream)/.test(any))
      expect((await get(any)).status).toBeLessThan(500)
    }),
    { numRuns: 1000 },
  )
})

it('[P10] no body gives a 500', async () => {
  const changes = routes.filter(({ method }) => method === 'post').map((route) => route.path)
  const bytes = fc.oneof(
    body.map((value) => JSON.stringify(value)),
    fc.string({ unit: 'binary', minLength: 1 }),
  )
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...changes), bytes, async (to, any) => {
      expect((await post(to, any || ' ')).status).toBeLessThan(500)
    }),
    { numRuns: 500 },
  )
})

let rig: Rig
beforeAll(async () => {
  rig = await startRig()
})
afterAll(() => rig.close())

it('[P10] no bytes in the place of a path give a 500', async () => {
  const bytes = fc.oneof(
    fc.string({ maxLength: 40 }),
    target,
    fc.uint8Array({ maxLength: 20 }).map((array) => Buffer.from(array).toString('latin1')),
  )
  await fc.assert(
    fc.asyncProperty(bytes, async (any) => {
      fc.pre(!any.includes('events'))
      const sent = Buffer.from(bytesOf(rig, 'unix', { target: `/${any}` }), 'latin1')
      const { status, raw } = await send(rig.dial('unix'), [sent])
      expect([200, 400, 404, 431], raw).toContain(status)
    }),
    { numRuns: 100 },
  )
})

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
