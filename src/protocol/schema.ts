import { z } from 'zod'
import { meaning } from './marked.ts'

/** The schemas that the OpenAPI document names, and the parts of every other schema. */
export const named = z.registry<{ id: string }>()

/** The type of a shape. Received data is never changed in place. */
export type TypeOf<Schema extends z.ZodType> = DeepReadonly<z.output<Schema>>

/** What a handler may return for a shape. */
export type InputOf<Schema extends z.ZodType> = DeepReadonly<z.input<Schema>>

type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T

export const time = meaning(z.number(), 'time').describe('milliseconds since 1970')
/** A time that may be unknown, or never come. */
export const maybeTime = time.nullable()
/** Whether something is of the machine whose daemon answers. */
export const isOwn = meaning(z.boolean(), 'own')
/** Of a request on another machine, `<machine>/<id>`. */
export const requestId = meaning(z.string(), 'request')
export const reportName = z.string().regex(/^[a-z]+\.[\d.]{1,40}$/, 'expected the name of a report')
export const digest = z.string().regex(/^[0-9a-f]{64}$/, 'expected SHA-256 in hex')
export const machineId = z
  .string()
  .describe('with a session’s id, <machine>/<session>: its address')
export const maybe = z.string().nullable()
export const amount = z.number().nullable()

/** SPEC MA7. For a response that names sessions: their machine. */
export const machine = { machine: machineId }

export const nothing = z.strictObject({}).register(named, { id: 'Nothing' })
export const done = z.strictObject({ done: z.literal(true) }).register(named, { id: 'Done' })
