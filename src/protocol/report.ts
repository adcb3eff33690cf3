import { z } from 'zod'
import { amount, machine, maybe, named, type TypeOf, time } from './schema.ts'
import { source } from './verdict.ts'

/** As many as fit into one transaction without delaying others. */
const POSTINGS_MAX = 1000

const KEY_LENGTH_MAX = 300
const NAME_LENGTH_MAX = 200

const agent = z
  .string()
  .optional()
  .describe(
    'the id of the agent it is about (`vigil agents`); the first of them where it is left out',
  )

const report = z.looseObject({ t: time, source }).register(named, { id: 'Report' })

const reportEntry = z.strictObject({ id: z.number(), session: maybe, key: maybe, report })
export type ReportEntry = TypeOf<typeof reportEntry>

export const reportPage = z
  .strictObject({
    ...machine,
    reports: z.array(reportEntry).describe('oldest first'),
    next: amount.describe('ask again with this as after; null when there were no more'),
  })
  .register(named, { id: 'ReportPage' })
export type ReportPage = TypeOf<typeof reportPage>

/** A report by another tool. Without a time it counts from its arrival. */
const posting = z
  .strictObject({
    report: z.looseObject({ t: z.number().min(0).optional(), source, agent }),
    key: z
      .string()
      .min(1)
      .max(KEY_LENGTH_MAX)
      .optional()
      .describe('the same key again is the same report'),
  })
  .register(named, { id: 'Posting' })
export type Posting = TypeOf<typeof posting>

export const postings = z
  .union([posting, z.array(posting).min(1).max(POSTINGS_MAX)])
  .register(named, { id: 'Postings' })

export const posted = z
  .strictObject({
    ...machine,
    sessions: z.array(maybe).describe('of each report; null when it was about no session'),
  })
  .register(named, { id: 'Posted' })
export type Posted = TypeOf<typeof posted>

export const recording = z
  .strictObject({ name: z.string().min(1).max(NAME_LENGTH_MAX), lines: z.array(report).min(1) })
  .register(named, { id: 'Recording' })

export const imported = z
  .strictObject({ ...machine, sessions: z.array(z.string()) })
  .register(named, { id: 'Imported' })
export type Imported = TypeOf<typeof imported>
