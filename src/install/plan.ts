import { join } from 'node:path'
import { isAtLeast, shellWord } from '../agents/claude/events.ts'
import { firstLiberty, memberOf, parseSettings, placeOf } from './document.ts'
import { type Found, readSettings } from './files.ts'
import { addHooks, checkHooks, type Edited, ownHooks, type Wanted } from './hooks.ts'
import type { Place } from './note.ts'
import { isBlank, type Own, withoutVigil } from './own.ts'
import { ownStatusline, type Wrapped, wrapStatusline } from './statusline.ts'

export interface Wish {
  readonly wanted: Wanted
  readonly version: string | undefined
  /** Undefined keeps it as it is. */
  readonly statusline: boolean | undefined
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
  if (text !== undefined && known && isInPlace(text, own, wish, wrap, settings))
    return {
      configDir,
      found,
      after: text,
      place: known,
      passes,
      warnings: warningsFor(text, wish),
    }
  const added: Edited & { wrapped?: Wrapped } = addHooks(begun, wish.wanted, settings)
  const {
    text: after,
    hollow,
    wrapped,
  } = wrap ? wrapStatusline(added, own.statusline, settings) : added
  const place = { settings, before: base ?? null, after, hollow, made, ...(wrapped && { wrapped }) }
  return { configDir, found, after, place, passes, warnings: warningsFor(after, wish) }
}

function isInPlace(text: string, own: Own, wish: Wish, wrap: boolean, name: string): boolean {
  if (isBlank(text)) return false
  const root = parseSettings(text, name)
  checkHooks(text, root, name)
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
function warningsFor(text: string, { version }: Wish): string[] {
  const warnings: string[] = []
  const liberty = firstLiberty(text)
  if (liberty !== undefined)
    warnings.push(
      `line ${placeOf(text, liberty)}: Claude Code loads no settings file with comments or ` +
        'trailing commas; no hook runs until they are gone',
    )
  if (text.startsWith('\uFEFF') && !(version && isAtLeast(version, MARK_SINCE)))
    warnings.push('begins with a byte order mark, with which older clients load no settings file')
  if (memberOf(parseSettings(text, ''), 'disableAllHooks')?.value === true)
    warnings.push('"disableAllHooks" is true; no hook runs until that is gone')
  return warnings
}
