import { existsSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import type { ListItem, Nodes, Root } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import type { Item, Worktree } from '../../core/loop/run.ts'
import { readRegular } from '../../home/regular-file.ts'
import { cleanLine, idOf, itemOf, SourceTrouble } from './clean.ts'

/** A thousand times larger than a checklist for people. */
const FILE_MAX_BYTES = 1_000_000

/** The unchecked items of a Markdown file, in its order. */
export function checklistItems(path: string): readonly Item[] {
  return itemsIn(contentOf(path))
}

/**
 * Tells the agent to tick the item off where it works: in its worktree's own copy of the list,
 * which is merged with the work, or in the list itself if there is no copy. It comes first, because
 * a long text is cut.
 */
export function withTickOff(item: Item, path: string, made: Place | undefined): Item {
  const inner = made && relative(made.from, path)
  const copy = made && inner !== undefined && join(made.worktree.path, inner)
  const isIn = inner !== undefined && !inner.startsWith('..') && !isAbsolute(inner)
  const where = copy && isIn && existsSync(copy) ? copy : path
  const alone = made && where === path ? ' (you may change this file, although it is outside)' : ''
  const line = `When it is done, tick it off in ${where}: - [x]${alone}`
  return itemOf(item.id, item.title, [line, item.text ?? ''].join('\n\n')) ?? item
}

interface Place {
  readonly worktree: Pick<Worktree, 'path'>
  readonly from: string
}

function contentOf(path: string): string {
  try {
    return readRegular(path, FILE_MAX_BYTES).toString('utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new SourceTrouble(`${path}: ${code === 'ENOENT' ? 'no such file' : message}`)
  }
}

/** One box of the list, ticked or not. */
interface Box {
  readonly ticked: boolean
  readonly title: string
  /** The text below it, without nested boxes. */
  readonly below: string
  /** The heading above it and the items that contain it. */
  readonly within: readonly string[]
  /** A nested item is still open and comes first. */
  readonly waits: boolean
}

export function itemsIn(markdown: string): readonly Item[] {
  const seen = new Map<string, number>()
  return boxesIn(markdown).flatMap((box) => {
    const id = idOf(box.title)
    // Ticked items count too, so that the second of two equal names stays the second.
    const nth = (seen.get(id) ?? 0) + 1
    seen.set(id, nth)
    if (box.ticked || box.waits) return []
    const item = itemOf(nth === 1 ? id : `${id}-${nth}`, box.title, textOf(box))
    return item ?? []
  })
}

function textOf({ below, within }: Box): string {
  const place = within.length > 0 ? `Part of: ${within.join(' › ')}` : ''
  return [place, below].filter((part) => part !== '').join('\n\n')
}

function boxesIn(markdown: string): readonly Box[] {
  const root: Root = fromMarkdown(markdown)
  const boxes: Box[] = []
  let heading: readonly string[] = []
  const sourceOf = ({ position }: Nodes) =>
    markdown.slice(position?.start.offset ?? 0, position?.end.offset ?? 0)
  const walk = (node: Nodes, within: readonly string[]): boolean => {
    if (node.type === 'heading') heading = [cleanLine(sourceOf(node).replace(/^#+\s*/, ''), 100)]
    // A quote or a code block only mentions a list.
    if (node.type !== 'root' && node.type !== 'list' && node.type !== 'listItem') return false
    const box = node.type === 'listItem' ? boxOf(node, sourceOf) : undefined
    const place = boxes.length
    const inner = box ? [...within, box.title] : within
    const openBelow = node.children.map((child) => walk(child, inner)).some((open) => open)
    if (!box) return openBelow
    boxes.splice(place, 0, { ...box, within: [...heading, ...within], waits: openBelow })
    return openBelow || !box.ticked
  }
  walk(root, [])
  return boxes
}

/** `[ ] words` or `[x] words` at the beginning of an item's first paragraph. */
function boxOf(item: ListItem, sourceOf: (node: Nodes) => string) {
  const [first, ...rest] = item.children
  if (first?.type !== 'paragraph') return undefined
  const [, mark, title] = /^\[([ xX])\]\s+(\S.*)$/s.exec(sourceOf(first)) ?? []
  if (mark === undefined || title === undefined) return undefined
  const below = rest.filter(({ type }) => type !== 'list').map(sourceOf)
  return { ticked: mark !== ' ', title: cleanLine(title, 200), below: below.join('\n\n') }
}
