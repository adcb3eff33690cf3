import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Folders } from '../home/folders.ts'
import { readSettingsFile, replaceSettings } from './files.ts'
import type { Note } from './note.ts'
import { homeContextOf, type Target } from './plan.ts'

/**
 * Removes the client's own records of parts that are no longer installed. A file that cannot be
 * read or is being written is left alone: nothing depends on it.
 */
export function cleanTraces(target: Target, home: string, folders: Folders, note: Note): void {
  const { traces } = target.setup
  if (!traces) return
  try {
    const found = traces.files.map((file) => ({ ...readSettingsFile(join(home, file)), file }))
    const texts = Object.fromEntries(found.map(({ file, text }) => [file, text]))
    const clean = traces.clean(texts, homeContextOf(target, home, folders, note))
    for (const one of found) {
      const text = clean.texts[one.file]
      if (text !== one.text) replaceSettings(one, text)
    }
    for (const folder of clean.folders) rmSync(join(home, folder), { recursive: true, force: true })
  } catch {
    // Leaves the file alone.
  }
}
