import { parseJson } from '../json.ts'
import { GRIND_MAX_DEFAULT, LOOP_MAX_DEFAULT, STACK_MAX, TEXT_MAX_CHARS } from '../limits.ts'
import {
  defined,
  isObject,
  numberField,
  objectOf,
  optional,
  textField as readText,
  WRONG,
} from './fields.ts'
import { isoOf, timeOf } from './iso.ts'
import { EXTRAS, type Extras } from './revive.ts'
import { type Item, type LoopRun, MODES, type Mode, type RunFrame, type Worktree } from './run.ts'
import { NO_STREAKS } from './stack.ts'
import { documentInFile } from './state-file.ts'
import { oneLine } from './text.ts'

/**
 * SPEC LP24, LP25. Reads and writes the state of idle-stop-hook.md, schema 1. What vigil's loops
 * have beyond it is in `vigil`, which idle ignores: otherwise a loop that is exported and imported
 * would lose its budget.
 */
export interface LoopDocument {
  readonly schema: 1
  readonly event: LoopRun['event']
  readonly run_id: string
  readonly updated_at: string
  readonly reason?: string
  readonly stack: readonly DocumentFrame[]
}

interface DocumentFrame {
  readonly id: string
  readonly mode: Mode
  /** A word where it is not a number: null would be read back as 0, a valid count. */
  readonly iter: number | string
  readonly max: number | string
  readonly prompt_file?: string
  readonly filter?: string
  readonly issue_id?: string
  readonly worktree_path?: string
  readonly branch?: string
  readonly base_ref?: string
  readonly vigil?: Ours
}

interface Ours extends Extras, Partial<Pick<Item, 'title' | 'text'>> {
  readonly patience?: number
}

/**
 * A text that is no state is malformed. A damaged state becomes a run that the next Stop aborts,
 * because of a NaN or its event.
 */
export function parseDocument(text: string, now: number): LoopRun | { readonly malformed: string } {
  const state = documentInFile(text) ?? parseJson(text)
  if (!isObject(state)) return { malformed: 'expected a JSON object' }
  const { schema } = state
  if (schema === undefined || schema === null)
    return { malformed: 'expected "schema": 1, found none' }
  if (schema !== 1) return { malformed: `expected "schema": 1, found ${shown(schema)}` }
  const entries = state.stack ?? []
  const listed: readonly unknown[] = Array.isArray(entries) ? entries : []
  if (listed.length > STACK_MAX)
    return { malformed: `stack has ${listed.length} frames, at most ${STACK_MAX} are read` }
  const id = given(state.run_id) ?? `loop-${Math.floor(now / 1_000)}`
  const updatedAt = timeIn(state.updated_at, now)
  const frames = listed.map((entry, i) => frameIn(entry, `${id}.${i + 1}`, now))
  const stack = frames.filter((frame) => typeof frame !== 'string')
  const event = eventIn(state.event)
  const flaw = Array.isArray(entries)
    ? frames.find((frame) => typeof frame === 'string')
    : `stack is ${shown(entries)}, expected a list`
  const because = event ? flaw : `event is ${shown(state.event)}, expected STATE, DONE or ABORT`
  return defined({
    id,
    event: event === undefined || because !== undefined ? 'ABORT' : event,
    reason: given(state.reason),
    because,
    startedAt: now,
    updatedAt,
    stack,
    streaks: NO_STREAKS,
    parkedTimes: 0,
    // idle's agent got its task from idle's command; a loop of vigil may be new to its agent.
    unsaid: stack.at(-1)?.prompt !== undefined,
  })
}

export function documentOf({ id, event, updatedAt, reason, stack }: LoopRun): LoopDocument {
  const head = { schema: 1, event, run_id: id, updated_at: isoOf(updatedAt) } as const
  return defined({ ...head, reason, stack: stack.map(documentFrame) })
}

function eventIn(value: unknown): LoopRun['event'] | undefined {
  if (value === undefined || value === null) return 'STATE'
  return value === 'STATE' || value === 'DONE' || value === 'ABORT' ? value : undefined
}

/** Absent means fresh: the state was just imported. Present but not a time means corrupt. */
function timeIn(value: unknown, now: number): number {
  if (value === undefined || value === null) return now
  return typeof value === 'string' ? timeOf(value) : Number.NaN
}

const readOurs = objectOf<Ours>({
  ...EXTRAS,
  title: optional(readText),
  text: optional(readText),
  patience: optional(numberField),
})

/** The frame, or what is wrong with it. */
function frameIn(value: unknown, id: string, now: number): RunFrame | string {
  if (!isObject(value)) return `a frame is ${shown(value)}, expected an object`
  const mode = value.mode ?? 'loop'
  if (!isMode(mode)) return `mode is ${shown(mode)}, expected ${MODES.join(', ')}`
  const ours = value.vigil === undefined ? {} : readOurs(value.vigil)
  if (ours === WRONG) return `vigil's own data in frame ${id} was changed`
  const { title, text, patience, ...extras } = ours
  const issue = given(value.issue_id)
  return defined({
    id: given(value.id) ?? id,
    mode,
    iter: countIn(value.iter, 0),
    max: countIn(value.max, mode === 'grind' ? GRIND_MAX_DEFAULT : LOOP_MAX_DEFAULT),
    startedAt: now,
    // The document has no patience: its loops continue until they say so, or are used up.
    patience: patience ?? 0,
    promptFile: given(value.prompt_file),
    filter: given(value.filter),
    item: issue === undefined ? undefined : defined({ id: issue, title: title ?? issue, text }),
    worktree: worktreeIn(value),
    ...extras,
  })
}

function isMode(value: unknown): value is Mode {
  return MODES.some((mode) => mode === value)
}

/** Shell scripts also write numbers as text. */
function countIn(value: unknown, missing: number): number {
  if (value === undefined || value === null) return missing
  if (typeof value === 'number') return value
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
}

function worktreeIn(value: Readonly<Record<string, unknown>>): Worktree | undefined {
  const path = given(value.worktree_path) ?? ''
  const branch = given(value.branch) ?? ''
  const baseRef = given(value.base_ref) ?? ''
  return path + branch + baseRef === '' ? undefined : { path, branch, baseRef }
}

/** Ids may be numbers, as GitHub's are. Empty or null means not given. */
function given(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

function documentFrame(frame: RunFrame): DocumentFrame {
  const { id, mode, iter, max, promptFile, filter, item, worktree } = frame
  const vigil = oursOf(frame)
  return defined({
    id,
    mode,
    iter: Number.isFinite(iter) ? iter : 'NaN',
    max: Number.isFinite(max) ? max : 'NaN',
    prompt_file: promptFile,
    filter,
    issue_id: item?.id,
    worktree_path: worktree?.path || undefined,
    branch: worktree?.branch || undefined,
    base_ref: worktree?.baseRef || undefined,
    vigil: Object.keys(vigil).length > 0 ? vigil : undefined,
  })
}

/** A cost belongs to the session in which it was counted, so it is not exported. */
function oursOf({ item, patience, ...frame }: RunFrame): Ours {
  const { prompt, source, taken, until, deadlineAt, budgetUsd } = frame
  return defined({
    prompt,
    source,
    taken,
    until,
    deadlineAt,
    budgetUsd,
    title: item?.title === item?.id ? undefined : item?.title,
    text: item?.text,
    patience: patience === 0 ? undefined : patience,
  })
}

function shown(value: unknown): string {
  return oneLine(JSON.stringify(value) ?? 'missing', TEXT_MAX_CHARS)
}
