import { createHash } from 'node:crypto'
import { stripVTControlCharacters } from 'node:util'
import { parseJson } from '../../core/json.ts'
import type { Item } from '../../core/loop/run.ts'
import { stripped } from '../../core/unseen.ts'

/** A title has to fit into one line of a table. */
const TITLE_MAX_CHARS = 200
/** The longest prompt. */
const TEXT_MAX_CHARS = 20_000
const ID_MAX_CHARS = 100

/** An item that is safe to show and to pass on: other people write titles and texts. */
export function itemOf(id: string, title: string, text: string | undefined): Item | undefined {
  const [shownId, shownTitle] = [cleanLine(id, ID_MAX_CHARS), cleanLine(title, TITLE_MAX_CHARS)]
  if (shownId === '' || shownTitle === '') return undefined
  const shownText = text && tidy(text).trim().slice(0, TEXT_MAX_CHARS).toWellFormed()
  return { id: shownId, title: shownTitle, ...(shownText && { text: shownText }) }
}

/** The same for the same words, whatever the spacing. */
export function idOf(words: string): string {
  const same = words.replace(/\s+/g, ' ').trim()
  return createHash('sha256').update(same).digest('hex').slice(0, 10)
}

export function cleanLine(text: string, charsMax: number): string {
  const line = tidy(text).replace(/\s+/g, ' ').trim()
  const letters = [...line.slice(0, charsMax * 2 + 2)]
  return letters.length <= charsMax ? line : `${letters.slice(0, charsMax - 1).join('')}…`
}

/** Removes colours, cursor movements and direction overrides; keeps lines and tabs. */
export function tidy(text: string): string {
  return stripped(stripVTControlCharacters(text.replace(/\r\n?/g, '\n'))).toWellFormed()
}

/** The source failed; the message is one line for the user. */
export class SourceTrouble extends Error {
  override readonly name = 'SourceTrouble'
}

export function listIn(text: string): readonly unknown[] | undefined {
  const value = parseJson(text)
  return Array.isArray(value) ? value : undefined
}
