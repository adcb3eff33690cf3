import type { AskedCall } from './answers.ts'
import type { CheckFinding } from './finding.ts'
import type { Fields } from './read.ts'

/** An agent's own server on this machine: where it listens, and what is said to it. */
export interface AgentServer {
  /** The Unix socket, for a home of the agent. */
  readonly socketOf: (home: string) => string
  /** A new conversation with it, from the first message on. */
  readonly talk: () => ServerTalk
  /** A check of what it has in force, for `vigil doctor`; `hook` is vigil's script. */
  readonly check?: (hook: string) => ServerCheck
}

/** A short conversation with a server, which ends with what was found. */
export interface ServerCheck {
  readonly open: () => readonly object[]
  /** What is to be asked next; undefined once all is known. */
  readonly take: (message: unknown) => readonly object[] | undefined
  readonly found: () => CheckFinding | undefined
  /** The server does not answer, for this reason. */
  readonly silent: (why: string) => CheckFinding
}

/** One conversation with a server. Pure: it gives what is to be sent and reported. */
export interface ServerTalk {
  /** When the connection is open. */
  open(): Said
  /** A message of the server. */
  take(message: unknown): Said
  /** What is sent for an act of the user, or why it cannot be done now. */
  act(act: ServerAct): ServerActPlan | { readonly why: string }
}

/** What is to be sent to the server, and what of its messages is to be reported. */
export interface Said {
  readonly send: readonly object[]
  readonly report: readonly ServerReport[]
  readonly asked?: readonly ServerRequest[]
  /** Requests that were answered or withdrawn. */
  readonly over?: readonly string[]
  readonly done?: readonly ServerActDone[]
}

/** Of one thread; the fields are the agent's own. */
export interface ServerReport {
  readonly thread: string
  readonly message: object
}

/** A request that the server holds until somebody answers it. */
export interface ServerRequest {
  /** The same in each connection to the same server, and never that of another request. */
  readonly id: string
  /** When it was asked, if the server tells. */
  readonly at?: number
  readonly asked: AskedCall
}

export type ServerAct =
  | {
      readonly kind: 'prompt'
      readonly session: string
      readonly text: string
      /** For after the running turn. */
      readonly queue: boolean
      /** Names the prompt; no other has it. */
      readonly name: string
    }
  | { readonly kind: 'interrupt'; readonly session: string }
  | {
      readonly kind: 'answer'
      readonly request: string
      /** As the agent's `outputOf` gives it. */
      readonly output: Fields
      /** For the agent, after a denial. */
      readonly word?: string
      readonly at: number
    }

export interface ServerActPlan {
  readonly send: readonly object[]
  /** Names the act when it is done. */
  readonly act: number
}

export interface ServerActDone {
  readonly act: number
  /** Why it was not done, or not wholly. */
  readonly why?: string
}
