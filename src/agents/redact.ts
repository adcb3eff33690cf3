/**
 * SPEC OS5. What an export may tell of an agent's reports: its own words, which name nothing of its
 * user's. Whatever is not said here is hidden, so that a field of tomorrow does not tell today's
 * secrets. Lists are words with blanks between.
 */
export interface RedactRules {
  /** Names of fields, by how their texts may be told. */
  readonly fields: Readonly<Partial<Record<Telling, string>>>
  /** Objects and lists whose fields are the agent's own; any other holds somebody's data. */
  readonly own: string
  /** Parameters and results of the agent's own tools, by name; others are named by their makers. */
  readonly data: { readonly atTop: string; readonly anywhere: string }
  /** The agent's own words, by field. */
  readonly words: Readonly<Record<string, readonly string[]>>
  /** Values that are made by a rule, by field. */
  readonly forms: Readonly<Record<string, RegExp>>
  /** Ids as the agent makes them, beside plain numbers and hexadecimal ones. */
  readonly ids?: RegExp
  /** Words that decide something wherever they stand. */
  readonly deciding: string
  /** Fields whose words become the cause and the end of a verdict. */
  readonly verdict: { readonly cause: readonly string[]; readonly how: readonly string[] }
  /** The name by which a field counts, given the object it stands in. */
  readonly fieldOf?: (name: string, owner: Readonly<Record<string, unknown>>) => string
  /** A text cut into what its kind is known by, and what its writer said. */
  readonly textPieces?: (text: string) => readonly TextPiece[]
  /** A tool's name that is none of the agent's own. */
  readonly toolPieces?: (tool: string) => readonly TextPiece[] | undefined
  /** Folders that say nothing about their user, and by which the agent's files are known. */
  readonly folders: string
  /** A part of a path, given the part above it. */
  readonly pathPieces?: (
    part: string,
    above: string | undefined,
  ) => readonly TextPiece[] | undefined
  /** What the agent itself writes on the screen, and where its user types. */
  readonly screen: {
    readonly words: string
    readonly typedIn?: (line: string, above: string) => Typed | undefined
  }
  /** A process by the words it was started with, without their user's. */
  readonly command?: (command: string) => string | undefined
}

export type Telling =
  | 'word'
  | 'tool'
  | 'server'
  | 'id'
  | 'path'
  | 'folder'
  | 'said'
  | 'tmux'
  | 'tty'

export type TextPiece =
  | { readonly keep: string }
  /** Hidden as a text. */
  | { readonly hide: string }
  /** Gets another name. */
  | { readonly name: string }
  /** Stays where it is told elsewhere, and gets another name where it is not. */
  | { readonly id: string }
  /** The agent's name of a working folder. */
  | { readonly folder: string }

export interface Typed {
  readonly before: string
  readonly typed: string
}
