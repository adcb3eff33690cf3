import { readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { BLOCK_CAP } from '../agents/claude/entries.ts'
import { type Folders, privateFolder } from '../home/folders.ts'
import { writePrivate } from '../home/private-file.ts'

/** What install did in one config folder, so that uninstall can undo just that. */
const Place = z.object({
  settings: z.string(),
  /** The file without vigil: null when there was none. */
  before: z.string().nullable(),
  /** The file as vigil wrote it: as long as it is this, `before` is what to give back. */
  after: z.string(),
  hollow: z.record(z.string(), z.string()),
  /** The user's own status line command as it stood in the file, while vigil's is in its place. */
  wrapped: z.object({ literal: z.string().nullable() }).optional(),
  /** What install put beside the hooks: only that is taken out again. */
  entries: z.array(z.object({ in: z.string(), key: z.string(), value: z.unknown() })).optional(),
  /** Folders that were not there before, the deepest first. */
  made: z.array(z.string()),
})

const Note = z.object({
  format: z.literal(1),
  /** The client's version that the events were chosen for; null when none was found. */
  client: z.string().nullable(),
  /** Paths of vigil's scripts in settings files, those of earlier installs too. */
  hooks: z.array(z.string()),
  places: z.record(z.string(), Place),
})

export type Place = z.infer<typeof Place>
export type Note = z.infer<typeof Note>

/** Beside the cap every entry is the plugin's. */
export function hasPlugin({ entries = [] }: Place): boolean {
  return entries.some((entry) => entry.in !== BLOCK_CAP.in)
}

const EMPTY: Note = { format: 1, client: null, hooks: [], places: {} }

/** What install wrote down; one that cannot be read is set aside and counts as none. */
export function readNote(folders: Folders): Note {
  const path = pathOf(folders)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return EMPTY
    throw error
  }
  try {
    return Note.parse(JSON.parse(text))
  } catch {
    renameSync(path, `${path}.broken`)
    return EMPTY
  }
}

export function writeNote(folders: Folders, note: Note): void {
  privateFolder(folders.data)
  writePrivate(pathOf(folders), `${JSON.stringify(note, null, 2)}\n`)
}

export function removeNote(folders: Folders): void {
  rmSync(pathOf(folders), { force: true })
}

function pathOf({ data }: Folders): string {
  return join(data, 'install.json')
}
