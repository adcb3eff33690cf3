import { createHash } from 'node:crypto'
import { stripVTControlCharacters } from 'node:util'
import { parseJson } from '../../core/json.ts'
import type { Item } from '../../core/loop/run.ts'
import { stripped } from '../../core/unseen.ts'

/** Longer ones are no titles; a title stands in one line of a table. */
const TITLE_MAX_CHARS = 200
/** As long as a prompt may be. */
const TEXT_MAX_CHARS = 20_000
const ID_MAX_CHARS = 100

/** An item as it may be shown and given on: titles and texts are anybody's. */
export function itemOf(id: string, title: string, text: string | undefined): Item | undefined {
  const [shownId, shownTitle] = [cleanLine(id, ID_MAX_CHARS), cleanLine(title, TITLE_MAX_CHARS)]
  if (shownId === '' || shownTitle === '') return undefined
  const shownText = text && tidy(text).trim().slice(0, TEXT_MAX_CHARS).toWellFormed()
  return { id: shownId, title: shownTitle, ...(shownText && { text: shownText }) }
}

/** The same for the same words, however they are spaced. */
export function idOf(words: string): string {
  const same = words.replace(/\s+/g, ' ').trim()
  return createHash('sha256').update(same).digest('hex').slice(0, 10)
}

export function cleanLine(text: string, charsMax: number): string {
  const line = tidy(text).replace(/\s+/g, ' ').trim()
  const letters = [...line.slice(0, charsMax * 2 + 2)]
  return letters.length <= charsMax ? line : `${letters.slice(0, charsMax - 1).join('')}…`
}

/** Without colours, movements of the cursor, overrides of direction; lines and tabs stay. */
export function tidy(text: string): string {
  return stripped(stripVTControlCharacters(text.replace(/\r\n?/g, '\n'))).toWellFormed()
}

/** Items could not be had: told to a person as it stands, in one line. */
export class SourceTrouble extends Error {
  override readonly name = 'SourceTrouble'
}

export function listIn(text: string): readonly unknown[] | undefined {
  const value = parseJson(text)
  return Array.isArray(value) ? value : undefined
}
