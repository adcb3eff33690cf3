import { z } from 'zod'
import { zoneNamed } from '../insight/calendar.ts'
import { TABLES } from '../insight/csv.ts'
import { PERIODS } from '../insight/shapes.ts'
import { amount, maybe, named, time } from './schema.ts'
import { ground } from './verdict.ts'

/** What is asked and answered about figures and timelines. */

const ZONE_MAX_CHARS = 64

const span = z.number().describe('milliseconds')

const tokens = z
  .strictObject({
    input: z.number(),
    output: z.number(),
    cacheRead: z.number(),
    cacheWritten: z.number(),
  })
  .nullable()
  .describe('as transcripts tell them; null where none did')

const cost = amount.describe('US dollars, as status lines tell them; null where none did')

const figures = {
  sessions: z.number().describe('those that worked or waited'),
  turns: z.number(),
  workedMs: span,
  waitedMs: span,
  costUsd: cost,
  tokens,
}
const times = { workedMs: span, waitedMs: span }
const quickness = { count: z.number(), medianMs: amount, p90Ms: amount }

const wait = z.strictObject({
  session: z.string(),
  project: maybe,
  kind: z.string(),
  at: time,
  ms: span,
  open: z.boolean(),
})

export const insight = z
  .strictObject({
    period: z.enum(PERIODS),
    zone: z.string(),
    from: time,
    to: time,
    totals: z.strictObject(figures),
    byProject: z.array(z.strictObject({ project: maybe, ...figures })),
    projectsLeftOut: z.number(),
    byHour: z.array(z.strictObject({ hour: z.number(), ...times })),
    byDay: z.array(z.strictObject({ day: z.string(), ...times, costUsd: cost, tokens })),
    answers: z.strictObject({
      ...quickness,
      byKind: z.array(z.strictObject({ kind: z.string(), ...quickness })),
    }),
    longestWaits: z.array(wait),
    unwatchedMs: span.describe('the machine slept, or no daemon ran: counts nowhere'),
    hooks: z.strictObject({
      reports: z.number(),
      lastAt: amount,
      expected: z.number().describe('what transcripts show that a hook should have told'),
      told: z.number(),
      medianDelayMs: amount,
      p99DelayMs: amount,
      comparedFrom: amount.describe('since when the two were compared'),
    }),
  })
  .register(named, { id: 'Insight' })

const lane = z.strictObject({
  kind: z.enum(['state', 'turn', 'waiting', 'tool', 'subagent']),
  name: z.string(),
  spans: z.array(
    z.strictObject({
      from: time,
      to: amount,
      word: z.string(),
      tone: z.string(),
      detail: maybe,
      why: z
        .strictObject({
          change: z.number(),
          rule: z.string(),
          reason: z.string(),
          grounds: z.array(ground),
        })
        .nullable(),
    }),
  ),
})

export const timeline = z
  .strictObject({
    session: z.string(),
    from: time,
    to: time,
    lanes: z.array(lane),
    thinned: z.number().describe('spans left out, the shortest of their lane'),
    stepsFrom: amount.describe('tools and subagents are told from here on; null for all'),
  })
  .register(named, { id: 'Timeline' })

const period = z.enum(PERIODS).default('today')
const zone = z
  .string()
  .max(ZONE_MAX_CHARS)
  .refine((name) => zoneNamed(name) !== undefined, 'expected a time zone, as Europe/Berlin')
  .optional()
  .describe('the clock that days and hours go by; the daemon’s own if not given')

const moment = z
  .string()
  .regex(/^\d{1,15}$/, 'expected milliseconds since 1970')
  .transform(Number)

export const ofPeriod = z.strictObject({ period, zone })
export const ofTable = z.strictObject({
  period,
  zone,
  table: z.enum(TABLES).default('projects'),
})
export const ofStretch = z.strictObject({ from: moment.optional(), to: moment.optional() })
