import type { Entry } from '../../../edit/json-entries.ts'
import type { EmptyContainers } from '../../../edit/json-hooks.ts'
import { fields } from '../../read.ts'
import type { OwnPaths, SetupMemory } from '../../setup.ts'
import { BLOCK_CAP } from '../entries.ts'

export const SETTINGS_FILE = 'settings.json'

/** Files of vigil that a settings file may name, besides the hook. */
export const statuslineOf = ({ scripts }: OwnPaths) => `${scripts}/vigil-statusline`
export const pluginOf = ({ copies }: OwnPaths) => `${copies}/plugin`

/** What install did to one settings file, so that it can be undone. */
export interface Undo {
  readonly hollow: EmptyContainers
  /** The user's own status line while vigil's replaces it. */
  readonly wrapped?: Wrapped
  /** What install added besides the hooks: only that is removed again. */
  readonly entries: readonly Entry[]
}

export interface Wrapped {
  /** Its command as written in the file, with quotes and escapes; null for none. */
  readonly literal: string | null
}

/** Notes before 0.6 have no entries. */
export function undoOf(memory: SetupMemory): Undo {
  const { hollow, wrapped, entries } = memory
  const { literal } = fields(wrapped)
  const isWrapped = literal === null || typeof literal === 'string'
  return {
    hollow: Object.fromEntries(
      Object.entries(fields(hollow)).filter(([, inner]) => typeof inner === 'string'),
    ) as EmptyContainers,
    ...(isWrapped && { wrapped: { literal } }),
    entries: (Array.isArray(entries) ? entries : []).map(fields).flatMap((entry) => {
      const { in: within, key, value } = entry
      if (typeof within !== 'string' || typeof key !== 'string') return []
      return [{ in: within, key, value }]
    }),
  }
}

/** Besides the cap every entry is the plugin's. */
export function hasPlugin(memory: SetupMemory): boolean {
  return undoOf(memory).entries.some((entry) => entry.in !== BLOCK_CAP.in)
}
