import type { CheckFinding } from './finding.ts'

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
  /** What is sent for an act of the user; none where it cannot be done now. */
  act(act: ServerAct): ServerActPlan | undefined
}

/** What is to be sent to the server, and what of its messages is to be reported. */
export interface Said {
  readonly send: readonly object[]
  readonly report: readonly ServerReport[]
}

/** Of one thread; the fields are the agent's own. */
export interface ServerReport {
  readonly thread: string
  readonly message: object
}

export type ServerAct =
  | { readonly kind: 'prompt'; readonly session: string; readonly text: string }
  | { readonly kind: 'interrupt'; readonly session: string }

export interface ServerActPlan {
  readonly send: readonly object[]
  /** The id of the request whose answer tells whether it was done. */
  readonly id: number
}
