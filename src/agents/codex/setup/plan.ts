import { firstJsonExtension, lineAndColumn, parseSettings } from '../../../edit/document.ts'
import { addHooks, checkHooks, stripHooks } from '../../../edit/json-hooks.ts'
import { addTables } from '../../../edit/toml-tables.ts'
import { type HomeContext, isBlankText, type Planned, type Texts, type Wish } from '../../setup.ts'
import { isAtLeast } from '../../version.ts'
import { HOOKED_EVENTS, handlerOf, OLDEST_CODEX, ownCommands } from '../events.ts'
import { CONFIG_FILE, HOOKS_FILE, undoIn } from './memory.ts'
import {
  areHooksOff,
  eventsMissing,
  keysUntrusted,
  marksFor,
  withoutMarks,
  withoutStale,
} from './trust.ts'

/** SPEC I4. Where everything is in place already, returns the texts unchanged. */
export function planHooks(found: Texts, base: Texts, wish: Wish): Planned {
  const name = `${wish.home}/${HOOKS_FILE}`
  const [hooks = '', config = ''] = [found[HOOKS_FILE], found[CONFIG_FILE]]
  if (wish.memory && !isBlankText(hooks)) {
    checkHooks(hooks, parseSettings(hooks, name), name)
    const isThere = eventsMissing(hooks, wish).length === 0
    if (isThere && keysUntrusted(hooks, config, wish).length === 0)
      return planned({ [HOOKS_FILE]: hooks, [CONFIG_FILE]: config }, wish.memory, wish)
  }
  const before = base[HOOKS_FILE] ?? ''
  const wanted = new Map(HOOKED_EVENTS.map((event) => [event, handlerOf(event, wish.own.hook)]))
  const { text: hooked, hollow } = addHooks(isBlankText(before) ? '{}\n' : before, wanted, name)
  const marks = marksFor(hooked, wish)
  const rest = withoutStale(base[CONFIG_FILE] ?? '', marks, wish)
  const { text: trusting, lead } = addTables(rest, marks, `${wish.home}/${CONFIG_FILE}`)
  const hashes = [...new Set(marks.flatMap(({ texts }) => Object.values(texts)))]
  return planned({ [HOOKS_FILE]: hooked, [CONFIG_FILE]: trusting }, { hollow, lead, hashes }, wish)
}

function planned(
  texts: Readonly<Record<string, string>>,
  memory: Planned['memory'],
  { home, version }: Wish,
): Planned {
  const silenced = silencers(texts[HOOKS_FILE] ?? '', texts[CONFIG_FILE] ?? '', home)
  const warnings = [...silenced, ...olderThanTested(version)]
  return { texts, memory, warnings, inForce: silenced.length === 0 }
}

/** SPEC CX59. An older client may know neither these files nor these marks. */
function olderThanTested(version: string | undefined): string[] {
  if (version === undefined || isAtLeast(version, OLDEST_CODEX)) return []
  return [
    `Codex ${version} may not run these hooks: vigil was tested with ${OLDEST_CODEX} and later`,
  ]
}

/** SPEC CX25. What keeps the client from running the hooks though they are in its files. */
export function silencers(hooks: string, config: string, home: string): string[] {
  const liberty = firstJsonExtension(hooks)
  const warnings: string[] = []
  if (liberty !== undefined) {
    const at = `${HOOKS_FILE}:${lineAndColumn(hooks, liberty)}`
    warnings.push(`${at}: Codex loads no hooks file with comments or trailing commas`)
  }
  if (hooks.startsWith('\uFEFF'))
    warnings.push(`${HOOKS_FILE} begins with a byte order mark: Codex does not load it`)
  if (areHooksOff(config, home))
    warnings.push(`${CONFIG_FILE}: features.hooks is false; no hook runs until that is gone`)
  return warnings
}

/** SPEC I7, CX24. One of the two files without vigil's part, however it was edited since. */
export function removeHooks(file: string, text: string, place: HomeContext): string {
  if (file === CONFIG_FILE) return withoutMarks(text, place)
  const commands = ownCommands([place.own.hook, ...place.own.earlier])
  return stripHooks(text, commands, undoIn(place.memory).hollow, `${place.home}/${file}`)
}
