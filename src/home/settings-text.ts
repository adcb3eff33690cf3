import {
  applyEdits,
  findNodeAtLocation,
  getNodeValue,
  type JSONPath,
  modify,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser'
import type { z } from 'zod'
import { SETTINGS, type Settings } from './settings-schema.ts'

/** SPEC VW17. The settings in a text; an error names the line and the key. */
export function settingsIn(text: string, file: string): Settings {
  const { root, first } = treeOf(text, file)
  if (first && text.trim() !== '') {
    const what = printParseErrorCode(first.error).replace(/\B[A-Z]/g, (letter) => ` ${letter}`)
    throw new SettingsError(`${file}:${placeOf(text, first.offset)}: ${what.toLowerCase()}`)
  }
  const found = SETTINGS.safeParse(root ? getNodeValue(root) : {})
  if (found.success) return found.data
  throw new SettingsError(wrong(found.error, { text, file, root }))
}

function treeOf(text: string, file: string) {
  const errors: ParseError[] = []
  try {
    const root = parseTree(blankMark(text), errors, { allowTrailingComma: true })
    return { root, first: errors[0] }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new SettingsError(`${file}: nested too deeply`)
  }
}

/** The settings file cannot be read. Nothing was written. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'

  constructor(what: string) {
    super(`${what}; fix it`)
  }
}

/** SPEC VW18. Changes what the patch names, and leaves every other key and comment unchanged. */
export function changedText(text: string, patch: object): string {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : ''
  const body = text.slice(mark.length)
  let changed = body.trim() === '' ? '{}\n' : body
  for (const [path, value] of leavesOf(patch)) {
    const known = parseTree(changed)
    if (value === undefined && !(known && findNodeAtLocation(known, path))) continue
    const edits = modify(changed, path, value, { formattingOptions: styleOf(changed) })
    changed = applyEdits(changed, edits)
  }
  return mark + changed
}

function styleOf(text: string) {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  return { insertSpaces: !/^\t/m.test(text), tabSize: 2, eol }
}

/** Objects are merged, lists are replaced, `null` removes a key. */
function leavesOf(patch: object, path: JSONPath = []): [JSONPath, unknown][] {
  return Object.entries(patch).flatMap(([key, value]): [JSONPath, unknown][] => {
    const at = [...path, key]
    if (value === undefined) return []
    if (value === null) return [[at, undefined]]
    if (typeof value !== 'object' || Array.isArray(value)) return [[at, value]]
    const inner = leavesOf(value, at)
    return inner.length > 0 ? inner : [[at, value]]
  })
}

interface Place {
  readonly text: string
  readonly file: string
  readonly root: Node | undefined
}

function wrong(error: z.ZodError, { text, file, root }: Place): string {
  const [issue] = error.issues
  const path = (issue?.path ?? []) as JSONPath
  const node = root && findNodeAtLocation(root, path)
  const found = node && text.slice(node.offset, node.offset + node.length)
  const key = path.length > 0 ? `${path.join('.')}: ` : ''
  const what = `${key}${issue?.message}${found === undefined ? '' : `, found ${short(found)}`}`
  return `${file}:${placeOf(text, node?.offset ?? 0)}: ${what}`
}

const FOUND_MAX_CHARS = 40

function short(text: string): string {
  return text.length > FOUND_MAX_CHARS ? `${text.slice(0, FOUND_MAX_CHARS)}…` : text
}

/** A byte order mark is not JSON; a blank in its place preserves every offset. */
function blankMark(text: string): string {
  return text.replace(/^\uFEFF/, ' ')
}

/** Line and column, both from 1, as editors count them. */
function placeOf(text: string, offset: number): string {
  const lines = text
    .slice(0, offset)
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
  return `${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`
}
