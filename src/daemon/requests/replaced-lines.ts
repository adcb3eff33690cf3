import { type Fields, fields, list, textIn } from '../../agents/read.ts'
import type { FieldPart, InputLayout } from '../../protocol/request.ts'

/** A text of a file that a request would replace. */
interface Replacement {
  /** Where the new text is in the input: `after`, `changes.2.after`. */
  readonly field: string
  readonly before: string
  readonly after: string
  readonly everywhere: boolean
}

interface FileChange {
  readonly path: string
  /** In the order in which they are made. */
  readonly replacements: readonly Replacement[]
}

/** Undefined where the request replaces nothing in a file. */
export function fileChangeIn({ parts }: InputLayout, input: unknown): FileChange | undefined {
  const given = fields(input)
  const path = parts.flatMap(({ role, field }) =>
    role === 'path' ? (textIn(given[field]) ?? []) : [],
  )[0]
  const replacements = parts.flatMap((part) => {
    const { role, field, after = '' } = part
    if (role === 'change') return replacementIn(given, field, part, '')
    const entries = role === 'changes' ? list(given[field]) : []
    return entries.flatMap((entry, i) =>
      replacementIn(fields(entry), after, part, `${field}.${i}.`),
    )
  })
  if (path === undefined || replacements.length === 0) return undefined
  return { path, replacements }
}

function replacementIn(
  given: Fields,
  field: string,
  { replaces = '', everywhere = '' }: FieldPart,
  at: string,
): readonly Replacement[] {
  const [before, after] = [textIn(given[replaces]), given[field]]
  if (before === undefined || typeof after !== 'string') return []
  return [{ field: at + field, before, after, everywhere: given[everywhere] === true }]
}

/** How many characters are searched for one request: about 20 ms. */
const SEARCHED_MAX = 4_000_000

/**
 * SPEC SH15. By field, the line at which each text begins, in the file after the preceding changes.
 * A text that is missing or ambiguous has none, and neither have those after it.
 */
export function replacedLines(
  content: string,
  replacements: readonly Replacement[],
): Readonly<Record<string, number>> {
  const lines: Record<string, number> = {}
  let text = unixLines(content)
  let searched = 0
  for (const { field, before: given, after, everywhere } of replacements) {
    const before = unixLines(given)
    searched += text.length + before.length
    if (searched > SEARCHED_MAX) break
    const [first, second] = placesOf(before, text)
    if (first === undefined || (second !== undefined && !everywhere)) break
    lines[field] = text.slice(0, first).split('\n').length
    if (everywhere) break
    text = `${text.slice(0, first)}${after}${text.slice(first + before.length)}`
  }
  return lines
}

/** Clients show files to their agents with these line ends, and agents return them. */
function unixLines(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

/**
 * The first two occurrences of a part, by Knuth, Morris and Pratt: `indexOf` takes a second where
 * an agent has chosen both texts.
 */
function placesOf(part: string, text: string): readonly number[] {
  const borders = new Uint32Array(part.length + 1)
  const step = (length: number, code: number) => {
    let at = length
    while (at > 0 && part.charCodeAt(at) !== code) at = borders[at] ?? 0
    return part.charCodeAt(at) === code ? at + 1 : at
  }
  for (let i = 1; i < part.length; i += 1)
    borders[i + 1] = step(borders[i] ?? 0, part.charCodeAt(i))
  const places: number[] = []
  let length = 0
  for (let i = 0; i < text.length && places.length < 2; i += 1) {
    length = step(length, text.charCodeAt(i))
    if (length === part.length) places.push(i + 1 - length)
  }
  return places
}
