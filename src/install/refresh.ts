import type { Folders } from '../home/folders.ts'
import { readNote } from './note.ts'
import { wantedBy, writeOwn } from './own-files.ts'
import type { ScriptOptions } from './scripts.ts'

/**
 * Brings installed scripts up to date, as after an update that moved Node or vigil itself. Scripts
 * that nobody's settings name are left as they are: after an uninstall they must do nothing.
 */
export function refreshHooks(folders: Folders, options: ScriptOptions): boolean {
  const note = readNote(folders)
  writeOwn(folders, wantedBy(note), options)
  return Object.keys(note.agents).length > 0
}
