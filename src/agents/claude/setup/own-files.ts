import { removeChild } from '../../../edit/children.ts'
import { dataOf, indexOfKey, memberOf, parseSettings } from '../../../edit/document.ts'
import { EditRefused } from '../../../edit/refused.ts'
import type { OwnFiles, SetupMemory, Traces } from '../../setup.ts'
import { PLUGIN } from '../entries.ts'
import { hasPlugin, pluginOf, undoOf } from './memory.ts'

/** The script of the status line, and the plugin where a home has it. */
export function ownFiles(memories: readonly SetupMemory[]): OwnFiles {
  return {
    scripts: { 'vigil-statusline': { COMMAND: commandOf(memories) } },
    copies: { plugin: memories.some(hasPlugin) },
  }
}

/** One script serves all homes, so it can wrap only one command. */
function commandOf(memories: readonly SetupMemory[]): string {
  const wrapped = memories.flatMap((memory) => undoOf(memory).wrapped ?? [])
  const all = new Set(wrapped.map(({ literal }) => (literal ? String(JSON.parse(literal)) : null)))
  if (all.size <= 1) return [...all][0] ?? ''
  const named = [...all].map((command) => command ?? 'none').join('; ')
  throw new EditRefused(
    `--statusline: these config folders have different status lines (${named}); ` +
      'choose one with --config-dir',
  )
}

const KNOWN = 'plugins/known_marketplaces.json'
const INSTALLED = 'plugins/installed_plugins.json'

/**
 * The client has its own lists of known marketplaces, and copies of their plugins. Only vigil's
 * entries are removed; a list that cannot be read is left alone.
 */
export const traces: Traces = {
  files: [KNOWN, INSTALLED],
  clean: (texts, { own, memory }) => {
    if (memory && hasPlugin(memory)) return { texts, folders: [] }
    const isOurs = (value: unknown) => JSON.stringify(value).includes(pluginOf(own))
    const known = without(texts[KNOWN], [], PLUGIN, isOurs)
    if (known === texts[KNOWN]) return { texts, folders: [] }
    const installed = without(texts[INSTALLED], ['plugins'], `${PLUGIN}@${PLUGIN}`, () => true)
    return {
      texts: { [KNOWN]: known, [INSTALLED]: installed },
      folders: [`plugins/cache/${PLUGIN}`],
    }
  },
}

function without(
  text: string | undefined,
  within: readonly string[],
  key: string,
  isOurs: (value: unknown) => boolean,
): string | undefined {
  try {
    if (text === undefined) return text
    let container = parseSettings(text, '')
    for (const name of within) container = memberOf(container, name) ?? container
    const entry = memberOf(container, key)
    if (!entry || !isOurs(dataOf(entry))) return text
    return removeChild(text, container, indexOfKey(container, key))
  } catch {
    return text
  }
}
