/** What of an agent is written into its hook script: POSIX sh knows no agent by itself. */
export interface HookScript {
  /** Variables of the agent that every report notes, and no others: the rest are secrets. */
  readonly notes: readonly HookNote[]
  /** Other agents run these hooks too, and are known by a variable that they set. */
  readonly borrowers: readonly { readonly variable: string; readonly agent: string }[]
  /** The agent waits for a person only where this variable is empty or has this value. */
  readonly attended?: { readonly variable: string; readonly value: string }
  /** By the word behind `answer`: a text that the payload must have, or must not have. */
  readonly asksAbout: Readonly<Record<string, PayloadTest>>
  /** What may be printed to the agent, by how it begins and ends, with its exit code. */
  readonly prints: readonly HookPrint[]
}

interface HookNote {
  /** Its name in the report's header. */
  readonly as: string
  readonly variable: string
  readonly isNumber?: true
}

type PayloadTest = { readonly has: string } | { readonly lacks: string }

interface HookPrint {
  readonly exit: number
  readonly begins: string
  readonly ends: string
}
