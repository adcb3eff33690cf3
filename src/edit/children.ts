import { childrenOf, endOf, innerOf, type JsonNode, leadOf, skipTrivia } from './document.ts'
import { type Child, hasBreak, indentAt, render, type Style } from './style.ts'

/**
 * SPEC I6. Inserts a child after the last one of an array or object, and changes no other byte.
 * `removeChild` removes exactly what was inserted, in any order, so that both together restore the
 * same bytes. jsonc-parser's own `modify` does not: it reformats the surroundings.
 */
export function insertChild(text: string, container: JsonNode, child: Child, style: Style): string {
  const children = childrenOf(container)
  const [first, last] = [children[0], children.at(-1)]
  if (!first || !last) return intoEmpty(text, container, child, style)
  const comma = commaAfter(text, last)
  const at = endOfLine(text, comma === undefined ? endOf(last) : comma + 1)
  const own = leadOf(text, first.offset)
  // A comment may end the line: the child then needs a new line.
  const lead = hasBreak(own) || !hasBreak(text[at] ?? '') ? own : lineIn(text, container, style)
  const piece = `${lead}${render(child, lead, style)}`
  if (comma !== undefined) return splice(text, at, at, `${piece},`)
  return splice(splice(text, at, at, piece), endOf(last), endOf(last), ',')
}

/** Removes a child, with its comma and the blanks around it. */
export function removeChild(text: string, container: JsonNode, index: number): string {
  const children = childrenOf(container)
  const [before, child, after] = [children[index - 1], children[index], children[index + 1]]
  if (!child) return text
  const comma = commaAfter(text, child)
  if (!before && after && comma !== undefined && isBlank(text.slice(comma + 1, after.offset)))
    return splice(text, child.offset, after.offset, '')
  const from = child.offset - leadOf(text, child.offset).length
  const behind = comma ?? (before && commaAfter(text, before))
  if (behind === undefined) return splice(text, from, endOf(child), '')
  // The later of the two first, so that the other's offset stays valid.
  if (behind < child.offset)
    return splice(splice(text, from, endOf(child), ''), behind, behind + 1, '')
  return splice(splice(text, behind, behind + 1, ''), from, endOf(child), '')
}

/** Restores the blanks of an empty container. */
export function refill(text: string, container: JsonNode, inner: string): string {
  if (childrenOf(container).length > 0 || !isBlank(innerOf(text, container))) return text
  return splice(text, container.offset + 1, endOf(container) - 1, inner)
}

export function splice(text: string, from: number, to: number, piece: string): string {
  return text.slice(0, from) + piece + text.slice(to)
}

function intoEmpty(text: string, container: JsonNode, child: Child, style: Style): string {
  const close = endOf(container) - 1
  const inner = innerOf(text, container)
  const line = lineIn(text, container, style)
  if (isBlank(inner)) {
    const lead = style.oneLine ? '' : line
    const end = style.oneLine ? '' : `${style.eol}${indentAt(text, container.offset)}`
    return splice(text, container.offset + 1, close, `${lead}${render(child, lead, style)}${end}`)
  }
  // Comments stay in place; the child comes after the last.
  const at = close - (/[ \t\r\n]*$/.exec(inner)?.[0].length ?? 0)
  const lead = hasBreak(text.slice(at, close)) ? line : ' '
  return splice(text, at, at, `${lead}${render(child, lead, style)}`)
}

/** The beginning of a line within the container. */
function lineIn(text: string, container: JsonNode, { eol, unit }: Style): string {
  return `${eol}${indentAt(text, container.offset)}${unit}`
}

function commaAfter(text: string, child: JsonNode): number | undefined {
  const at = skipTrivia(text, endOf(child))
  return text[at] === ',' ? at : undefined
}

const SAME_LINE = /(?:[ \t]*(?:\/\/[^\r\n]*|\/\*[\s\S]*?\*\/))*/y

/** Skips comments on the same line: they belong to what precedes them. */
function endOfLine(text: string, from: number): number {
  SAME_LINE.lastIndex = from
  return from + (SAME_LINE.exec(text)?.[0].length ?? 0)
}

function isBlank(text: string): boolean {
  return /^[ \t\r\n]*$/.test(text)
}
