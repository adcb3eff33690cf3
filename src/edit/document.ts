import {
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser'
import { EditRefused } from './refused.ts'

/** A value of a settings file, and its position. */
export type JsonNode = Node

/** SPEC I5. The settings in a text, or a refusal that names the line and the column. */
export function parseSettings(text: string, name: string): JsonNode {
  const errors: ParseError[] = []
  const root = treeOf(text, name, errors)
  const first = errors[0]
  if (first) {
    const what = printParseErrorCode(first.error).replace(/\B[A-Z]/g, (letter) => ` ${letter}`)
    throw broken(name, text, first.offset, what.toLowerCase())
  }
  if (root?.type !== 'object')
    throw broken(name, text, root?.offset ?? 0, `expected an object, found ${root?.type}`)
  return root
}

function treeOf(text: string, name: string, errors: ParseError[]): JsonNode | undefined {
  try {
    // A byte order mark is not JSON; a space in its place preserves every offset.
    return parseTree(text.replace(/^\uFEFF/, ' '), errors, { allowTrailingComma: true })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new EditRefused(`${name}: nested too deeply; nothing was changed`)
  }
}

export function broken(name: string, text: string, offset: number, what: string): EditRefused {
  const at = `${name}:${lineAndColumn(text, offset)}`
  return new EditRefused(`${at}: ${what}; nothing was changed. Fix the file first`)
}

/** Line and column, both from 1, as editors count them. */
export function lineAndColumn(text: string, offset: number): string {
  const before = text.slice(0, offset).replace(/^\uFEFF/, '')
  const lines = before.split(/\r\n|\r|\n/)
  return `${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`
}

/** Of a repeated key the last counts, as it does for the client. */
export function indexOfKey(object: JsonNode, key: string): number {
  return childrenOf(object).findLastIndex((property) => property.children?.[0]?.value === key)
}

export function memberOf(object: JsonNode, key: string): JsonNode | undefined {
  return childrenOf(object)[indexOfKey(object, key)]?.children?.[1]
}

/** The value itself, as plain data. */
export function dataOf(value: JsonNode): unknown {
  return getNodeValue(value)
}

export function childrenOf(value: JsonNode): readonly JsonNode[] {
  return value.children ?? []
}

export function endOf(value: JsonNode): number {
  const last = value.type === 'property' ? (value.children?.[1] ?? value) : value
  return last.offset + last.length
}

/** The text between the brackets. */
export function innerOf(text: string, container: JsonNode): string {
  return text.slice(container.offset + 1, endOf(container) - 1)
}

const TRIVIA = /(?:[ \t\r\n]+|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*/y

/** Past whitespace and comments. */
export function skipTrivia(text: string, from: number): number {
  TRIVIA.lastIndex = from
  return from + (TRIVIA.exec(text)?.[0].length ?? 0)
}

const LEAD = /(?:(?:\r\n|\r|\n)[ \t]*|[ \t]*)$/

/** The whitespace before something: a line's indentation or blanks. */
export function leadOf(text: string, offset: number): string {
  let from = offset
  while (from > 0 && ' \t\r\n'.includes(text[from - 1] ?? '')) from--
  return LEAD.exec(text.slice(from, offset))?.[0] ?? ''
}

/** SPEC I12. Where the first comment or trailing comma is: clients load no file with one. */
export function firstJsonExtension(text: string): number | undefined {
  const errors: ParseError[] = []
  parseTree(text.replace(/^\uFEFF/, ' '), errors, { disallowComments: true })
  return errors[0]?.offset
}
