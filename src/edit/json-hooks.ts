import { insertChild, refill, removeChild } from './children.ts'
import {
  broken,
  childrenOf,
  dataOf,
  indexOfKey,
  innerOf,
  type JsonNode,
  memberOf,
  parseSettings,
} from './document.ts'
import { type Child, styleOf } from './style.ts'

/**
 * Handlers by event. Several agents use this form: `{"hooks": {EVENT: [{"hooks": [HANDLER]}]}}`.
 */
export type EventHandlers = ReadonlyMap<string, object>

/** The text between the brackets of existing empty containers, by their path. */
export type EmptyContainers = Readonly<Record<string, string>>

export interface Edited {
  readonly text: string
  readonly hollow: EmptyContainers
}

/** SPEC I6. Adds a separate group for each event, after all others. */
export function addHooks(text: string, wanted: EventHandlers, name: string): Edited {
  const root = parseSettings(text, name)
  checkHooks(text, root, name)
  const group = (handler: object) => ({ hooks: [handler] })
  if (!memberOf(root, 'hooks')) {
    const value = Object.fromEntries([...wanted].map(([event, of]) => [event, [group(of)]]))
    return insertAt({ text, hollow: {} }, [], { key: 'hooks', value }, name)
  }
  let edited: Edited = { text, hollow: {} }
  for (const [event, handler] of wanted) {
    const hooks = memberOf(parseSettings(edited.text, name), 'hooks')
    const there = hooks && memberOf(hooks, event)
    const value = group(handler)
    edited = there
      ? insertAt(edited, ['hooks', event], { value }, name)
      : insertAt(edited, ['hooks'], { key: event, value: [value] }, name)
  }
  return edited
}

/** Inserts a child, and remembers the text of an empty container, so that it can be restored. */
export function insertAt(
  { text, hollow }: Edited,
  path: readonly string[],
  child: Child,
  name: string,
): Edited {
  const root = parseSettings(text, name)
  const container = path.reduce<JsonNode | undefined>(
    (node, key) => node && memberOf(node, key),
    root,
  )
  if (!container)
    throw new Error(
      `${name}: ${path.join('.')} has disappeared while vigil changed the file; try again`,
    )
  const empty = childrenOf(container).length === 0
  return {
    text: insertChild(text, container, child, styleOf(text, root)),
    hollow: empty ? { ...hollow, [path.join('.')]: innerOf(text, container) } : hollow,
  }
}

/** The user must fix hooks of another form: the client drops them, or the whole file. */
export function checkHooks(text: string, root: JsonNode, name: string): void {
  const hooks = memberOf(root, 'hooks')
  if (!hooks) return
  if (hooks.type !== 'object')
    throw broken(name, text, hooks.offset, `"hooks": expected an object, found ${hooks.type}`)
  for (const { children: [key, value] = [] } of childrenOf(hooks))
    if (key && value?.type !== 'array') {
      const what = `"${key.value}": expected an array, found ${value?.type}`
      throw broken(name, text, value?.offset ?? key.offset, what)
    }
}

/** SPEC I7. Removes every hook with one of these commands, and containers left empty. */
export function stripHooks(
  text: string,
  commands: ReadonlySet<string>,
  hollow: EmptyContainers,
  name: string,
): string {
  let rest = text
  for (;;) {
    const root = parseSettings(rest, name)
    const own = ownHooks(root, commands)[0]
    if (!own) return rest
    rest = removeOwn(rest, own, hollow, name)
  }
}

/** One of vigil's hooks and its position: each container with the index that leads to it. */
export interface OwnHook {
  readonly event: string
  readonly value: unknown
  readonly group: unknown
  readonly steps: readonly Step[]
}

interface Step {
  readonly path: string
  readonly container: JsonNode
  readonly index: number
}

export function ownHooks(root: JsonNode, commands: ReadonlySet<string>): OwnHook[] {
  const hooks = memberOf(root, 'hooks')
  if (hooks?.type !== 'object') return []
  const top = { path: '', container: root, index: indexOfKey(root, 'hooks') }
  return childrenOf(hooks).flatMap((property, at) => {
    const [key, groups] = childrenOf(property)
    if (!key || groups?.type !== 'array') return []
    const event = String(key.value)
    const above = [top, { path: 'hooks', container: hooks, index: at }]
    return childrenOf(groups).flatMap((group, place) => {
      const list = group.type === 'object' ? memberOf(group, 'hooks') : undefined
      if (list?.type !== 'array') return []
      const within = { path: `hooks.${event}`, container: groups, index: place }
      return childrenOf(list).flatMap((entry, index) =>
        isOwn(entry, commands)
          ? {
              event,
              value: dataOf(entry),
              group: dataOf(group),
              steps: [...above, within, { path: 'group', container: list, index }],
            }
          : [],
      )
    })
  })
}

function isOwn(entry: JsonNode, commands: ReadonlySet<string>): boolean {
  if (entry.type !== 'object') return false
  const command = memberOf(entry, 'command')?.value
  return typeof command === 'string' && commands.has(command)
}

function removeOwn(
  text: string,
  { steps }: OwnHook,
  hollow: EmptyContainers,
  name: string,
): string {
  // From the hook upwards, as long as the container has nothing else and was not empty before.
  let at = steps.length - 1
  for (; at > 0; at--) {
    const { container, path } = steps[at] as Step
    if (childrenOf(container).length > 1 || hollow[path] !== undefined) break
  }
  const { container, index, path } = steps[at] as Step
  const rest = removeChild(text, container, index)
  if (childrenOf(container).length > 1) return rest
  const left = path.split('.').filter(Boolean)
  const root = parseSettings(rest, name)
  const emptied = left.reduce<JsonNode | undefined>(
    (node, key) => node && memberOf(node, key),
    root,
  )
  return emptied ? refill(rest, emptied, hollow[path] ?? '') : rest
}
