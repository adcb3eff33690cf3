import { setTimeout as sleep } from 'node:timers/promises'
import type { PendingCheck } from '../../core/loop/decide.ts'
import type { Item, ItemSource } from '../../core/loop/run.ts'
import type { NextItem } from '../../core/loop/stop.ts'
import type { CheckOutcome } from './check.ts'
import { endGroups } from './run-group.ts'

type NextChore = Extract<PendingCheck, { readonly kind: 'next' }>

type Done = { readonly check: CheckOutcome } | { readonly next: NextItem }

/**
 * Work that the daemon leaves to the hook, which has the agent's folder, environment and rights.
 */
export async function doChore(chore: PendingCheck, cwd: string): Promise<Done> {
  if (chore.kind === 'check') {
    const { check } = await import('./check.ts')
    return { check: await check(chore.command, chore.cwd ?? cwd, chore.timeoutMs) }
  }
  return { next: await within(chore.timeoutMs, () => takeNext(chore, cwd)) }
}

async function takeNext({ source, taken, loop }: NextChore, cwd: string): Promise<NextItem> {
  const { findNextItem: nextItem } = await import('./next-item.ts')
  const next = await nextItem(source, taken, cwd)
  return 'item' in next ? placed(next.item, source, cwd, loop) : next
}

async function placed(
  item: Item,
  source: ItemSource,
  cwd: string,
  loop: string,
): Promise<NextItem> {
  const { makeWorktree, noteLoop } = await import('./worktree.ts')
  const made = await makeWorktree(item, cwd)
  if ('error' in made) return { error: made.error }
  const place = 'worktree' in made ? made : undefined
  const worktree = place && { worktree: place.worktree }
  if (place) await noteLoop(place.worktree, loop)
  if (source.kind !== 'checklist') return { item, ...worktree }
  const { withTickOff } = await import('./checklist.ts')
  return { item: withTickOff(item, source.path, place), ...worktree }
}

/** A command that takes too long probably waits for input: it is ended, and the result says so. */
async function within(timeoutMs: number, work: () => Promise<NextItem>): Promise<NextItem> {
  const clock = new AbortController()
  const late = sleep(timeoutMs, undefined, { signal: clock.signal }).then(
    () => {
      endGroups()
      return { error: `the source did not give the next item within ${timeoutMs / 1000} s` }
    },
    () => ({ error: '' }),
  )
  try {
    return await Promise.race([work(), late])
  } finally {
    clock.abort()
  }
}
