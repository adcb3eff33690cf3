import { parseSettings } from '../../../edit/document.ts'
import { ownHooks } from '../../../edit/json-hooks.ts'
import { EditRefused } from '../../../edit/refused.ts'
import { parseToml } from '../../../edit/toml.ts'
import { stripTables, type TomlTable, tablesIn } from '../../../edit/toml-tables.ts'
import type { HomeContext, OwnPaths, Texts } from '../../setup.ts'
import { HOOKED_EVENTS, handlerOf, ownCommands, trustedText, trustKey } from '../events.ts'
import { CONFIG_FILE, HOOKS_FILE, markOf, ownHashes, undoIn } from './memory.ts'

/** Where the client notes which hooks its user trusts: `[hooks.state."KEY"]`. */
const STATE = ['hooks', 'state']
const MARK = 'trusted_hash'

/**
 * SPEC CX22. The marks of vigil's hooks in a hooks file. The client resolves links of `CODEX_HOME`,
 * and none of its usual folder: where the two differ there is a mark for each.
 */
export function marksFor(hooks: string, place: HomeContext): TomlTable[] {
  const { home, real, own, sha256 } = place
  return [...new Set([home, real])].flatMap((folder) =>
    placesOf(hooks, place).map(({ event, group, handler }) => {
      const key = trustKey(`${folder}/${HOOKS_FILE}`, event, group, handler)
      const mark = markOf(trustedText(event, own.hook), sha256)
      return { path: [...STATE, key], texts: { [MARK]: mark } }
    }),
  )
}

/** The places of vigil's hooks, by the client's count of groups and hooks. */
function placesOf(hooks: string, { home, own }: Pick<HomeContext, 'home' | 'own'>) {
  const root = parseSettings(hooks, `${home}/${HOOKS_FILE}`)
  const commands = ownCommands([own.hook, ...own.earlier])
  return ownHooks(root, commands).flatMap(({ event: name, group: whole, steps }) => {
    const event = HOOKED_EVENTS.find((one) => one === name)
    const [, , inEvent, inGroup] = steps
    if (!event || !inEvent || !inGroup) return []
    return [{ event, whole, group: inEvent.index, handler: inGroup.index }]
  })
}

export function hookedEvents({ [HOOKS_FILE]: hooks = '' }: Texts, own: OwnPaths): string[] {
  try {
    return [...new Set(placesOf(hooks, { home: '', own }).map(({ event }) => event))]
  } catch (error) {
    if (!(error instanceof EditRefused)) throw error
    return []
  }
}

/** The events that lack exactly the hook that install writes. */
export function eventsMissing(hooks: string, place: HomeContext): readonly string[] {
  const there = placesOf(hooks, place)
  return HOOKED_EVENTS.filter((event) => {
    const own = there.filter((one) => one.event === event)
    const wanted = { hooks: [handlerOf(event, place.own.hook)] }
    return own.length !== 1 || JSON.stringify(own[0]?.whole) !== JSON.stringify(wanted)
  })
}

/** The keys of vigil's hooks that config.toml does not trust. */
export function keysUntrusted(hooks: string, config: string, place: HomeContext): string[] {
  const tables = tablesIn(config, nameIn(place))
  const there = new Map(tables.map(({ path, texts }) => [pathKey(path), texts[MARK]]))
  return marksFor(hooks, place).flatMap(({ path, texts }) =>
    there.get(pathKey(path)) === texts[MARK] ? [] : (path.at(-1) ?? []),
  )
}

/** SPEC CX24. config.toml without vigil's marks, wherever they are and whatever came after them. */
export function withoutMarks(config: string, place: HomeContext): string {
  const hashes = ownHashes(place)
  const isOwn = ({ path, texts }: TomlTable) =>
    STATE.every((part, at) => path[at] === part) && hashes.has(texts[MARK] ?? '')
  return stripTables(config, isOwn, undoIn(place.memory).lead, nameIn(place))
}

/** Without marks under these keys: they are for hooks that are not there any more. */
export function withoutStale(
  config: string,
  marks: readonly TomlTable[],
  place: HomeContext,
): string {
  const keys = new Set(marks.map(({ path }) => pathKey(path)))
  return stripTables(config, ({ path }) => keys.has(pathKey(path)), '', nameIn(place))
}

/** The client runs no hook at all with `features.hooks = false`. */
export function areHooksOff(config: string, home: string): boolean {
  return parseToml(config, `${home}/${CONFIG_FILE}`).some(
    ({ path, value }) => path.join('.') === 'features.hooks' && value === 'false',
  )
}

function pathKey(path: readonly string[]): string {
  return JSON.stringify(path)
}

function nameIn({ home }: HomeContext): string {
  return `${home}/${CONFIG_FILE}`
}
