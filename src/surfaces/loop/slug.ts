import type { Item } from '../../core/loop/run.ts'
import { idOf } from './clean.ts'

const ID_MAX_CHARS = 20
const TITLE_MAX_CHARS = 40

/**
 * A name for an item's folder and branch: small letters, digits and single hyphens, whatever the
 * item's title. The id comes first, so that two items with one title get two names.
 */
export function slugOf({ id, title }: Pick<Item, 'id' | 'title'>): string {
  const own = wordsOf(id, ID_MAX_CHARS)
  // After removing characters, two ids may be equal.
  const first = own === id.toLowerCase() ? own : idOf(id)
  return [first, wordsOf(title, TITLE_MAX_CHARS)].filter((part) => part !== '').join('-')
}

function wordsOf(text: string, charsMax: number): string {
  const letters = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return letters
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, charsMax)
    .replace(/-+$/, '')
}
