import { join } from 'node:path'
import { BLOCK_CAP, type Entry, PLUGIN_SINCE, pluginEntries } from '../agents/claude/entries.ts'
import { isAtLeast, shellWord } from '../agents/claude/events.ts'
import { firstLiberty, type JsonNode, memberOf, parseSettings, placeOf } from '../edit/document.ts'
import { addEntries, valueIn } from './entries.ts'
import { type Found, readSettings } from './files.ts'
import { addHooks, checkHooks, type Edited, ownHooks, type Wanted } from './hooks.ts'
import { hasPlugin, type Place } from './note.ts'
import { isBlank, type Own, withoutVigil } from './own.ts'
import { ownStatusline, type Wrapped, wrapStatusline } from './statusline.ts'

export interface Wish {
  readonly wanted: Wanted
  readonly version: string | undefined
  /** Undefined keeps it as it is. */
  readonly statusline: boolean | undefined
  /** The same for the plugin. */
  readonly plugin: boolean | undefined
  /** False: its user has set a cap of their own elsewhere. */
  readonly cap: boolean
}

/** What install would do to one config folder. */
export interface Plan {
  readonly configDir: string
  readonly found: Found
  readonly after: string
  readonly place: Place
  /** The user's own status line command that vigil's has to pass through; null for none. */
  readonly passes: string | null | undefined
  readonly warnings: readonly string[]
}

/** SPEC I4. Nothing to do where all is in place already: `after` is then what was found. */
export function planFor(configDir: string, known: Place | undefined, own: Own, wish: Wish): Plan {
  const settings = join(configDir, 'settings.json')
  const found = readSettings(settings)
  const { text } = found
  const wrap = wish.statusline ?? known?.wrapped !== undefined
  const base = withoutVigil(text, known, own, settings)
  const begun = base === undefined || isBlank(base) ? '{}\n' : base
  const passes = wrap ? (ownStatusline(begun, own.statusline, settings) ?? null) : undefined
  const made = known?.made ?? []
  const root = text === undefined || isBlank(text) ? undefined : parseSettings(text, settings)
  const entries = entriesFor(root, known, own, wish)
  const planned = (after: string, place: Place) => {
    const warnings = warningsFor(after, wish, entries)
    return { configDir, found, after, place, passes, warnings }
  }
  if (text !== undefined && root && known) {
    checkHooks(text, root, settings)
    if (isInPlace(root, own, wish, wrap) && areInPlace(root, entries, known.entries ?? []))
      return planned(text, known)
  }
  const hooked = addHooks(begun, wish.wanted, settings)
  const { added, ...entered } = addEntries(hooked, entries, settings)
  const lined: Edited & { wrapped?: Wrapped } = wrap
    ? wrapStatusline(entered, own.statusline, settings)
    : entered
  const { text: after, hollow, wrapped } = lined
  const place = { settings, before: base ?? null, after, hollow, ...(wrapped && { wrapped }) }
  return planned(after, { ...place, entries: [...added], made })
}

/** What is to be in the file beside the hooks. */
function entriesFor(
  root: JsonNode | undefined,
  known: Place | undefined,
  own: Own,
  wish: Wish,
): readonly Entry[] {
  const [, enabled] = pluginEntries(own.plugin)
  const isThere = known && hasPlugin(known)
  // Switched off by its user, it is only switched on when asked for.
  const isOff = wish.plugin !== true && root && enabled && valueIn(root, enabled) === false
  const plugin = (wish.plugin ?? isThere) ? pluginEntries(own.plugin, !isOff) : []
  return [...(wish.cap ? [BLOCK_CAP] : []), ...plugin]
}

/** Those wanted are there, whoever put them; those of vigil's are just these. */
function areInPlace(
  root: JsonNode,
  wanted: readonly Entry[],
  added: Place['entries'] = [],
): boolean {
  const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
  return (
    wanted.every((entry) => valueIn(root, entry) !== undefined) &&
    added.every(({ in: within, key, value }) => {
      const entry = wanted.find((one) => one.in === within && one.key === key)
      return entry && isSame(entry.value, value) && isSame(valueIn(root, entry), value)
    })
  )
}

function isInPlace(root: JsonNode, own: Own, wish: Wish, wrap: boolean): boolean {
  const there = ownHooks(root, own.commands)
  const events = new Set(there.map(({ event }) => event))
  const line = memberOf(root, 'statusLine')
  const command = line?.type === 'object' ? memberOf(line, 'command')?.value : undefined
  return (
    there.length === wish.wanted.size &&
    events.size === wish.wanted.size &&
    there.every(({ event, group }) => {
      const handler = [...wish.wanted].find(([name]) => name === event)?.[1]
      return JSON.stringify(group) === JSON.stringify({ hooks: [handler] })
    }) &&
    (command === shellWord(own.statusline)) === wrap
  )
}

/** The first client known to load a file with a byte order mark; 2.0.50 does not. */
const MARK_SINCE = '2.1.100'

/** SPEC I12. What keeps the client from running the hooks though they are in the file. */
function warningsFor(text: string, { version }: Wish, entries: readonly Entry[]): string[] {
  const warnings: string[] = []
  const root = parseSettings(text, '')
  const liberty = firstLiberty(text)
  if (liberty !== undefined)
    warnings.push(
      `line ${placeOf(text, liberty)}: Claude Code loads no settings file with comments or ` +
        'trailing commas; no hook runs until they are gone',
    )
  if (text.startsWith('\uFEFF') && !(version && isAtLeast(version, MARK_SINCE)))
    warnings.push('begins with a byte order mark, with which older clients load no settings file')
  if (memberOf(root, 'disableAllHooks')?.value === true)
    warnings.push('"disableAllHooks" is true; no hook runs until that is gone')
  const plugin = entries.find((entry) => entry.in === 'enabledPlugins')
  if (plugin && valueIn(root, plugin) === false)
    warnings.push(`"${plugin.key}" is false: its user has switched the plugin off`)
  if (plugin && version && !isAtLeast(version, PLUGIN_SINCE))
    warnings.push(`Claude Code ${version} does not run the plugin’s commands; vigil loop does`)
  return warnings
}
