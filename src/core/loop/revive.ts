import { LOOP_MAX, STACK_MAX } from '../limits.ts'
import {
  count,
  flag,
  listOf,
  numberField,
  objectOf,
  oneOf,
  optional,
  type Read,
  textField,
  WRONG,
} from './fields.ts'
import {
  type Item,
  type ItemSource,
  type LoopHold,
  type LoopRun,
  MODES,
  type RunFrame,
  type Streaks,
  type Worktree,
} from './run.ts'

/**
 * SPEC LP26. A stored run from its parsed JSON; undefined for anything else. A field of the wrong
 * type may have been a limit, so nothing is guessed: such a loop is dropped, and its agent stops.
 */
export function reviveRun(value: unknown): LoopRun | undefined {
  const run = readRun(value)
  return run === WRONG ? undefined : run
}

const readItem = objectOf<Item>({ id: textField, title: textField, text: optional(textField) })

const readWorktree = objectOf<Worktree>({ path: textField, branch: textField, baseRef: textField })

const SOURCES: readonly Read<ItemSource>[] = [
  objectOf<Extract<ItemSource, { kind: 'github' }>>({
    kind: oneOf(['github']),
    filter: optional(textField),
  }),
  objectOf<Extract<ItemSource, { kind: 'checklist' }>>({
    kind: oneOf(['checklist']),
    path: textField,
  }),
  objectOf<Extract<ItemSource, { kind: 'command' }>>({
    kind: oneOf(['command']),
    command: textField,
  }),
]

const readSource: Read<ItemSource> = (value) => {
  for (const read of SOURCES) {
    const source = read(value)
    if (source !== WRONG) return source
  }
  return WRONG
}

/** Fields that the document lacks. Its exports carry them along (`document.ts`). */
export type Extras = Pick<
  RunFrame,
  'prompt' | 'source' | 'taken' | 'until' | 'deadlineAt' | 'budgetUsd'
>

export const EXTRAS = {
  prompt: optional(textField),
  source: optional(readSource),
  taken: optional(listOf(textField, LOOP_MAX)),
  until: optional(textField),
  deadlineAt: optional(numberField),
  budgetUsd: optional(numberField),
} satisfies { readonly [K in keyof Extras]-?: Read<Extras[K]> }

const readFrame = objectOf<RunFrame>({
  id: textField,
  mode: oneOf(MODES),
  iter: numberField,
  max: numberField,
  startedAt: numberField,
  promptFile: optional(textField),
  filter: optional(textField),
  item: optional(readItem),
  worktree: optional(readWorktree),
  costAtStartUsd: optional(numberField),
  patience: numberField,
  ...EXTRAS,
})

const readHold = objectOf<LoopHold>({
  kind: oneOf(['paused', 'parked', 'human']),
  why: textField,
  since: numberField,
  until: optional(numberField),
})

const readStreaks = objectOf<Streaks>({
  message: textField,
  sameMessage: count,
  failing: textField,
  sameFailing: count,
  unchanged: count,
})

const readRun = objectOf<LoopRun>({
  id: textField,
  event: oneOf(['STATE', 'DONE', 'ABORT']),
  reason: optional(textField),
  because: optional(textField),
  startedAt: numberField,
  updatedAt: numberField,
  stack: listOf(readFrame, STACK_MAX),
  hold: optional(readHold),
  streaks: readStreaks,
  parkedTimes: count,
  unsaid: flag,
  costSeenUsd: optional(numberField),
})
