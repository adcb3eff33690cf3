import { z } from 'zod'
import { problem } from '../../protocol/daemon.ts'
import { named } from '../../protocol/schema.ts'
import { changeEvent } from '../../protocol/session.ts'
import type { Route } from './route.ts'

type Json = Record<string, unknown>

/** The document of OpenAPI 3.1, made from the routes themselves. */
export function openApiOf(routes: readonly Route[], version: string): Json & { openapi: string } {
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    paths[route.path] ??= {}
    const path = paths[route.path] as Json
    path[route.method] = operationOf(route)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'vigil',
      version,
      description: 'What every coding agent on this machine is doing.',
    },
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: components(),
    },
  }
}

function operationOf(route: Route): Json {
  const body = route.body && {
    requestBody: { required: true, content: { 'application/json': { schema: refTo(route.body) } } },
  }
  const mark = { name: 'x-vigil', in: 'header', required: true, schema: { const: '1' } }
  return {
    summary: route.summary,
    ...(route.access && { 'x-who': route.access }),
    ...(route.access === 'anybody' && { security: [] }),
    parameters: [
      ...parametersOf('path', route.params),
      ...parametersOf('query', route.query),
      ...(route.method === 'get' ? [] : [mark]),
    ],
    ...body,
    responses: {
      '200': { description: 'success', content: contentOf(route) },
      ...problems(route),
    },
  }
}

function contentOf({ answer, events = changeEvent }: Route): Json {
  if (answer === 'text/event-stream')
    return { [answer]: { schema: { type: 'string' }, 'x-data': refTo(events) } }
  if (typeof answer === 'string') return { [answer]: { schema: { type: 'string' } } }
  return { 'application/json': { schema: refTo(answer) } }
}

/** The errors of `admit` and of reading a body, and those that this route adds. */
function problems({ also = [], method }: Route): Json {
  const common = method === 'get' ? COMMON : [...COMMON, 411, 413, 415]
  const content = { 'application/json': { schema: refTo(problem) } }
  const answer = { description: 'the error, as text', content }
  return Object.fromEntries([...common, ...also].toSorted().map((status) => [status, answer]))
}

const COMMON = [400, 401, 403]

function parametersOf(place: 'path' | 'query', shape: Route['params']): Json[] {
  return Object.entries(shape?.shape ?? {}).map(([name, schema]) => {
    const { $schema: _, description, ...rest } = z.toJSONSchema(schema, { io: 'input' })
    const words = description === undefined ? {} : { description }
    return { name, in: place, required: place === 'path', ...words, schema: rest }
  })
}

function refTo(schema: z.ZodType): Json {
  const id = named.get(schema)?.id
  if (id === undefined)
    throw new Error('a schema of a route has no name; register it in schemas.ts')
  return { $ref: uriOf(id) }
}

function uriOf(id: string): string {
  return `#/components/schemas/${id}`
}

function components(): Json {
  const { schemas } = z.toJSONSchema(named, { io: 'input', uri: uriOf })
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $id: _id, $schema: _schema, ...rest }]) => [id, rest]),
  )
}
