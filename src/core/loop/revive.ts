import { LOOP_MAX, STACK_MAX } from '../limits.ts'
import {
  count,
  flag,
  listOf,
  number,
  objectOf,
  oneOf,
  optional,
  type Read,
  text,
  WRONG,
} from './fields.ts'
import {
  type Frame,
  type Hold,
  type Item,
  type ItemSource,
  MODES,
  type Run,
  type Streaks,
  type Worktree,
} from './run.ts'

/**
 * SPEC LP26. A run as it was kept, from what JSON made of it; undefined for anything else. A field
 * of the wrong type may have been a limit, so nothing is guessed: such a loop is none, and its
 * agent stops.
 */
export function reviveRun(value: unknown): Run | undefined {
  const run = readRun(value)
  return run === WRONG ? undefined : run
}

const readItem = objectOf<Item>({ id: text, title: text, text: optional(text) })

const readWorktree = objectOf<Worktree>({ path: text, branch: text, baseRef: text })

const SOURCES: readonly Read<ItemSource>[] = [
  objectOf<Extract<ItemSource, { kind: 'github' }>>({
    kind: oneOf(['github']),
    filter: optional(text),
  }),
  objectOf<Extract<ItemSource, { kind: 'checklist' }>>({ kind: oneOf(['checklist']), path: text }),
  objectOf<Extract<ItemSource, { kind: 'command' }>>({ kind: oneOf(['command']), command: text }),
]

const readSource: Read<ItemSource> = (value) => {
  for (const read of SOURCES) {
    const source = read(value)
    if (source !== WRONG) return source
  }
  return WRONG
}

/** What the document has no word for. Its exports carry it along (`document.ts`). */
export type Extras = Pick<
  Frame,
  'prompt' | 'source' | 'taken' | 'until' | 'deadlineAt' | 'budgetUsd'
>

export const EXTRAS = {
  prompt: optional(text),
  source: optional(readSource),
  taken: optional(listOf(text, LOOP_MAX)),
  until: optional(text),
  deadlineAt: optional(number),
  budgetUsd: optional(number),
} satisfies { readonly [K in keyof Extras]-?: Read<Extras[K]> }

const readFrame = objectOf<Frame>({
  id: text,
  mode: oneOf(MODES),
  iter: number,
  max: number,
  startedAt: number,
  promptFile: optional(text),
  filter: optional(text),
  item: optional(readItem),
  worktree: optional(readWorktree),
  costAtStartUsd: optional(number),
  patience: number,
  ...EXTRAS,
})

const readHold = objectOf<Hold>({
  kind: oneOf(['paused', 'parked', 'human']),
  why: text,
  since: number,
  until: optional(number),
})

const readStreaks = objectOf<Streaks>({
  message: text,
  sameMessage: count,
  failing: text,
  sameFailing: count,
  unchanged: count,
})

const readRun = objectOf<Run>({
  id: text,
  event: oneOf(['STATE', 'DONE', 'ABORT']),
  reason: optional(text),
  because: optional(text),
  startedAt: number,
  updatedAt: number,
  stack: listOf(readFrame, STACK_MAX),
  hold: optional(readHold),
  streaks: readStreaks,
  parkedTimes: count,
  unsaid: flag,
  costSeenUsd: optional(number),
})
