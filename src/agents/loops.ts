import type { Report } from '../core/signal.ts'
import type { Fields } from './read.ts'

/** What one report means to a loop. */
export type LoopEvent =
  | {
      readonly is: 'stop'
      readonly session: string
      readonly asks: boolean
      /** The session's environment disables loops. */
      readonly off: boolean
      /** The whole last message, where the agent's hook has it. */
      readonly message: string | undefined
      readonly transcript: string | undefined
    }
  /** A command typed during a turn: it stays queued until the agent stops. */
  | { readonly is: 'queued'; readonly session: string }
  /** Submitted by its user: the loop's own command and the text after it. */
  | { readonly is: 'typed'; readonly session: string; readonly text: string }
  | { readonly is: 'compacting'; readonly session: string }
  | { readonly is: 'compacted'; readonly session: string; readonly asks: boolean }
  | ({ readonly is: 'tool'; readonly session: string; readonly failed: boolean } & LoopCall)
  /** As a log tells it: what was called, and then how it ended. */
  | {
      readonly is: 'calls'
      readonly session: string
      readonly calls: readonly (LoopCall & { readonly id: string })[]
    }
  | {
      readonly is: 'results'
      readonly session: string
      readonly results: readonly { readonly id: string; readonly failed: boolean }[]
    }

/** A call of a tool, in words, and whether it can change files. */
export interface LoopCall {
  readonly call: string
  readonly changes: boolean
}

/** What the agent's hook prints, and how it exits. */
export interface HookOutput {
  readonly output: Fields
  readonly exit: number
}

/** How vigil keeps a turn from ending. */
export interface LoopHolding {
  readonly eventOf: (report: Report) => LoopEvent | undefined
  /** The agent must continue, for this reason. */
  readonly goOn: (reason: string) => HookOutput
  /** A text for the agent's context after a compaction. */
  readonly remind: (text: string) => HookOutput
  /** The last message in these lines of a log; undefined while it is still being written. */
  readonly lastMessageIn: (lines: readonly string[]) => string | undefined
  /** How many turns in a row may be blocked, from the session's environment; 0 for any number. */
  readonly capOf: (report: Report) => { readonly session: string; readonly cap: number } | undefined
  /** Whether a client of this version ends turns at this cap. */
  readonly isCapped: (version: string | null, cap: number | undefined) => boolean
}
