import { z } from 'zod'
import { LOOP_MAX, PROMPT_MAX_CHARS } from '../core/limits.ts'
import { MODES } from '../core/loop/run.ts'
import { STEP_KINDS } from './constants.ts'
import { sessionName } from './parameters.ts'
import {
  amount,
  digest,
  machine,
  maybe,
  maybeTime,
  named,
  reportName,
  type TypeOf,
  time,
} from './schema.ts'

/** A test compares these with the core's own types. */

const COMMAND_MAX_CHARS = 4_000
const WORD_MAX_CHARS = 4_096
const TITLE_MAX_CHARS = 1_000
const ID_MAX_CHARS = 300
const OUTPUT_MAX_CHARS = 100_000
const STATE_MAX_CHARS = 1_000_000
/** A year: a longer time is a mistake. */
const DURATION_MAX_MS = 31_536_000_000
const BUDGET_MAX_USD = 1_000_000

const mode = z.enum(MODES)
const id = z.string().min(1).max(ID_MAX_CHARS)
const word = z.string().max(WORD_MAX_CHARS)
const text = (max: number) => z.string().max(max)

export const worktree = z.strictObject({ path: word, branch: word, baseRef: word })
export const item = z.strictObject({
  id,
  title: text(TITLE_MAX_CHARS),
  text: text(PROMPT_MAX_CHARS).exactOptional(),
})
export const itemSource = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('github'), filter: word.exactOptional() }),
  z.strictObject({ kind: z.literal('checklist'), path: word }),
  z.strictObject({ kind: z.literal('command'), command: text(COMMAND_MAX_CHARS) }),
])

const loopFrame = z.strictObject({
  id: z.string(),
  mode,
  iteration: z.number(),
  max: z.number(),
  item: maybe,
  worktree: worktree.nullable(),
  prompt: maybe,
})
export type LoopFrame = TypeOf<typeof loopFrame>

/** Every field is always there; an unknown one is null. */
const loopView = z
  .strictObject({
    id: z.string(),
    session: z.string().describe('at present: /clear and resume take the loop along'),
    state: z.enum(['IDLE', 'ACTIVE', 'COMPLETING', 'STUCK', 'ABORTED']),
    event: z.enum(['STATE', 'DONE', 'ABORT']),
    reason: maybe,
    because: maybe,
    hold: z
      .strictObject({
        kind: z.enum(['paused', 'parked', 'human']),
        why: z.string(),
        since: time,
        until: maybeTime,
      })
      .nullable(),
    mode,
    iteration: z.number(),
    max: z.number(),
    prompt: maybe,
    item: maybe,
    until: maybe.describe('done only when this command exits 0'),
    deadlineAt: maybeTime,
    budgetUsd: amount,
    spentUsd: amount,
    startedAt: time,
    updatedAt: time,
    frames: z.array(loopFrame).describe('the outermost first; the last one is at work'),
    open: z.boolean(),
  })
  .register(named, { id: 'Loop' })
export type LoopView = TypeOf<typeof loopView>

/** One event of a loop. */
const loopStep = z
  .strictObject({
    at: time,
    kind: z.enum(STEP_KINDS),
    iteration: z.number(),
    max: z.number(),
    mode,
    why: z.string(),
    said: z.string().describe('the agent’s last words'),
    costUsd: amount.describe('what the turn cost'),
    tookMs: amount,
  })
  .register(named, { id: 'LoopStep' })
export type LoopStep = TypeOf<typeof loopStep>

export const loopList = z
  .strictObject({ ...machine, loops: z.array(loopView) })
  .register(named, { id: 'Loops' })
export const loopHistory = z
  .strictObject({ steps: z.array(loopStep) })
  .register(named, { id: 'LoopHistory' })
export const oneLoop = z
  .strictObject({ ...machine, loop: loopView })
  .register(named, { id: 'OneLoop' })

export const loopStart = z
  .strictObject({
    session: sessionName,
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
export type LoopStart = Omit<TypeOf<typeof loopStart>, 'session'> & { readonly session: string }

/** How the agent learns of its loop. */
const loopDelivery = z.strictObject({
  how: z.enum(['typed', 'next-stop', 'by-user']),
  why: z.string(),
})
export type LoopDelivery = TypeOf<typeof loopDelivery>

const started = z.strictObject({
  loop: loopView,
  delivery: loopDelivery,
  capped: z.boolean().describe('the client may end it after eight turns without a tool'),
})
export type LoopStarted = TypeOf<typeof started>

export const loopStarted = z
  .strictObject({ ...machine, ...started.shape })
  .register(named, { id: 'LoopStarted' })

export const loopBegin = z
  .strictObject({ session: sessionName })
  .register(named, { id: 'LoopBegin' })

/** The result of `/vigil:loop`. */
const begun = z.discriminatedUnion('act', [
  z.strictObject({ act: z.literal('started'), started }),
  z.strictObject({ act: z.literal('refused'), why: z.string() }),
  z
    .strictObject({ act: z.literal('later') })
    .describe('its text has not come yet, and begins it when it does'),
])
export type LoopBegun = TypeOf<typeof begun>

export const loopBegun = z.strictObject({ ...machine, begun }).register(named, { id: 'LoopBegun' })

export const loopReason = z.strictObject({ why: word }).register(named, { id: 'LoopReason' })
export const loopImport = z
  .strictObject({ session: sessionName, state: text(STATE_MAX_CHARS) })
  .register(named, { id: 'LoopImport' })
export const loopState = z
  .looseObject({})
  .describe('the state as idle-stop-hook.md has it')
  .register(named, { id: 'LoopState' })

export const checked = z.strictObject({
  exitCode: z.number().nullable(),
  output: text(OUTPUT_MAX_CHARS),
  timedOut: z.boolean().exactOptional(),
})
export const nextItem = z.union([
  z.strictObject({ item, worktree: worktree.exactOptional() }),
  z.strictObject({ none: z.literal(true) }),
  z.strictObject({ error: word }),
])

/** A hook's question about a Stop, by the name of the report it left. */
export const loopQuestion = z
  .strictObject({
    report: reportName,
    digest,
    askedAt: time.exactOptional().describe('when the hook began to wait; else its report’s time'),
    result: z
      .strictObject({ check: checked.exactOptional(), next: nextItem.exactOptional() })
      .exactOptional(),
  })
  .register(named, { id: 'LoopQuestion' })
export type LoopQuestion = TypeOf<typeof loopQuestion>

export const chore = z.discriminatedUnion('kind', [
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
    loop: z.string().describe('whose it will be'),
  }),
])

export const loopAnswer = z
  .union([
    z.strictObject({ act: z.literal('allow') }),
    z.strictObject({ act: z.literal('chore'), chore }),
    z
      .strictObject({ act: z.literal('print'), output: z.looseObject({}), exit: z.int() })
      .describe('what the hook prints for its agent, and its exit code'),
  ])
  .register(named, { id: 'LoopAnswer' })
export type LoopAnswer = TypeOf<typeof loopAnswer>
