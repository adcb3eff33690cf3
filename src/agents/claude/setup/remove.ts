import { stripEntries } from '../../../edit/json-entries.ts'
import { stripHooks } from '../../../edit/json-hooks.ts'
import type { HomeContext, OwnPaths } from '../../setup.ts'
import { BLOCK_CAP, pluginEntries } from '../entries.ts'
import { commandsOf } from '../events.ts'
import { pluginOf, statuslineOf, undoOf } from './memory.ts'
import { unwrapStatusline } from './statusline.ts'

/** SPEC I7. A settings file without vigil's entries, however it was edited since. */
export function removeFromSettings(
  file: string,
  text: string,
  { home, memory, own }: HomeContext,
): string {
  const name = `${home}/${file}`
  const { hollow = {}, wrapped, entries } = memory ? undoOf(memory) : {}
  const unwrapped = unwrapStatusline({ text, hollow }, statuslineOf(own), wrapped, name)
  const stripped = stripHooks(unwrapped, commandsOfAll(own), hollow, name)
  // The note is lost: entries beside vigil's hooks that look like vigil's count as vigil's.
  const likely = stripped === text ? [] : [BLOCK_CAP, ...pluginEntries(pluginOf(own))]
  return stripEntries(stripped, entries ?? likely, hollow, name)
}

/** All forms in which they may be in a file: with or without a shell, from earlier installs too. */
export function commandsOfAll({ hook, earlier }: OwnPaths): ReadonlySet<string> {
  return new Set([hook, ...earlier].flatMap(commandsOf))
}
