import { z } from 'zod'
import { POLICY_KEYS } from './constants.ts'
import { amount, machine, maybe, named, type TypeOf, time } from './schema.ts'

const WHY_LENGTH_MAX = 200

const policyView = z
  .strictObject({
    file: z.string(),
    state: z
      .enum(['missing', 'in force', 'broken'])
      .describe('broken: it cannot be trusted or read, so nothing that it names is allowed'),
    fault: maybe,
    allowed: z.record(z.enum(POLICY_KEYS), z.boolean()),
  })
  .describe('what the administrator of the machine allows')
export type PolicyView = TypeOf<typeof policyView>

export const health = z
  .strictObject({
    version: z.string(),
    pid: z.number(),
    ...machine,
    host: z.string(),
    startedAt: time,
    now: time,
    sessions: z.number(),
    subscribers: z.number(),
    durable: z
      .boolean()
      .describe(
        'false while the log cannot be written: what is shown would not outlive the daemon',
      ),
    troubles: z.array(z.string()).describe('what is wrong, in words; empty when all is well'),
    address: maybe,
    policy: policyView,
    store: z.strictObject({
      path: z.string(),
      bytes: z.number(),
      reports: z.number(),
      changes: z.number(),
      oldestAt: amount,
    }),
    sources: z.record(z.string(), z.strictObject({ reports: z.number(), lastAt: z.number() })),
    agents: z
      .record(z.string(), z.strictObject({ homes: z.array(z.string()), heardAt: amount }))
      .describe('by agent: the config folders that are watched, and when it was last heard'),
    refused: z.record(z.string(), z.number()).describe('requests refused, by reason'),
  })
  .register(named, { id: 'Health' })
export type Health = TypeOf<typeof health>

export const stopping = z
  .strictObject({ why: z.string().min(1).max(WHY_LENGTH_MAX) })
  .register(named, { id: 'Stopping' })

export const stopped = z
  .strictObject({ stopping: z.literal(true) })
  .register(named, { id: 'Stopped' })

export const openapi = z.looseObject({ openapi: z.string() }).register(named, { id: 'OpenApi' })

export const problem = z
  .strictObject({
    error: z.string(),
    field: z.string().optional().describe('which part of the request is wrong'),
    reason: z.string().optional().describe('why the request was not admitted'),
  })
  .register(named, { id: 'Problem' })
