import type { Env } from './agent.ts'
import type { CheckFinding } from './finding.ts'

/**
 * How an agent is set up to report to vigil: what is added to its own files, and how it is removed.
 * Texts in, texts out; `src/install/` reads, backs up, writes and stores the note.
 */
export interface Setup {
  /** Files below a home that vigil edits, in the order in which they are written. */
  readonly files: readonly string[]
  /** Further options of `vigil install`, as `--NAME` and `--no-NAME`. */
  readonly options: readonly SetupOption[]
  /** Names of the hook events that a client of this version knows. */
  readonly knownEvents: (version: string | undefined) => readonly string[]
  /** Those that vigil asks it for; `all` stands for every event that it knows. */
  readonly wantedEvents: (version: string | undefined, all?: boolean) => readonly string[]
  /** Those that these files have a hook of vigil's for; none where a file cannot be read. */
  readonly installedEvents: (texts: Texts, own: OwnPaths) => readonly string[]
  /**
   * The files with vigil's part in them. `found` is the present content, `base` the same without
   * vigil's part. Returns `found` where everything is in place.
   */
  readonly plan: (found: Texts, base: Texts, wish: Wish) => Planned
  /** One file without vigil's part, even if it was edited since or the note is lost. */
  readonly remove: (file: string, text: string, place: HomeContext) => string
  /** The files that vigil writes into its own folders, given the memories of all homes. */
  readonly ownFiles: (memories: readonly SetupMemory[]) => OwnFiles
  /** The options that are in force, by this memory. */
  readonly has: (memory: SetupMemory) => readonly string[]
  /** What the client itself has stored about vigil's part. */
  readonly traces?: Traces
  /** Whether the installed part is in force in these homes. */
  readonly check: (
    homes: readonly CheckedHome[],
    look: MachineReader,
  ) => Findings | Promise<Findings>
}

export interface SetupOption {
  readonly name: string
  readonly on: string
  readonly off: string
  /** A hint to print after the installation. */
  readonly next?: string
}

type Findings = readonly CheckFinding[]

/** By the file's name below the home; undefined where there is none. */
export type Texts = Readonly<Record<string, string | undefined>>

/** What an agent needs to undo its plan: plain data, stored in the note. */
export type SetupMemory = Readonly<Record<string, unknown>>

/** One home, and the files of vigil that its files may name. */
export interface HomeContext {
  readonly home: string
  /** The folder behind all links. */
  readonly real: string
  /** The client's; undefined where none was found. */
  readonly version: string | undefined
  /** The note's; undefined where vigil was not installed here. */
  readonly memory: SetupMemory | undefined
  readonly own: OwnPaths
  readonly sha256: (text: string) => string
}

export interface OwnPaths {
  /** The hook script. */
  readonly hook: string
  /** Where earlier installs had it. */
  readonly earlier: readonly string[]
  /** The folder of the hook and other scripts. */
  readonly scripts: string
  /** The folder of copies that `OwnFiles` asks for. */
  readonly copies: string
}

export interface CheckedHome extends HomeContext {
  readonly texts: Texts
  /** Where vigil saw the client whose version counts. */
  readonly seen?: string | undefined
  /** The command that sets this home up. */
  readonly cure: string
}

export interface Wish extends HomeContext {
  /** By option; undefined leaves it unchanged. */
  readonly asked: Readonly<Record<string, boolean | undefined>>
  /** Hooks for every event that the client knows. */
  readonly allEvents?: boolean | undefined
  readonly env: Env
}

export interface Planned {
  readonly texts: Texts
  readonly memory: SetupMemory
  readonly warnings: readonly string[]
  /** Whether the client honours its files; a warning says why not. */
  readonly inForce: boolean
}

export interface OwnFiles {
  /** Templates of `hook/` besides the hook itself, each with its values. */
  readonly scripts: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Folders of the package that are copied, and whether they are wanted. */
  readonly copies: Readonly<Record<string, boolean>>
}

export interface Traces {
  readonly files: readonly string[]
  /** The files without traces of what is not installed, and folders below the home to delete. */
  readonly clean: (texts: Texts, place: HomeContext) => { texts: Texts; folders: readonly string[] }
}

/** The parts of the machine that a check may read. */
export interface MachineReader {
  readonly platform: string
  /** As people write it, with `~`. */
  readonly shown: (path: string) => string
  /** Undefined where it cannot be read. */
  readonly read: (path: string) => string | undefined
  readonly names: (folder: string) => readonly string[]
  /**
   * What the agent's own program prints; undefined where it fails or does not end. With `until` its
   * input stays open until it has printed that.
   */
  readonly ask: (
    args: readonly string[],
    input?: string,
    until?: RegExp,
  ) => Promise<string | undefined>
}

/** One run with vigil's hooks, without an installation. */
export interface RunContext extends Pick<HomeContext, 'home' | 'version' | 'own' | 'sha256'> {
  readonly cwd: string
  readonly allEvents?: boolean | undefined
  readonly env: Env
  /** Undefined where there is none; throws where it cannot be read. */
  readonly read: (path: string) => string | undefined
  /** A path for a file of this run, readable only by its user. */
  readonly file: string
}

export interface RunPlan {
  readonly args: readonly string[]
  /** The content of `file`. */
  readonly text?: string
  /** What this run does not have, for its user to read before the agent starts. */
  readonly lacks?: string
}

/** Nothing but blanks, perhaps behind a byte order mark. */
export function isBlankText(text: string | undefined): text is undefined | '' {
  return text === undefined || text.replace(/^\uFEFF/, '').trim() === ''
}
