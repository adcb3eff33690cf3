import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import type { Route } from '../../src/daemon/api/route.ts'
import { addressOf } from '../../src/protocol/address.ts'
import { sessionName } from '../../src/protocol/parameters.ts'
import { changeEvent, session } from '../../src/protocol/session.ts'
import { OTHER_MACHINE, OWN_MACHINE } from '../support/machines.ts'
import { SOCKET, testApi } from './ask.ts'
import { seenFleet } from './support.ts'

const fleet = seenFleet()
const [seen] = fleet.sessions({ all: false }).sessions
const id = seen?.id ?? ''
const here = testApi(fleet, {}, SOCKET)
const { routes, get } = here

/** Where a route takes a session: in its path, its query or its body. */
const TAKING = routes.flatMap((route) => placesOf(route).map((place) => ({ route, place })))

describe('a session of another machine', () => {
  it('[MA6] every route that takes a session is tried here', () => {
    const names = TAKING.map(({ route, place }) => `${route.method} ${route.path} ${place}`)
    expect(names.toSorted()).toMatchInlineSnapshot(`
      [
        "get /v1/acts query",
        "get /v1/audit query",
        "get /v1/loops/{id} path",
        "get /v1/loops/{id}/history path",
        "get /v1/loops/{id}/state path",
        "get /v1/requests query",
        "get /v1/sessions/{id} path",
        "get /v1/sessions/{id}/explain path",
        "get /v1/sessions/{id}/history path",
        "get /v1/sessions/{id}/pane path",
        "get /v1/sessions/{id}/reports path",
        "get /v1/sessions/{id}/screen path",
        "get /v1/sessions/{id}/talk path",
        "get /v1/sessions/{id}/timeline path",
        "get /v1/sessions/{id}/typing path",
        "post /v1/loops body",
        "post /v1/loops/begin body",
        "post /v1/loops/import body",
        "post /v1/loops/{id}/pause path",
        "post /v1/loops/{id}/resume path",
        "post /v1/loops/{id}/stop path",
        "post /v1/sessions/{id}/interrupt path",
        "post /v1/sessions/{id}/jump path",
        "post /v1/sessions/{id}/keys path",
        "post /v1/sessions/{id}/look path",
        "post /v1/sessions/{id}/name path",
        "post /v1/sessions/{id}/prompt path",
        "post /v1/sessions/{id}/typing path",
      ]
    `)
    const tried = new Set(TAKING.map(({ route }) => route))
    const others = routes.filter((route) => !tried.has(route))
    const named = others.filter(
      ({ path, query, body }) =>
        /(sessions|loops)\/\{/.test(path) ||
        [query, body].some((schema) => schema && 'session' in fieldsOf(schema)),
    )
    expect(named.map(({ path }) => path)).toEqual([])
  })

  it.each(TAKING)('[MA6] $route.method $route.path ($place) is 404 and says so', async (taking) => {
    const before = fleet.log.length
    const answer = await asked(here, taking, `${OTHER_MACHINE}/${id}`)
    expect(answer.status).toBe(404)
    expect(answer.json.error).toContain(OTHER_MACHINE)
    expect(answer.json.error).toContain(`this is ${OWN_MACHINE} (${fleet.host})`)
    expect(fleet.log.length).toBe(before)
  })

  it.each(TAKING)(
    '[MA6] $route.method $route.path ($place) takes both forms alike',
    async (taking) => {
      const anew = () => testApi(seenFleet(), {}, SOCKET)
      const bare = await asked(anew(), taking, id)
      const whole = await asked(anew(), taking, `${OWN_MACHINE}/${id}`)
      expect(whole.status).toBe(bare.status)
      expect(whole.json?.error).toEqual(bare.json?.error)
      expect(whole.json?.error ?? '').not.toContain('is on machine')
    },
  )

  it('[MA6] what is read by an address is what its id gives', async () => {
    const address = encodeURIComponent(addressOf({ machine: OWN_MACHINE, id }))
    for (const what of ['', '/explain', '/history', '/reports'])
      expect((await get(`/v1/sessions/${address}${what}`)).json).toEqual(
        (await get(`/v1/sessions/${id}${what}`)).json,
      )
  })
})

describe('what is sent out', () => {
  it('[MA7] an answer that names a session names its machine with it', () => {
    const without = routes.flatMap(({ method, path, answer }) =>
      typeof answer !== 'string' && namesUnowned(answer, false) ? [`${method} ${path}`] : [],
    )
    expect(without).toEqual([])
    expect(namesUnowned(changeEvent, false)).toBe(false)
  })

  it('[MA7] and so do rows and health', async () => {
    const { json } = await get('/v1/sessions')
    expect(json.sessions.map(({ machine }: { machine: string }) => machine)).toEqual(
      json.sessions.map(() => OWN_MACHINE),
    )
    expect((await get('/v1/health')).json).toMatchObject({ machine: OWN_MACHINE, host: 'test' })
  })
})

type Place = 'path' | 'query' | 'body'

function placesOf({ params, query, body }: Route): Place[] {
  const takes = (schema: z.ZodType | undefined) =>
    Object.values(schema ? fieldsOf(schema) : {}).some((field) => unwrapped(field) === sessionName)
  return [
    ...(takes(params) ? (['path'] as const) : []),
    ...(takes(query) ? (['query'] as const) : []),
    ...(takes(body) ? (['body'] as const) : []),
  ]
}

function fieldsOf(schema: z.ZodType): Readonly<Record<string, unknown>> {
  return (schema as { shape?: Readonly<Record<string, unknown>> }).shape ?? {}
}

function unwrapped(field: unknown): unknown {
  const { unwrap } = field as { unwrap?: () => unknown }
  return typeof unwrap === 'function' ? unwrap.call(field) : field
}

function asked(
  { get, post }: ReturnType<typeof testApi>,
  { route, place }: (typeof TAKING)[number],
  name: string,
) {
  const { method, path } = route
  const inPath = encodeURIComponent(place === 'path' ? name : id)
  const query = place === 'query' ? `?session=${encodeURIComponent(name)}` : ''
  const target = `${path.replaceAll(/\{\w+\}/g, inPath)}${query}`
  if (method === 'get') return get(target)
  return post(target, { ...bodyOf(path), ...(place === 'body' && { session: name }) })
}

/** The least that each body needs. */
function bodyOf(path: string): object {
  const [last = ''] = path.split('/').slice(-1)
  const bodies: Readonly<Record<string, object>> = {
    typing: { on: false, where: 'cli' },
    keys: { keys: [{ text: 'x' }], where: 'cli' },
    prompt: { text: 'go on', where: 'cli' },
    interrupt: { where: 'cli' },
    name: { name: 'checkout' },
    loops: { max: 1, patience: 0 },
    import: { state: '{}' },
    pause: { why: 'so' },
    stop: { why: 'so' },
  }
  return bodies[last] ?? {}
}

/** Whether a schema has a session's id where neither it nor what is around it has a machine. */
function namesUnowned(schema: z.ZodType, owned: boolean): boolean {
  const { def } = schema._zod as unknown as { def: Readonly<Record<string, unknown>> }
  if (def.type === 'object') {
    const shape = def.shape as Readonly<Record<string, z.ZodType>>
    const isOwned = owned || 'machine' in shape || shape.session === session
    const names = [shape.session, shape.sessions].filter((field) => field !== undefined)
    if (!isOwned && names.some(isText)) return true
    return Object.values(shape).some((field) => namesUnowned(field, isOwned))
  }
  const inner = [def.element, def.innerType, ...((def.options as unknown[]) ?? [])]
  return inner.some((one) => one !== undefined && namesUnowned(one as z.ZodType, owned))
}

function isText(schema: z.ZodType): boolean {
  const { def } = schema._zod as unknown as { def: Readonly<Record<string, unknown>> }
  if (def.type === 'array') return isText(def.element as z.ZodType)
  if (def.type === 'nullable') return isText(def.innerType as z.ZodType)
  return def.type === 'string'
}
