import type { Env } from './agent.ts'
import type { CheckFinding } from './finding.ts'

/**
 * How an agent is made to report to vigil: what goes into its own files, and how it comes out
 * again. Texts in, texts out; `src/install/` reads, backs up, writes and keeps the note.
 */
export interface Setup {
  /** Files below a home that vigil's part goes into, in the order in which they are written. */
  readonly files: readonly string[]
  /** What `vigil install` offers besides, as `--NAME` and `--no-NAME`. */
  readonly options: readonly SetupOption[]
  /** Names of the hook events that a client of this version reports. */
  readonly eventsFor: (version: string | undefined) => readonly string[]
  /**
   * The files with vigil's part in them. `found` is what is there, `base` the same without vigil's
   * part. Gives back what was found where all is in place.
   */
  readonly plan: (found: Texts, base: Texts, wish: Wish) => Planned
  /** One file without vigil's part, though somebody edited it since or the note is lost. */
  readonly remove: (file: string, text: string, place: HomeContext) => string
  /** What vigil lays out in its own folders, given the memories of all homes. */
  readonly ownFiles: (memories: readonly SetupMemory[]) => OwnFiles
  /** The options that are in force, by this memory. */
  readonly has: (memory: SetupMemory) => readonly string[]
  /** What the client itself has noted of vigil's part. */
  readonly traces?: Traces
  /** Whether what was installed is in force in these homes. */
  readonly check: (
    homes: readonly CheckedHome[],
    look: MachineReader,
  ) => Findings | Promise<Findings>
}

export interface SetupOption {
  readonly name: string
  readonly on: string
  readonly off: string
  /** What to say after it was installed. */
  readonly next?: string
}

type Findings = readonly CheckFinding[]

/** By the file's name below the home; undefined where there is none. */
export type Texts = Readonly<Record<string, string | undefined>>

/** What an agent must remember to undo its plan: plain data, kept in the note. */
export type SetupMemory = Readonly<Record<string, unknown>>

/** One home, and what of vigil's its files may name. */
export interface HomeContext {
  readonly home: string
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
  /** How vigil knows of the client whose version counts. */
  readonly seen?: string | undefined
  /** The command that sets this home up. */
  readonly cure: string
}

export interface Wish extends HomeContext {
  /** By option; undefined keeps it as it is. */
  readonly asked: Readonly<Record<string, boolean | undefined>>
  readonly env: Env
}

export interface Planned {
  readonly texts: Texts
  readonly memory: SetupMemory
  readonly warnings: readonly string[]
  /** Whether the client heeds what is in its files; a warning says why not. */
  readonly inForce: boolean
}

export interface OwnFiles {
  /** Templates of `hook/` beside the hook itself, each with what is filled in. */
  readonly scripts: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Folders of the package that are copied, and whether they are wanted. */
  readonly copies: Readonly<Record<string, boolean>>
}

export interface Traces {
  readonly files: readonly string[]
  /** The files without traces of what is not installed, and folders below the home that go. */
  readonly clean: (texts: Texts, place: HomeContext) => { texts: Texts; folders: readonly string[] }
}

/** What a check may ask of the machine. */
export interface MachineReader {
  readonly platform: string
  /** As people write it, with `~`. */
  readonly shown: (path: string) => string
  /** Undefined where it cannot be read. */
  readonly read: (path: string) => string | undefined
  readonly names: (folder: string) => readonly string[]
  /** What the agent's own program prints; undefined where it fails or does not end. */
  readonly ask: (args: readonly string[], input?: string) => Promise<string | undefined>
}

/** One run with vigil's hooks and nothing installed. */
export interface RunContext extends Pick<HomeContext, 'home' | 'version' | 'own'> {
  readonly cwd: string
  readonly env: Env
  /** Undefined where there is none; throws where it cannot be read. */
  readonly read: (path: string) => string | undefined
  /** A path at which a file may be put for this run, for its user alone. */
  readonly file: string
}

export interface RunPlan {
  readonly args: readonly string[]
  /** What is put at `file`. */
  readonly text?: string
}
