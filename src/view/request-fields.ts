import type { Fields } from '../agents/read.ts'
import type { RequestBlock } from './request.ts'

/** The fields of an input that no block shows yet. */
export interface LeftFields {
  peek(name: string): unknown
  /** The path within the input: `edits.2.name`. */
  placeOf(name: string): string
  /** Removes the field from the rest: another block shows it. */
  take(name: string): unknown
  /** Only a text that is not empty; any other value stays in the rest. */
  takeString(name: string): string | null
  /**
   * Draws each entry of a list. The fields of an entry that were not drawn follow it; an entry that
   * is not an object is shown as it is.
   */
  each(name: string, draw: (entry: LeftFields) => readonly RequestBlock[]): RequestBlock[]
  /** Every field that was not taken, as text. */
  rest(): { readonly name: string; readonly text: string }[]
}

/** `at` is the path of these fields within the input: `edits.2.`. */
export function leftOf(given: Fields, at = ''): LeftFields {
  const taken = new Set<string>()
  const peek = (name: string) => (Object.hasOwn(given, name) ? given[name] : undefined)
  const take = (name: string) => {
    taken.add(name)
    return peek(name)
  }
  return {
    peek,
    placeOf: (name) => `${at}${name}`,
    take,
    takeString: (name) =>
      typeof peek(name) === 'string' && peek(name) !== '' ? String(take(name)) : null,
    each: (name, draw) => {
      const entries = peek(name)
      if (!Array.isArray(entries) || entries.length === 0) return []
      take(name)
      return entries.flatMap((entry, i) => drawn(entry, `${at}${name}.${i}`, draw))
    },
    rest: () =>
      Object.entries(given)
        .filter(([name]) => !taken.has(name))
        .map(([name, value]) => ({ name: `${at}${name}`, text: textOf(value) })),
  }
}

function drawn(
  entry: unknown,
  at: string,
  draw: (entry: LeftFields) => readonly RequestBlock[],
): readonly RequestBlock[] {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
    return [{ is: 'field', name: at, text: textOf(entry), marked: true }]
  const left = leftOf(entry as Fields, `${at}.`)
  const blocks = draw(left)
  const rest = left.rest().map((field) => ({ is: 'field' as const, ...field, marked: true }))
  const isEmpty = blocks.length + rest.length + Object.keys(entry).length === 0
  return isEmpty ? [{ is: 'field', name: at, text: '{}', marked: true }] : [...blocks, ...rest]
}

function textOf(value: unknown): string {
  return typeof value === 'string' && value.trim() !== ''
    ? value
    : (JSON.stringify(value, null, 2) ?? 'null')
}
