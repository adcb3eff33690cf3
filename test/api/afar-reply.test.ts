import { beforeEach, describe, expect, it } from 'vitest'
import { OTHER_MACHINE } from '../support/machines.ts'
import { addressOf, TwoMachines } from './two-machines.ts'

let two: TwoMachines
let here: TwoMachines['here']

beforeEach(() => {
  two = new TwoMachines()
  here = two.here
})

describe('a reply of another machine', () => {
  it('[FL132] whose answer is not as vigil writes it reaches no reader', async () => {
    const id = two.idThere
    const path = `/v1/sessions/${addressOf(id)}`
    const own = two.there.session(id)
    const page = { 'content-type': 'text/html' }
    for (const body of ['{}', 'null', '<script>', JSON.stringify({ ...own, asks: 'x' })]) {
      two.change = () => ({ status: 200, headers: page, body })
      const { status, json } = await here.get(path)
      expect([body, status, json.error]).toEqual([body, 503, expect.stringContaining('its reply')])
    }
    const newer = JSON.stringify({ ...own, fresh: 1 })
    two.change = () => ({ status: 200, headers: page, body: newer })
    const { json: answer, headers } = await here.get(path)
    expect(headers.get('content-type')).toBe('application/json')
    expect(answer).toMatchObject({ id })
    expect(answer).not.toHaveProperty('fresh')
    two.change = () => ({ status: 409, headers: page, body: '<b>no' })
    expect((await here.get(path)).json.error).toContain('its reply')
  })

  it.each([100, 101, 204, 301, 401, 407, 599])(
    '[FL182] refuses with %i, which is passed on as 503',
    async (given) => expect(await refusedWith(given)).toEqual([503, 'no']),
  )

  it.each([400, 403, 404, 409, 429, 503])('[FL182] refuses with %i, and so it is', async (given) =>
    expect(await refusedWith(given)).toEqual([given, 'no']),
  )
})

async function refusedWith(status: number) {
  two.change = () => ({ status, headers: {}, body: JSON.stringify({ error: 'no' }) })
  const answered = await here.get(`/v1/sessions/${addressOf(two.idThere)}`)
  return [answered.status, answered.json.error]
}

describe('[FL184] a machine with the vigil after this one, or the one before', () => {
  const one = addressOf('one')
  const paths = [
    ...['', '/explain', '/history', '/talk', '/timeline', '/typing'].map(
      (part) => `/v1/sessions/${one}${part}`,
    ),
    ...[`/v1/loops/${one}`, `/v1/loops/${one}/history`],
    ...[`/v1/requests?session=${one}`, `/v1/acts?session=${one}`],
    `/v1/insight?period=week&machine=${OTHER_MACHINE}`,
  ]

  beforeEach(async () => {
    two.asks()
    const { panes } = two.there
    panes.typing = (session) => ({ session, on: true, since: null, by: null })
    const body = { session: `${OTHER_MACHINE}/one`, max: 2, patience: 0, prompt: 'go' }
    expect((await here.post('/v1/loops', body)).status).toBe(200)
  })

  it.each(paths)('answers %s with fields that are not known here', async (path) => {
    const { json: plain } = await here.get(path)
    two.change = changed(withMore)
    const { status, json } = await here.get(path)
    expect([status, without(json)]).toEqual([200, plain])
  })

  it.each(paths)('answers %s without what it cannot say', async (path) => {
    const { json: plain } = await here.get(path)
    two.change = changed(withLess)
    expect(await here.get(path)).toMatchObject({ status: 200, json: plain })
  })
})

type Fields = readonly (readonly [string, unknown])[]

function changed(fields: (of: Fields) => Fields): TwoMachines['change'] {
  return (reply) => ({
    ...reply,
    body: JSON.stringify(deeply(JSON.parse(String(reply.body)), fields)),
  })
}

/** One that is as another of the same object: in a table it is an entry. */
const withMore = (fields: Fields): Fields => [...fields, ['fresh', fields[0]?.[1] ?? null]]

const withLess = (fields: Fields): Fields =>
  fields.filter(([, value]) => value !== null && value !== false && !isEmpty(value))

const without = (value: unknown) =>
  deeply(value, (fields) => fields.filter(([name]) => name !== 'fresh'))

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

function deeply(value: unknown, fields: (of: Fields) => Fields): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one) => deeply(one, fields))
  const inner = Object.entries(value).map(([name, one]) => [name, deeply(one, fields)] as const)
  return Object.fromEntries(fields(inner))
}
