import type { Folders } from '../home/folders.ts'
import { readNote } from './note.ts'
import { type ScriptOptions, writeHooks } from './scripts.ts'

/**
 * Brings installed scripts up to date, as after an update that moved Node or vigil itself. Scripts
 * that nobody's settings name are left as they are: after an uninstall they must do nothing.
 */
export function refreshHooks(folders: Folders, options: ScriptOptions): boolean {
  const isInstalled = Object.keys(readNote(folders).places).length > 0
  if (isInstalled) writeHooks(folders, options)
  return isInstalled
}
