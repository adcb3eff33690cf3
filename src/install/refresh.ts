import type { Folders } from '../home/folders.ts'
import { readNote } from './note.ts'
import { wantedBy, writeOwn } from './own-files.ts'
import type { ScriptOptions } from './scripts.ts'

/**
 * Updates installed scripts, for example after Node or vigil moved. Scripts that no settings file
 * refers to stay as they are: after an uninstall they must do nothing.
 */
export function refreshHooks(folders: Folders, options: ScriptOptions): boolean {
  const note = readNote(folders)
  writeOwn(folders, wantedBy(note), options)
  return Object.keys(note.agents).length > 0
}
