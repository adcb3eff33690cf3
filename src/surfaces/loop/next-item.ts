import type { Item, ItemSource } from '../../core/loop/run.ts'
import { SourceTrouble } from './clean.ts'

/** All items of a source, in its order. */
export async function itemsOf(
  source: ItemSource,
  cwd: string,
  takenCount = 0,
): Promise<readonly Item[]> {
  // Each source is loaded on demand: GitHub does not need the Markdown parser.
  switch (source.kind) {
    case 'github':
      return (await import('./github.ts')).githubItems(source.filter, cwd, takenCount)
    case 'checklist':
      return (await import('./checklist.ts')).checklistItems(source.path)
    case 'command':
      return (await import('./command-items.ts')).commandItems(source.command, cwd)
  }
}

export type Found = { readonly item: Item } | { readonly none: true } | { readonly error: string }

/** The first item that was not handed out before. */
export async function findNextItem(
  source: ItemSource,
  taken: readonly string[],
  cwd: string,
): Promise<Found> {
  try {
    const items = await itemsOf(source, cwd, taken.length)
    const before = new Set(taken)
    const item = items.find(({ id }) => !before.has(id))
    return item ? { item } : { none: true }
  } catch (error) {
    if (error instanceof SourceTrouble) return { error: error.message }
    throw error
  }
}
