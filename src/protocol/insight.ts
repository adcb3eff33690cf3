import { z } from 'zod'
import { isZone, PERIODS, TABLES } from './constants.ts'
import { amount, machine, machineId, maybe, named, type TypeOf, time } from './schema.ts'
import { ground } from './verdict.ts'

const ZONE_MAX_CHARS = 64

const ms = z.number().describe('milliseconds')

const tokens = z.strictObject({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWritten: z.number(),
})
export type Tokens = TypeOf<typeof tokens>

const times = { workedMs: ms, waitedMs: ms }
const spent = {
  costUsd: amount.describe('US dollars, as status lines tell them; null where none did'),
  tokens: tokens.nullable().describe('as transcripts tell them; null where none did'),
}

const figures = z.strictObject({
  sessions: z.number().describe('those that worked or waited'),
  turns: z.number(),
  ...times,
  ...spent,
})
export type Figures = TypeOf<typeof figures>

const projectFigures = z.strictObject({
  project: maybe.describe('null where no folder is known'),
  ...figures.shape,
})
export type ProjectFigures = TypeOf<typeof projectFigures>

const hourFigures = z.strictObject({ hour: z.number(), ...times })
export type HourFigures = TypeOf<typeof hourFigures>

const dayFigures = z.strictObject({
  day: z.string().describe('2026-11-15, in the zone that was asked for'),
  ...times,
  ...spent,
})
export type DayFigures = TypeOf<typeof dayFigures>

const quickness = z.strictObject({ count: z.number(), medianMs: amount, p90Ms: amount })
export type Quickness = TypeOf<typeof quickness>

const answers = z.strictObject({
  ...quickness.shape,
  byKind: z.array(z.strictObject({ kind: z.string(), ...quickness.shape })),
})
export type AnswerFigures = TypeOf<typeof answers>

const wait = z.strictObject({
  session: z.string(),
  project: maybe,
  kind: z.string(),
  at: time,
  ms,
  open: z.boolean().describe('still when the stretch ended'),
})
export type Wait = TypeOf<typeof wait>

/** How many of the events the hooks reported, and how soon. */
const hookFigures = z.strictObject({
  reports: z.number(),
  lastAt: amount,
  expected: z.number().describe('what transcripts show that a hook should have told'),
  told: z.number(),
  medianDelayMs: amount.describe('from the transcript’s own time to the hook’s report'),
  p99DelayMs: amount,
  comparedFrom: amount.describe('since when the two were compared: a busy stretch has too much'),
})
export type HookFigures = TypeOf<typeof hookFigures>

const insight = z.strictObject({
  period: z.enum(PERIODS),
  zone: z.string(),
  from: time,
  to: time,
  totals: figures,
  byProject: z.array(projectFigures).describe('most time first, at most 50'),
  projectsLeftOut: z.number(),
  byHour: z.array(hourFigures).describe('24, by the hour of the day'),
  byDay: z.array(dayFigures),
  answers,
  longestWaits: z.array(wait),
  unwatchedMs: ms.describe('the machine slept, or no daemon ran: counts nowhere'),
  hooks: hookFigures,
})
export type Insight = TypeOf<typeof insight>
export const insightAnswer = z
  .strictObject({ ...machine, ...insight.shape })
  .register(named, { id: 'Insight' })

const span = z.strictObject({
  from: time,
  to: amount.describe('null while it goes on'),
  word: z.string(),
  tone: z.string().describe('a state, or tool, turn, task'),
  detail: maybe,
  why: z
    .strictObject({
      change: z.number(),
      rule: z.string(),
      reason: z.string(),
      grounds: z.array(ground),
    })
    .nullable()
    .describe('of a state: the change it came with, and what decided it'),
})
export type TimelineSpan = TypeOf<typeof span>

const lane = z.strictObject({
  kind: z.enum(['state', 'turn', 'waiting', 'tool', 'subagent']),
  name: z.string(),
  spans: z.array(span).describe('by their beginning; those of tools and subagents may overlap'),
})
export type Lane = TypeOf<typeof lane>

/** What one session did over time. */
const timeline = z.strictObject({
  session: z.string(),
  from: time,
  to: time,
  lanes: z.array(lane),
  thinned: z.number().describe('spans left out, the shortest of their lane'),
  stepsFrom: amount.describe('tools and subagents are listed from this time on; null for all'),
})
export type Timeline = TypeOf<typeof timeline>
export const timelineAnswer = z
  .strictObject({ ...machine, ...timeline.shape })
  .register(named, { id: 'Timeline' })

const period = z.enum(PERIODS).default('today')
const zone = z
  .string()
  .max(ZONE_MAX_CHARS)
  .refine(isZone, 'expected a time zone, as Europe/Berlin')
  .optional()
  .describe('the clock that days and hours go by; the daemon’s own if not given')

const moment = z
  .string()
  .regex(/^\d{1,15}$/, 'expected milliseconds since 1970')
  .transform(Number)

const ofMachine = machineId.optional().describe('another machine of the fleet')
export const ofPeriod = z.strictObject({ machine: ofMachine, period, zone })
export const ofTable = z.strictObject({
  period,
  zone,
  table: z.enum(TABLES).default('projects'),
})
export const ofStretch = z.strictObject({ from: moment.optional(), to: moment.optional() })
