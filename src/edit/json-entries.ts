import { refill, removeChild } from './children.ts'
import {
  broken,
  childrenOf,
  dataOf,
  indexOfKey,
  type JsonNode,
  memberOf,
  parseSettings,
} from './document.ts'
import { type Edited, type EmptyContainers, insertAt } from './json-hooks.ts'

/** One entry of an object in a settings file, such as a variable of its `env`. */
export interface Entry {
  readonly in: string
  readonly key: string
  readonly value: unknown
}

/** SPEC I6. Adds the entries whose names are not taken, and returns those it added. */
export function addEntries(
  edited: Edited,
  wanted: readonly Entry[],
  name: string,
): Edited & { readonly added: readonly Entry[] } {
  let after: Edited = edited
  const added: Entry[] = []
  for (const entry of wanted) {
    const root = parseSettings(after.text, name)
    const container = memberOf(root, entry.in)
    if (container && container.type !== 'object') {
      const what = `"${entry.in}": expected an object, found ${container.type}`
      throw broken(name, after.text, container.offset, what)
    }
    if (container && memberOf(container, entry.key)) continue
    const { in: within, key, value } = entry
    after = container
      ? insertAt(after, [within], { key, value }, name)
      : insertAt(after, [], { key: within, value: { [key]: value } }, name)
    added.push(entry)
  }
  return { ...after, added }
}

/** SPEC I7. Removes added entries that are still the same, and containers left empty. */
export function stripEntries(
  text: string,
  added: readonly Entry[],
  hollow: EmptyContainers,
  name: string,
): string {
  return added.toReversed().reduce((rest, entry) => stripEntry(rest, entry, hollow, name), text)
}

function stripEntry(text: string, entry: Entry, hollow: EmptyContainers, name: string): string {
  const root = parseSettings(text, name)
  const container = memberOf(root, entry.in)
  const found = container && valueIn(root, entry)
  if (!container || !isSame(found, entry.value)) return text
  const more = childrenOf(container).length > 1
  if (more || hollow[entry.in] !== undefined) {
    const rest = removeChild(text, container, indexOfKey(container, entry.key))
    const left = memberOf(parseSettings(rest, name), entry.in)
    return more || !left ? rest : refill(rest, left, hollow[entry.in] ?? '')
  }
  const rest = removeChild(text, root, indexOfKey(root, entry.in))
  if (childrenOf(root).length > 1) return rest
  return refill(rest, parseSettings(rest, name), hollow[''] ?? '')
}

/** The present value under the entry's name, whatever wrote it. */
export function valueIn(root: JsonNode, entry: Entry): unknown {
  const container = memberOf(root, entry.in)
  const member = container?.type === 'object' ? memberOf(container, entry.key) : undefined
  return member && dataOf(member)
}

/** A switch that its user has flipped is still the same entry. */
function isSame(found: unknown, value: unknown): boolean {
  if (typeof value === 'boolean') return typeof found === 'boolean'
  return JSON.stringify(found) === JSON.stringify(value)
}
