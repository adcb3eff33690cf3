import { LOOP_MAX } from '../../core/limits.ts'
import type { Entry } from '../../edit/json-entries.ts'

/**
 * SPEC LP40. How many blocked Stops in a row the client accepts before it ends the turn; its
 * default is 8. Takes effect from every settings file, also in running sessions.
 */
export const BLOCK_CAP: Entry & { readonly value: string } = {
  in: 'env',
  key: 'CLAUDE_CODE_STOP_HOOK_BLOCK_CAP',
  value: String(LOOP_MAX),
}

/** The name of the plugin, and of the marketplace that holds only this plugin. */
export const PLUGIN = 'vigil'

/**
 * SPEC LP41. A plugin in a folder of this machine. The client's own `plugin install` writes these
 * entries too, but reformats the whole file, and its `uninstall` leaves empty ones behind.
 */
export function pluginEntries(folder: string, enabled = true): readonly Entry[] {
  const source = { source: 'directory', path: folder }
  return [
    { in: 'extraKnownMarketplaces', key: PLUGIN, value: { source } },
    { in: 'enabledPlugins', key: `${PLUGIN}@${PLUGIN}`, value: enabled },
  ]
}

/** The first client seen to run a command of the plugin: 2.0.50 asks permission for its input. */
export const PLUGIN_SINCE = '2.1.100'
