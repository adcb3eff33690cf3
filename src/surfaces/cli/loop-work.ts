import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Item, type ItemSource, MODES, type Mode } from '../../core/loop/run.ts'
import type { LoopStart } from '../../protocol/loop.ts'
import { withTickOff } from '../loop/checklist.ts'
import { idOf, itemOf, SourceTrouble } from '../loop/clean.ts'
import { cleanUp } from '../loop/clean-up.ts'
import { itemsOf } from '../loop/next-item.ts'
import { makeWorktree } from '../loop/worktree.ts'
import { BadInput } from './bad-input.ts'
import type { StartOptions } from './loop-start.ts'

/** What a loop works on: only its prompt, one item, or a source of items. */
export interface Work extends Pick<LoopStart, 'item' | 'source' | 'worktree' | 'filter'> {
  /** What to print about it. */
  readonly note: string
  /** Removes what was made for the loop. */
  readonly undo: () => Promise<unknown>
}

type WorkOptions = Pick<StartOptions, 'mode' | 'item' | 'from' | 'filter'>

/** By default an item is worked on in the mode `issue`, and a source in the mode `grind`. */
export function modeOf({ mode, item, from, filter }: WorkOptions): Mode {
  const meant = mode ?? (item !== undefined ? 'issue' : from !== undefined ? 'grind' : 'loop')
  if (!(MODES as readonly string[]).includes(meant))
    throw new BadInput(`--mode ${meant}: expected ${MODES.join(', ')}`)
  if (meant === 'loop' && (item !== undefined || from !== undefined))
    throw new BadInput(
      '--mode loop: does not take items; use --item with issue, --from with issue and grind',
    )
  if (meant === 'grind' && item !== undefined)
    throw new BadInput('--mode grind: works on all items; use --item with issue')
  if (meant === 'issue' && item === undefined && from === undefined)
    throw new BadInput(
      '--mode issue: expected an item: --item "title", or --from for the first item of a source',
    )
  if (filter !== undefined && from !== 'github')
    throw new BadInput('--filter: works only with --from github')
  return meant
}

export async function workOf(options: WorkOptions, mode: Mode, cwd: string): Promise<Work> {
  const source = options.from === undefined ? null : sourceOf(options.from, options.filter)
  const filter = options.filter ?? null
  const none = { item: null, worktree: null, filter, undo: async () => {} }
  if (mode === 'loop') return { ...none, source: null, note: '' }
  // Fetched once before the loop begins, so that a broken source fails now and not at night.
  const items = source ? await itemsNow(source, cwd) : []
  if (mode === 'grind') {
    const count = items.length === 1 ? '1 item' : `${items.length} items`
    return { ...none, source, note: source ? `${count} there now` : '' }
  }
  const item = chosen(options.item, source ? items : undefined)
  const { place, ...made } = await placeFor(item, cwd)
  const ticked = source?.kind === 'checklist' ? withTickOff(item, source.path, place) : item
  return { filter, source: null, item: ticked, ...made }
}

/** `github`, a Markdown file, or a command. */
export function sourceOf(from: string, filter?: string): ItemSource {
  const words = from.trim()
  if (words === '') throw new BadInput('--from: expected github, FILE.md or a command')
  if (words === 'github') return { kind: 'github', ...(filter !== undefined && { filter }) }
  const path = resolve(words)
  const isMarkdown = /\.(md|markdown)$/i.test(words)
  const isFile = existsSync(path) && statSync(path).isFile()
  if (!isMarkdown || (!isFile && /\s/.test(words))) return { kind: 'command', command: words }
  if (!isFile) throw new BadInput(`--from ${words}: no such file`)
  return { kind: 'checklist', path }
}

async function itemsNow(source: ItemSource, cwd: string): Promise<readonly Item[]> {
  try {
    const items = await itemsOf(source, cwd)
    if (items.length === 0) throw new BadInput('--from: the source has no open item')
    return items
  } catch (error) {
    if (error instanceof SourceTrouble) throw new BadInput(`--from: ${error.message}`)
    throw error
  }
}

/** With a source, by id or title; otherwise any words. */
function chosen(name: string | undefined, items: readonly Item[] | undefined): Item {
  const [first] = items ?? []
  if (name === undefined && first) return first
  const wanted = (name ?? '').trim()
  if (!items) {
    const item = itemOf(idOf(wanted).slice(0, 6), wanted, undefined)
    if (!item) throw new BadInput('--item: is empty')
    return item
  }
  const same = (title: string) => title.toLowerCase() === wanted.toLowerCase()
  const found = items.find(({ id, title }) => id === wanted.replace(/^#/, '') || same(title))
  if (!found) throw new BadInput(`--item ${wanted}: no open item has this id or title`)
  return found
}

async function placeFor(item: Item, cwd: string) {
  const made = await makeWorktree(item, cwd)
  if ('error' in made) throw new BadInput(`no worktree could be made: ${made.error}`)
  if ('none' in made)
    return {
      worktree: null,
      note: `no worktree: ${made.none}`,
      undo: async () => {},
      place: undefined,
    }
  const { worktree, again } = made
  const undo = async () =>
    again ? [] : cleanUp(cwd, { inUse: [], unused: true, only: worktree.path })
  const came = again ? 'continued' : `from ${worktree.baseRef}`
  const note = `worktree ${worktree.path}, branch ${worktree.branch}, ${came}`
  return { worktree, note, undo, place: made }
}
