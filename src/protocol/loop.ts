import { z } from 'zod'
import { LOOP_MAX, PROMPT_MAX_CHARS } from '../core/limits.ts'
import { MODES } from '../core/loop/run.ts'
import { STEP_KINDS } from '../daemon/loops/shapes.ts'
import { digest, named, reportName, time } from './session.ts'

/** Schemas of what is asked and answered about loops. */

const COMMAND_MAX_CHARS = 4_000
const WORD_MAX_CHARS = 4_096
const TITLE_MAX_CHARS = 1_000
const ID_MAX_CHARS = 300
const OUTPUT_MAX_CHARS = 100_000
const STATE_MAX_CHARS = 1_000_000
/** A year: what is longer was not meant. */
const DURATION_MAX_MS = 31_536_000_000
const BUDGET_MAX_USD = 1_000_000

const maybe = z.string().nullable()
const amount = z.number().nullable()
const mode = z.enum(MODES)
const id = z.string().min(1).max(ID_MAX_CHARS)
const word = z.string().max(WORD_MAX_CHARS)
const text = (max: number) => z.string().max(max)

const worktree = z.strictObject({ path: word, branch: word, baseRef: word })
const item = z.strictObject({
  id,
  title: text(TITLE_MAX_CHARS),
  text: text(PROMPT_MAX_CHARS).exactOptional(),
})
const itemSource = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('github'), filter: word.exactOptional() }),
  z.strictObject({ kind: z.literal('checklist'), path: word }),
  z.strictObject({ kind: z.literal('command'), command: text(COMMAND_MAX_CHARS) }),
])

const frame = z.strictObject({
  id: z.string(),
  mode,
  iteration: z.number(),
  max: z.number(),
  item: maybe,
  worktree: worktree.nullable(),
  prompt: maybe,
})

const loop = z
  .strictObject({
    id: z.string(),
    session: z.string(),
    state: z.enum(['IDLE', 'ACTIVE', 'COMPLETING', 'STUCK', 'ABORTED']),
    event: z.enum(['STATE', 'DONE', 'ABORT']),
    reason: maybe,
    because: maybe,
    hold: z
      .strictObject({
        kind: z.enum(['paused', 'parked', 'human']),
        why: z.string(),
        since: time,
        until: amount,
      })
      .nullable(),
    mode,
    iteration: z.number(),
    max: z.number(),
    prompt: maybe,
    item: maybe,
    until: maybe.describe('done only when this command exits 0'),
    deadlineAt: amount,
    budgetUsd: amount,
    spentUsd: amount,
    startedAt: time,
    updatedAt: time,
    frames: z.array(frame).describe('the outermost first'),
    open: z.boolean(),
  })
  .register(named, { id: 'Loop' })

const step = z
  .strictObject({
    at: time,
    kind: z.enum(STEP_KINDS),
    iteration: z.number(),
    max: z.number(),
    mode,
    why: z.string(),
    said: z.string(),
    costUsd: amount,
    tookMs: amount,
  })
  .register(named, { id: 'LoopStep' })

export const loops = z.strictObject({ loops: z.array(loop) }).register(named, { id: 'Loops' })
export const steps = z.strictObject({ steps: z.array(step) }).register(named, { id: 'LoopHistory' })
export const one = z.strictObject({ loop }).register(named, { id: 'OneLoop' })

export const starting = z
  .strictObject({
    session: id,
    mode: mode.default('loop'),
    prompt: text(PROMPT_MAX_CHARS).nullable().default(null),
    promptFile: word.nullable().default(null),
    max: z.int().min(1).max(LOOP_MAX),
    item: item.nullable().default(null),
    worktree: worktree.nullable().default(null),
    source: itemSource.nullable().default(null),
    filter: word.nullable().default(null),
    until: text(COMMAND_MAX_CHARS).nullable().default(null),
    forMs: z.number().positive().max(DURATION_MAX_MS).nullable().default(null),
    budgetUsd: z.number().positive().max(BUDGET_MAX_USD).nullable().default(null),
    patience: z.int().min(0).max(LOOP_MAX),
  })
  .register(named, { id: 'LoopStart' })

export const started = z
  .strictObject({
    loop,
    delivery: z.strictObject({ how: z.enum(['typed', 'next-stop', 'by-user']), why: z.string() }),
    capped: z.boolean().describe('the client may end it after eight turns without a tool'),
  })
  .register(named, { id: 'LoopStarted' })

export const beginning = z.strictObject({ session: id }).register(named, { id: 'LoopBegin' })
export const begun = z
  .discriminatedUnion('act', [
    z.strictObject({ act: z.literal('started'), started }),
    z.strictObject({ act: z.literal('refused'), why: z.string() }),
    z.strictObject({ act: z.literal('later') }).describe('its text has not come yet'),
  ])
  .register(named, { id: 'LoopBegun' })

export const why = z.strictObject({ why: word }).register(named, { id: 'LoopWhy' })
export const nothing = z.strictObject({}).register(named, { id: 'Nothing' })
export const importing = z
  .strictObject({ session: id, state: text(STATE_MAX_CHARS) })
  .register(named, { id: 'LoopImport' })
export const state = z
  .looseObject({})
  .describe('the state as idle-stop-hook.md has it')
  .register(named, { id: 'LoopState' })

const check = z.strictObject({
  exitCode: z.number().nullable(),
  output: text(OUTPUT_MAX_CHARS),
  timedOut: z.boolean().exactOptional(),
})
const next = z.union([
  z.strictObject({ item, worktree: worktree.exactOptional() }),
  z.strictObject({ none: z.literal(true) }),
  z.strictObject({ error: word }),
])

export const question = z
  .strictObject({
    report: reportName,
    digest,
    result: z
      .strictObject({ check: check.exactOptional(), next: next.exactOptional() })
      .exactOptional(),
  })
  .register(named, { id: 'LoopQuestion' })

const chore = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('check'),
    command: z.string(),
    timeoutMs: z.number(),
    cwd: z.string().exactOptional(),
  }),
  z.strictObject({
    kind: z.literal('next'),
    source: itemSource,
    taken: z.array(z.string()),
    timeoutMs: z.number(),
  }),
])

export const answer = z
  .union([
    z.strictObject({ act: z.literal('allow') }),
    z.strictObject({ act: z.literal('block'), reason: z.string() }),
    z.strictObject({ act: z.literal('chore'), chore }),
    z.strictObject({ act: z.literal('say'), text: z.string() }),
  ])
  .register(named, { id: 'LoopAnswer' })
