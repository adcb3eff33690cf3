import { broken } from './document.ts'
import { parseToml, type TomlStatement } from './toml.ts'

/** A table with texts alone. */
export interface TomlTable {
  readonly path: readonly string[]
  readonly texts: Readonly<Record<string, string>>
}

/**
 * SPEC I26. Adds tables after everything else in the file. `lead` is what was put before the first
 * of them: a blank line, and the end of the last line where that was missing.
 */
export function addTables(
  text: string,
  tables: readonly TomlTable[],
  name: string,
): { readonly text: string; readonly lead: string } {
  const statements = parseToml(text, name)
  for (const { path } of tables) refuseConflict(statements, path, text, name)
  const eol = /\r\n|\n/.exec(text)?.[0] ?? '\n'
  const isEmpty = text.replace(/^\uFEFF/, '') === ''
  const lead = isEmpty ? '' : text.endsWith('\n') ? eol : eol + eol
  const lines = tables.flatMap(({ path, texts }) => [
    `[${path.map(keyOf).join('.')}]`,
    ...Object.entries(texts).map(([key, value]) => `${keyOf(key)} = ${quoted(value)}`),
  ])
  return { text: text + lead + lines.map((line) => line + eol).join(''), lead }
}

/** Texts in TOML's form, which is JSON's but for one sign. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll('\x7F', '\\u007f')
}

function keyOf(key: string): string {
  return /^[\w-]+$/.test(key) ? key : quoted(key)
}

/** A table cannot be added where its path, or a part of it, is a value or a list of tables. */
function refuseConflict(
  statements: readonly TomlStatement[],
  path: readonly string[],
  text: string,
  name: string,
): void {
  const taken = statements.find(({ kind, path: there, inTable }) => {
    if (kind === 'value')
      return begins(path, there) || (inTable < path.length && begins(there, path))
    return begins(path, there) && (kind === 'tables' || there.length === path.length)
  })
  if (!taken) return
  const [shown, wanted] = [taken.path, path.slice(0, -1)].map((one) => one.map(keyOf).join('.'))
  throw broken(name, text, taken.from, `${shown} leaves no place for [${wanted}.…]`)
}

function begins(path: readonly string[], start: readonly string[]): boolean {
  return start.length <= path.length && start.every((part, at) => path[at] === part)
}

/** The tables of a file with a header of their own, and the texts in each. */
export function tablesIn(text: string, name: string): (TomlTable & Place)[] {
  const tables: (TomlTable & Place & { texts: Record<string, string> })[] = []
  for (const { kind, path, inTable, from, to, value } of parseToml(text, name)) {
    const last = tables.at(-1)
    if (kind !== 'value') tables.push({ path, from, to, texts: {} })
    else if (last) {
      Object.assign(last, { to })
      last.texts[path.slice(inTable).join('.')] = textOf(value)
    }
  }
  return tables
}

interface Place {
  readonly from: number
  readonly to: number
}

/** As written, without its quotes. */
function textOf(value: string): string {
  return /^(["'])(?:(?!\1).)*\1$/.test(value) ? value.slice(1, -1) : value
}

/** SPEC I27. Removes tables, and before the first of them what `addTables` put there. */
export function stripTables(
  text: string,
  isOwn: (table: TomlTable) => boolean,
  lead: string,
  name: string,
): string {
  const own = tablesIn(text, name).filter(isOwn)
  return own.toReversed().reduce((rest, { from, to }, at) => {
    const isFirst = at === own.length - 1
    const [before, after] = [rest.slice(0, from), rest.slice(to)]
    if (!isFirst || !before.endsWith(lead)) return before + after
    const kept = before.slice(0, before.length - lead.length)
    // What was added after the tables needs a line of its own.
    const isOpen = after !== '' && !/(^|\n)$/.test(kept)
    return kept + (isOpen ? lead.slice(lead.length / 2) : '') + after
  }, text)
}
