import type { Report } from '../core/signal.ts'
import type { Fields } from './read.ts'

/** A session of the demo. */
export interface ActedSession {
  readonly id: string
  readonly pid: number
  readonly cwd: string
  readonly branch: string
  /** The folder its agent would keep its files in. */
  readonly home: string
}

/** What an agent of the demo does, in words that every agent has its own for. */
export type ActedCall =
  | { readonly does: 'run'; readonly command: string; readonly about: string }
  | {
      readonly does: 'edit'
      readonly path: string
      readonly before: string
      readonly after: string
    }
  | { readonly does: 'read'; readonly path: string }
  | { readonly does: 'search'; readonly pattern: string }
  | { readonly does: 'ask'; readonly question: ActedQuestion }
  | { readonly does: 'plan'; readonly plan: string }

interface ActedQuestion {
  readonly question: string
  readonly header: string
  readonly options: readonly { readonly label: string; readonly description: string }[]
}

/** `number` tells the calls of a session apart. */
export type ActedEvent =
  | { readonly is: 'start' }
  | { readonly is: 'prompt' | 'say' | 'stop' | 'fail'; readonly text: string }
  | {
      readonly is: 'begin' | 'request' | 'resume' | 'end'
      readonly call: ActedCall
      readonly number: number
    }

/** How an agent shows up while it does this and that: for the demo. */
export interface Acting {
  /** The reports that its sources would give of it. */
  readonly reportsOf: (session: ActedSession, event: ActedEvent, at: number) => readonly Report[]
  /** What the output that its hook would print tells it. */
  readonly decisionOf: (output: Fields) => ActedDecision
}

export interface ActedDecision {
  readonly allowed: boolean
  /** What its user said or chose, if anything. */
  readonly words: string
}
