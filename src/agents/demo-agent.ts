import type { Report } from '../core/signal.ts'
import type { Fields } from './read.ts'

/** A session of the demo. */
export interface DemoSession {
  readonly id: string
  readonly pid: number
  readonly cwd: string
  readonly branch: string
  /** The folder that would hold its agent's files. */
  readonly home: string
}

/** What an agent of the demo does; each agent translates it into its own terms. */
export type DemoCall =
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

/** `number` distinguishes the calls of a session. */
export type DemoEvent =
  | { readonly is: 'start' }
  | { readonly is: 'prompt' | 'say' | 'stop' | 'fail'; readonly text: string }
  | {
      readonly is: 'begin' | 'request' | 'resume' | 'end'
      readonly call: DemoCall
      readonly number: number
    }

/** How an agent appears to vigil while it works: for the demo. */
export interface DemoAgent {
  /** The reports that its sources would deliver. */
  readonly reportsOf: (session: DemoSession, event: DemoEvent, at: number) => readonly Report[]
  /** The decision in the output that its hook would print. */
  readonly decisionOf: (output: Fields) => DemoDecision
}

export interface DemoDecision {
  readonly allowed: boolean
  /** What its user wrote or chose, if anything. */
  readonly words: string
}
