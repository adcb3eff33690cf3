import { LOOP_MAX } from '../../core/limits.ts'
import type { Entry } from '../../edit/json-entries.ts'

/**
 * SPEC LP40. So many blocked Stops in a row the client takes before it ends the turn; on its own it
 * takes 8. Seen to be in force past them from every settings file, in sessions that run as well.
 */
export const BLOCK_CAP: Entry & { readonly value: string } = {
  in: 'env',
  key: 'CLAUDE_CODE_STOP_HOOK_BLOCK_CAP',
  value: String(LOOP_MAX),
}

/** The name of the plugin, and of the marketplace it is the only one of. */
export const PLUGIN = 'vigil'

/**
 * SPEC LP41. A plugin in a folder of this machine. The client's own `plugin install` writes these
 * too, but lays out the whole file anew, and its `uninstall` leaves empty ones behind.
 */
export function pluginEntries(folder: string, enabled = true): readonly Entry[] {
  const source = { source: 'directory', path: folder }
  return [
    { in: 'extraKnownMarketplaces', key: PLUGIN, value: { source } },
    { in: 'enabledPlugins', key: `${PLUGIN}@${PLUGIN}`, value: enabled },
  ]
}

/** The first client seen to run a command of the plugin: 2.0.50 wants leave for its input. */
export const PLUGIN_SINCE = '2.1.100'
