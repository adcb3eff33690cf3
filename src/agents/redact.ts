/**
 * SPEC OS5. What an export may contain of an agent's reports: its own words, which name nothing of
 * its user's. Everything not listed here is hidden, so that a field added later exposes no secrets.
 * Lists are words separated by blanks.
 */
export interface RedactRules {
  /** Names of fields, by how their texts may be exported. */
  readonly fields: Readonly<Partial<Record<ExportRule, string>>>
  /** Objects and lists whose fields are the agent's own; any other holds foreign data. */
  readonly own: string
  /**
   * Parameters and results of the agent's own tools, by name; other tools choose their own names.
   */
  readonly data: { readonly atTop: string; readonly anywhere: string }
  /** The agent's own words, by field. */
  readonly words: Readonly<Record<string, readonly string[]>>
  /** Values of a fixed form, by field. */
  readonly forms: Readonly<Record<string, RegExp>>
  /** Ids as the agent makes them, besides plain and hexadecimal numbers. */
  readonly ids?: RegExp
  /** Words that decide something in any place. */
  readonly deciding: string
  /** Fields whose words become the cause and the end of a verdict. */
  readonly verdict: { readonly cause: readonly string[]; readonly how: readonly string[] }
  /** The name by which a field counts, given its object. */
  readonly fieldOf?: (name: string, owner: Readonly<Record<string, unknown>>) => string
  /** Splits a text into the parts that show its kind, and what its author wrote. */
  readonly textPieces?: (text: string) => readonly TextPiece[]
  /** A tool's name that is not the agent's own. */
  readonly toolPieces?: (tool: string) => readonly TextPiece[] | undefined
  /** Folders that reveal nothing of their user, and by which the agent's files are recognised. */
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
  /** A process's command line without the user's arguments. */
  readonly command?: (command: string) => string | undefined
}

export type ExportRule =
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
  /** Stays where another report has it, and gets another name otherwise. */
  | { readonly id: string }
  /** The agent's name of a working folder. */
  | { readonly folder: string }

export interface Typed {
  readonly before: string
  readonly typed: string
}
