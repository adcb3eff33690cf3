import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Env } from '../agents/agent.ts'
import {
  type HomeContext,
  isBlankText,
  type OwnPaths,
  type Setup,
  type Texts,
} from '../agents/setup.ts'
import type { Folders } from '../home/folders.ts'
import { realPath } from '../home/plain-file.ts'
import type { ClientInUse } from './clients.ts'
import { otherOwnerOf, readSettingsFile, type SettingsFile } from './files.ts'
import { homesIn, type Note, type NotedHome } from './note.ts'
import { hookOf } from './scripts.ts'

/** An agent that can be set up, and where. */
export interface Target {
  readonly agent: string
  readonly setup: Setup
  readonly homes: readonly string[]
  /** The client's version; without it only what every supported client understands is written. */
  readonly version?: string | undefined
  /** For each home the oldest client that uses it; its version decides. */
  readonly oldest?: Readonly<Record<string, ClientInUse | undefined>>
}

/** The options that the user asked for, beside the hooks. */
export interface InstallWish {
  readonly asked: Readonly<Record<string, boolean | undefined>>
  readonly allEvents?: boolean | undefined
  readonly env: Env
}

/** The planned changes to the files of one home. */
export interface HomePlan {
  readonly target: Target
  readonly home: string
  readonly files: readonly (FoundFile & { readonly after: string | undefined })[]
  readonly warnings: readonly string[]
  /** Whether the client will read its files then. */
  readonly inForce: boolean
  /** Events that lose their hook, while others keep theirs. */
  readonly dropped: readonly string[]
}

/** The plan of install for one home. */
export interface InstallPlan extends HomePlan {
  readonly noted: NotedHome
}

type FoundFile = SettingsFile & { readonly file: string }

/** SPEC I4. If everything is in place already, `after` is what was read. */
export function planFor(
  target: Target,
  home: string,
  folders: Folders,
  note: Note,
  wanted: InstallWish,
): InstallPlan {
  const { setup } = target
  const known = homesIn(note, target.agent)[home]
  const place = homeContextOf(target, home, folders, note)
  const found = foundIn(setup, home)
  const texts = textsOf(found)
  const base = withoutVigil(setup, texts, place, known)
  const planned = setup.plan(texts, base, { ...place, ...wanted })
  const { texts: after, memory, warnings, inForce } = planned
  const kept = setup.installedEvents(after, place.own)
  const isSame = setup.files.every((file) => after[file] === texts[file])
  const noted = setup.files.flatMap((file) => {
    const written = after[file]
    if (written === undefined) return []
    const before = isSame ? known?.files[file] : undefined
    return [[file, before ?? { before: base[file] ?? null, after: written }]]
  })
  return {
    target,
    home,
    files: found.map((one) => ({ ...one, after: after[one.file] })),
    noted: {
      files: Object.fromEntries(noted),
      memory: { ...memory },
      made: known?.made ?? [],
      version: place.version ?? null,
    },
    warnings: [...warnings, ...ofAnother(home)],
    inForce,
    dropped: setup.installedEvents(texts, place.own).filter((event) => !kept.includes(event)),
  }
}

/** SPEC I28. */
function ofAnother(home: string): string[] {
  const uid = otherOwnerOf(home)
  if (uid === undefined) return []
  return [
    `${home} belongs to user ${uid}, whose clients cannot run this user’s hooks; ` +
      'run vigil install as that user',
  ]
}

/** What an agent needs to know about one home. */
export function homeContextOf(
  { agent, version, oldest }: Pick<Target, 'agent' | 'version' | 'oldest'>,
  home: string,
  folders: Folders,
  note: Note,
): HomeContext {
  return {
    home,
    real: realPath(home),
    version: oldest?.[home]?.version ?? version,
    memory: homesIn(note, agent)[home]?.memory,
    own: ownPathsOf(agent, folders, note.hooks),
    sha256: sha256Of,
  }
}

export function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

export function ownPathsOf(
  agent: string,
  folders: Folders,
  earlier: readonly string[] = [],
): OwnPaths {
  const hook = hookOf(folders, agent)
  return { hook, earlier, scripts: folders.hooks, copies: folders.data }
}

/** The plan of uninstall for one home. */
export function removalFor(target: Target, home: string, folders: Folders, note: Note): HomePlan {
  const { setup, agent } = target
  const found = foundIn(setup, home)
  const place = homeContextOf(target, home, folders, note)
  const after = withoutVigil(setup, textsOf(found), place, homesIn(note, agent)[home])
  const files = found.map((one) => ({ ...one, after: after[one.file] }))
  return { target, home, files, warnings: [], inForce: false, dropped: [] }
}

export function foundIn(setup: Setup, home: string): FoundFile[] {
  return setup.files.map((file) => ({ ...readSettingsFile(join(home, file)), file }))
}

export function textsOf(found: readonly FoundFile[]): Texts {
  return Object.fromEntries(found.map(({ file, text }) => [file, text]))
}

/**
 * SPEC I7. The files without vigil: the original bytes if a file is exactly what install wrote,
 * otherwise the edited file without vigil's part.
 */
export function withoutVigil(
  setup: Setup,
  texts: Texts,
  place: HomeContext,
  known: NotedHome | undefined,
): Texts {
  const without = (file: string): string | undefined => {
    const [text, noted] = [texts[file], known?.files[file]]
    const before = noted?.before ?? undefined
    if (noted && text === noted.after) return before
    if (isBlankText(text)) return text
    const rest = setup.remove(file, text, place)
    // If the file is missing or empty, install begins it with what its format needs.
    const begun = noted && rest !== text && isBlankText(before)
    return begun && isBare(rest) ? before : rest
  }
  return Object.fromEntries(setup.files.map((file) => [file, without(file)]))
}

/** Empty, or only brackets. */
function isBare(text: string): boolean {
  return /^\s*(?:\{\s*\}\s*)?$/.test(text)
}
