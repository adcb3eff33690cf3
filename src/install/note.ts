import { readFileSync, renameSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { z } from 'zod'
import { UNNAMED_AGENT } from '../agents/index.ts'
import type { OwnPaths, Setup } from '../agents/setup.ts'
import { type Folders, privateFolder } from '../home/folders.ts'
import { writePrivate } from '../home/private-file.ts'

/** What install did in one home, so that uninstall can undo exactly that. */
const NotedHome = z.object({
  files: z.record(
    z.string(),
    z.object({
      /** The file without vigil; null if there was none. */
      before: z.string().nullable(),
      /** The file as vigil wrote it. While the file is unchanged, uninstall restores `before`. */
      after: z.string(),
    }),
  ),
  /** What the agent needs to undo the install after the user edited a file. */
  memory: z.record(z.string(), z.unknown()),
  /** Folders that install made, the deepest first. */
  made: z.array(z.string()),
  /** The version that its files were written for; notes before 0.8 have only the agent's. */
  version: z.string().nullable().optional(),
})

const Note = z.object({
  format: z.literal(2),
  /** Paths of vigil's hooks in settings files, including those of earlier installs. */
  hooks: z.array(z.string()),
  agents: z.record(
    z.string(),
    z.object({
      /** The client version that it was set up for; null if none was found. */
      version: z.string().nullable(),
      homes: z.record(z.string(), NotedHome),
    }),
  ),
})

export type NotedHome = z.infer<typeof NotedHome>
export type Note = z.infer<typeof Note>

/** Up to 0.7.0: one agent, one file for each home, and its memory beside it. */
const Note1 = z
  .object({
    format: z.literal(1),
    client: z.string().nullable(),
    hooks: z.array(z.string()),
    places: z.record(
      z.string(),
      z.looseObject({
        settings: z.string(),
        before: z.string().nullable(),
        after: z.string(),
        made: z.array(z.string()),
      }),
    ),
  })
  .transform(({ client, hooks, places }): Note => {
    const homes = Object.entries(places).map(([home, place]) => {
      const { settings, before, after, made, ...memory } = place
      const files = { [relative(home, settings)]: { before, after } }
      return [home, { files, memory, made }] as const
    })
    const first = { version: client, homes: Object.fromEntries(homes) }
    return { format: 2, hooks, agents: homes.length > 0 ? { [UNNAMED_AGENT]: first } : {} }
  })

const EMPTY: Note = { format: 2, hooks: [], agents: {} }

/** The note that install wrote. A note that cannot be read is set aside and treated as missing. */
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
    return z.union([Note, Note1]).parse(JSON.parse(text))
  } catch {
    renameSync(path, `${path}.broken`)
    return EMPTY
  }
}

/** The homes in which this agent is set up. */
export function homesIn(note: Note, agent: string): Readonly<Record<string, NotedHome>> {
  return note.agents[agent]?.homes ?? {}
}

/** Events that vigil wrote a hook for into the files of this home. */
export function eventsIn(setup: Setup, { files }: NotedHome, own: OwnPaths): readonly string[] {
  const texts = Object.entries(files).map(([file, { after }]) => [file, after])
  return setup.installedEvents(Object.fromEntries(texts), own)
}

/** An empty note is removed. */
export function writeNote(folders: Folders, note: Note): void {
  if (Object.keys(note.agents).length === 0) {
    rmSync(pathOf(folders), { force: true })
    return
  }
  privateFolder(folders.data)
  writePrivate(pathOf(folders), `${JSON.stringify(note, null, 2)}\n`)
}

function pathOf({ data }: Folders): string {
  return join(data, 'install.json')
}
