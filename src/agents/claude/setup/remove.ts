import { stripEntries } from '../../../edit/json-entries.ts'
import { stripHooks } from '../../../edit/json-hooks.ts'
import type { HomeContext, OwnPaths } from '../../setup.ts'
import { BLOCK_CAP, pluginEntries } from '../entries.ts'
import { commandsOf } from '../events.ts'
import { pluginOf, statuslineOf, undoOf } from './memory.ts'
import { unwrapStatusline } from './statusline.ts'

/** SPEC I7. A settings file without vigil's entries, whoever edited it since. */
export function removeFromSettings(
  file: string,
  text: string,
  { home, memory, own }: HomeContext,
): string {
  const name = `${home}/${file}`
  const { hollow = {}, wrapped, entries } = memory ? undoOf(memory) : {}
  const unwrapped = unwrapStatusline({ text, hollow }, statuslineOf(own), wrapped, name)
  const stripped = stripHooks(unwrapped, commandsOfAll(own), hollow, name)
  // The note is lost: what stands beside vigil's hooks as vigil would put it is vigil's.
  const likely = stripped === text ? [] : [BLOCK_CAP, ...pluginEntries(pluginOf(own))]
  return stripEntries(stripped, entries ?? likely, hollow, name)
}

/** As they may stand in a file: for a shell or for none, of earlier installs too. */
export function commandsOfAll({ hook, earlier }: OwnPaths): ReadonlySet<string> {
  return new Set([hook, ...earlier].flatMap(commandsOf))
}
