import { shellWord } from '../../../core/shell-word.ts'
import {
  firstJsonExtension,
  type JsonNode,
  lineAndColumn,
  memberOf,
  parseSettings,
} from '../../../edit/document.ts'
import { addEntries, type Entry, valueIn } from '../../../edit/json-entries.ts'
import {
  addHooks,
  checkHooks,
  type Edited,
  type EventHandlers,
  ownHooks,
} from '../../../edit/json-hooks.ts'
import { EditRefused } from '../../../edit/refused.ts'
import { isBlankText, type Planned, type Texts, type Wish } from '../../setup.ts'
import { isAtLeast } from '../../version.ts'
import { BLOCK_CAP, PLUGIN_SINCE, pluginEntries } from '../entries.ts'
import { handlerFor, wantedEvents } from '../events.ts'
import {
  hasPlugin,
  pluginOf,
  SETTINGS_FILE,
  statuslineOf,
  type Undo,
  undoOf,
  type Wrapped,
} from './memory.ts'
import { commandsOfAll } from './remove.ts'
import { wrapStatusline } from './statusline.ts'

/** SPEC I4. Where everything is in place already, returns the text unchanged. */
export function planSettings(found: Texts, base: Texts, wish: Wish): Planned {
  const { home, version, memory, own, asked, allEvents } = wish
  const name = `${home}/${SETTINGS_FILE}`
  const text = found[SETTINGS_FILE]
  const known = memory && undoOf(memory)
  const wrap = asked.statusline ?? known?.wrapped !== undefined
  const root = isBlankText(text) ? undefined : parseSettings(text, name)
  const entries = entriesFor(root, wish)
  const planned = (after: string, undo: Undo): Planned => ({
    texts: { [SETTINGS_FILE]: after },
    memory: { ...undo },
    warnings: [...silencedBy(after, version), ...pluginWarnings(after, version, entries)],
    inForce: silencedBy(after, version).length === 0,
  })
  const wanted = wantedFor(own.hook, version, allEvents)
  if (!isBlankText(text) && root && known) {
    checkHooks(text, root, name)
    if (isInPlace(root, wanted, wrap, wish) && areInPlace(root, entries, known.entries))
      return planned(text, known)
  }
  const before = base[SETTINGS_FILE]
  const hooked = addHooks(isBlankText(before) ? '{}\n' : before, wanted, name)
  const { added, ...entered } = addEntries(hooked, entries, name)
  const lined: Edited & { wrapped?: Wrapped } = wrap
    ? wrapStatusline(entered, statuslineOf(own), name)
    : entered
  const { text: after, ...undo } = lined
  return planned(after, { ...undo, entries: added })
}

function wantedFor(hook: string, version?: string, all?: boolean): EventHandlers {
  const events = wantedEvents(version, all)
  if (events.length === 0) throw new EditRefused(`Claude Code ${version} has no hooks; update it`)
  return new Map(events.map((event) => [event, handlerFor(event, hook, version)]))
}

/** The entries to add to the file besides the hooks. */
function entriesFor(root: JsonNode | undefined, wish: Wish): readonly Entry[] {
  const { memory, own, asked, env } = wish
  const folder = pluginOf(own)
  const [, enabled] = pluginEntries(folder)
  const isThere = memory !== undefined && hasPlugin(memory)
  // If the user switched it off, it is switched on only on request.
  const isOff = asked.plugin !== true && root && enabled && valueIn(root, enabled) === false
  const plugin = (asked.plugin ?? isThere) ? pluginEntries(folder, !isOff) : []
  // A cap that the user set elsewhere is left in force.
  return [...(env[BLOCK_CAP.key] ? [] : [BLOCK_CAP]), ...plugin]
}

/** All wanted entries are there, from any author; those of vigil are exactly these. */
function areInPlace(root: JsonNode, wanted: readonly Entry[], added: readonly Entry[]): boolean {
  const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
  return (
    wanted.every((entry) => valueIn(root, entry) !== undefined) &&
    added.every(({ in: within, key, value }) => {
      const entry = wanted.find((one) => one.in === within && one.key === key)
      return entry && isSame(entry.value, value) && isSame(valueIn(root, entry), value)
    })
  )
}

function isInPlace(root: JsonNode, wanted: EventHandlers, wrap: boolean, { own }: Wish): boolean {
  const there = ownHooks(root, commandsOfAll(own))
  const events = new Set(there.map(({ event }) => event))
  const line = memberOf(root, 'statusLine')
  const command = line?.type === 'object' ? memberOf(line, 'command')?.value : undefined
  return (
    there.length === wanted.size &&
    events.size === wanted.size &&
    there.every(({ event, group }) => {
      return JSON.stringify(group) === JSON.stringify({ hooks: [wanted.get(event)] })
    }) &&
    (command === shellWord(statuslineOf(own))) === wrap
  )
}

/** The first client known to load a file with a byte order mark; 2.0.50 does not. */
const MARK_SINCE = '2.1.100'

/** SPEC I12. What keeps the client from running the hooks though they are in the file. */
function silencedBy(text: string, version: string | undefined): string[] {
  const warnings: string[] = []
  const liberty = firstJsonExtension(text)
  if (liberty !== undefined)
    warnings.push(
      `line ${lineAndColumn(text, liberty)}: Claude Code ignores settings files with comments or ` +
        'trailing commas; remove them, or none of its hooks and rules apply',
    )
  if (text.startsWith('\uFEFF') && !(version && isAtLeast(version, MARK_SINCE)))
    warnings.push('begins with a byte order mark; older clients ignore such a file')
  if (memberOf(parseSettings(text, ''), 'disableAllHooks')?.value === true)
    warnings.push('"disableAllHooks" is true; no hook runs until you remove it')
  return warnings
}

function pluginWarnings(
  text: string,
  version: string | undefined,
  entries: readonly Entry[],
): string[] {
  const warnings: string[] = []
  const root = parseSettings(text, '')
  const plugin = entries.find((entry) => entry.in === 'enabledPlugins')
  if (plugin && valueIn(root, plugin) === false)
    warnings.push(`"${plugin.key}" is false: you have switched the plugin off`)
  if (plugin && version && !isAtLeast(version, PLUGIN_SINCE))
    warnings.push(
      `Claude Code ${version} does not run the plugin’s commands; use \`vigil loop\` instead`,
    )
  return warnings
}
