import { describe, expect, it } from 'vitest'
import { testApi } from './ask.ts'

const { get, head, post, routes } = testApi()
const { json: document } = await get('/v1/openapi.json')

describe('the document', () => {
  it('[P9] lists the routes that are served, and no others', async () => {
    const written = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method} ${path}`),
    )
    const served = routes.map(({ method, path }) => `${method} ${path}`)
    expect(written.toSorted()).toEqual(served.toSorted())
    expect(written.length).toBeGreaterThan(40)
    for (const { method, path, answer } of routes) {
      const target = path.replace('{id}', 'no-such-session')
      const isStream = answer === 'text/event-stream'
      const ask = () => (isStream ? head(target) : get(target))
      const { text } = await (method === 'post' ? post(target, {}) : ask())
      expect([path, text]).toEqual([path, expect.not.stringContaining('no such route')])
    }
  })

  it('[P9] gives each route its parameters, body and answer', () => {
    for (const route of routes) {
      const operation = document.paths[route.path][route.method]
      expect(operation.summary).toBe(route.summary)
      expect(Boolean(operation.requestBody)).toBe(Boolean(route.body))
      const named = (place: string) =>
        operation.parameters
          .filter((parameter: { in: string }) => parameter.in === place)
          .map(({ name }: { name: string }) => name)
      expect(named('path')).toEqual([...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
      expect(named('query')).toEqual(Object.keys(route.query?.shape ?? {}))
      expect(Object.keys(operation.responses)).toContain('200')
      expect(Object.keys(operation.responses)).toContain('401')
    }
  })

  it('[P9] refers to nothing it does not hold', () => {
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref)
    const there = Object.keys(document.components.schemas).map((id) => `#/components/schemas/${id}`)
    expect(refs.length).toBeGreaterThan(30)
    expect(refs.filter((ref) => !there.includes(ref ?? ''))).toEqual([])
  })

  it('[P9] names every field of a session', () => {
    const { required, additionalProperties } = document.components.schemas.Session
    const [session] = testApi().fleet.sessions({ all: false }).sessions
    expect(required.toSorted()).toEqual(Object.keys(session ?? {}).toSorted())
    expect(additionalProperties).toBe(false)
  })

  it('[P3] says how to authenticate, and no token', () => {
    expect(document.components.securitySchemes.token).toEqual({ type: 'http', scheme: 'bearer' })
    expect(JSON.stringify(document)).not.toMatch(/[0-9a-f]{32}/)
  })
})
