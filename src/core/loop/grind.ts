import { ISSUE_MAX, NEXT_MAX_MS } from '../limits.ts'
import { defined } from './fields.ts'
import type { Item, ItemSource, RunFrame, Worktree } from './run.ts'
import type { PendingCheck } from './stop.ts'

/** SPEC LP19. vigil hands a grind its items; with the document the agent looks for them itself. */

export type Grind = RunFrame & { readonly source: ItemSource }

export function takesItems(frame: RunFrame): frame is Grind {
  return frame.mode === 'grind' && frame.source !== undefined
}

export function nextChore(loop: string, { source, taken = [] }: Grind): PendingCheck {
  return { kind: 'next', source, taken, timeoutMs: NEXT_MAX_MS, loop }
}

/**
 * The grind with one more item, and the item's own frame on top. Time and money limits stay with
 * the grind: they are checked for every frame. The item counts as handed out before any work is
 * done, so a crash leaves one item half done and none is done twice.
 */
export function framesWith(
  grind: Grind,
  item: Item,
  worktree: Worktree | undefined,
  now: number,
): readonly [Grind, RunFrame] {
  const iter = grind.iter + 1
  const { prompt, promptFile, until, patience } = grind
  const frame: RunFrame = defined({
    id: `${grind.id}.${iter}`,
    mode: 'issue' as const,
    // The block that hands the item out is its first iteration.
    iter: 1,
    max: ISSUE_MAX,
    startedAt: now,
    patience,
    item,
    worktree,
    prompt,
    promptFile,
    until,
  })
  return [{ ...grind, iter, taken: [...(grind.taken ?? []), item.id] }, frame]
}
