import { expect, it } from 'vitest'
import { z } from 'zod'
import { aSession } from '../../test/support/sessions.ts'
import { session as schema } from '../protocol/session.ts'
import { shiftTimes } from './shift-times.ts'

const TIMES = ['since', 'doing.since', 'request.at', 'limits.at', 'loop.until']

/** Amounts, and times that are not by the clock of the session's machine. */
const OTHERS = [
  'usualMs',
  'pid',
  'contextUsedPercent',
  'costUsd',
  'todosDone',
  'todosTotal',
  'limits.windows[].usedPercent',
  'limits.windows[].lastsMs',
  'limits.windows[].resetsAt',
  'loop.iteration',
  'loop.max',
  'stale',
]

const full = aSession({
  id: 'one',
  since: 10,
  doing: { what: 'tool', tool: 'Bash', since: 20 },
  request: { tool: 'Bash', at: 30 },
  limits: { at: 40, windows: [{ usedPercent: 1, lastsMs: 2, resetsAt: 3 }] },
  loop: { state: 'running', iteration: 1, max: 5, hold: null, until: 50 },
  usualMs: 7,
})

it('[FL43] every number of a session is a time that is shifted, or named as something else', () => {
  expect(numbersOf(z.toJSONSchema(schema) as JsonSchema).toSorted()).toEqual(
    [...TIMES, ...OTHERS].toSorted(),
  )
})

it('[FL43] every time is shifted, and nothing else', () => {
  const shifted = shiftTimes(full, 1_000)
  expect(shifted).toEqual({
    ...full,
    since: 1_010,
    doing: { what: 'tool', tool: 'Bash', since: 1_020 },
    request: { tool: 'Bash', at: 1_030 },
    limits: { ...full.limits, at: 1_040 },
    loop: { ...full.loop, until: 1_050 },
  })
  expect(schema.parse(shifted)).toEqual(shifted)
})

it('[FL43] what is not known stays unknown', () => {
  const bare = aSession({ id: 'two', since: 10 })
  expect(shiftTimes(bare, -5)).toEqual({ ...bare, since: 5 })
  const loop = { state: 'running', iteration: 1, max: 5, hold: null, until: null }
  expect(shiftTimes({ ...bare, loop }, 5).loop).toEqual(loop)
})

interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly $ref?: string
}

/** The path of each number that the schema allows. */
function numbersOf(at: JsonSchema, path = ''): string[] {
  expect(at.$ref).toBeUndefined()
  if ([at.type].flat().some((type) => type === 'number' || type === 'integer')) return [path]
  const fields = Object.entries(at.properties ?? {}).flatMap(([name, field]) =>
    numbersOf(field, path ? `${path}.${name}` : name),
  )
  const items = at.items ? numbersOf(at.items, `${path}[]`) : []
  return [...fields, ...items, ...(at.anyOf ?? []).flatMap((one) => numbersOf(one, path))]
}
