import type { Folders } from '../home/folders.ts'
import { hasPlugin, readNote } from './note.ts'
import { writePlugin } from './plugin.ts'
import { type ScriptOptions, writeHooks } from './scripts.ts'

/**
 * Brings installed scripts up to date, as after an update that moved Node or vigil itself. Scripts
 * that nobody's settings name are left as they are: after an uninstall they must do nothing.
 */
export function refreshHooks(folders: Folders, options: ScriptOptions): boolean {
  const places = Object.values(readNote(folders).places)
  if (places.length === 0) return false
  writeHooks(folders, options)
  if (places.some(hasPlugin)) writePlugin(folders, options)
  return true
}
