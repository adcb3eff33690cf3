import type {
  Details,
  LoopFacet,
  ScreenShows,
  SelfStatus,
  Source,
  TurnStarter,
  WaitingFor,
} from './signal.ts'

/**
 * What the signals so far have established about one session: plain data, bounded (SPEC F1).
 * Each fact keeps the time at which it was true, and only the newest of its kind is kept, so the
 * order in which sources deliver does not matter (SPEC O1).
 */
export interface Facts {
  readonly agent: string
  readonly session: string
  /** `firstAt`: when this process first spoke for the session. */
  readonly process?: ProcessFact & { readonly firstAt: number }
  readonly died?: ProcessFact
  /** The newest look at the process table that found this pid alive, whoever holds it. */
  readonly sighted?: ProcessFact & { readonly ours: boolean }
  readonly opened?: Mark & { readonly how: string }
  readonly left?: Mark & { readonly how: string; readonly pid?: number }
  /** Its process speaks for another session now. */
  readonly succeeded?: Mark
  readonly word?: Word
  /** When the client last said that it does not wait, and when it last left off waiting. */
  readonly freeAt?: number
  readonly unblockedAt?: number
  readonly turn: TurnFacts
  readonly tools: readonly Tool[]
  readonly requests: readonly Request[]
  readonly tasks: readonly Task[]
  readonly listed?: { readonly at: number; readonly ids: readonly string[] }
  readonly compaction?: Mark & { readonly open: boolean }
  readonly retrying?: Mark & { readonly attempt: number }
  readonly screen?: Screen
  /** The newest time each source spoke of this session: its signs of life. */
  readonly heard: Readonly<Partial<Record<Source, number>>>
  readonly wokeAt?: number
  readonly lookedAt?: number
  readonly typedAt?: number
  readonly loop?: Mark & { readonly loop: LoopFacet | null }
  readonly details: Details
}

export interface Mark {
  readonly at: number
  readonly source: Source
}

export interface ProcessFact extends Mark {
  readonly pid: number
  readonly start?: string
}

export interface Word extends Mark {
  readonly status: SelfStatus
  readonly said: string
  readonly for?: WaitingFor
}

export interface TurnFacts {
  readonly started?: TurnMark & { readonly by: TurnStarter }
  readonly ended?: TurnMark & { readonly how: 'done' | 'over' | 'compact' }
  /** The newest end that the transcript told: exact, where a hook's is late by its own start. */
  readonly concludedAt?: number
  readonly interrupted?: TurnMark
  readonly failed?: TurnMark & { readonly cause: string }
  readonly queued?: TurnMark
  /** Another hook would not let the turn end: its feedback went to the agent. */
  readonly resumed?: TurnMark
  /** The main agent began something: a tool, or output that calls one. */
  readonly active?: TurnMark
  /** A tool of the main agent ended: where nothing else is known, a turn must be running. */
  readonly touched?: TurnMark
  /** The main agent's model gave output. */
  readonly spoke?: TurnMark
  /** The main agent's batch of tools was answered in whole. */
  readonly settledAt?: number
  /** Newest start of a tool that is more than looking. */
  readonly workedAt?: number
}

export interface TurnMark extends Mark {
  readonly turn?: string
}

export interface Tool {
  readonly id: string
  readonly name: string
  readonly input: string
  readonly label?: string
  readonly actor?: string
  readonly startedAt?: number
  readonly endedAt?: number
}

export interface Request extends Mark {
  readonly key: string
  readonly for: WaitingFor
  readonly tool: string
  readonly input: string
  readonly id?: string
  readonly actor?: string
  readonly text?: string
  readonly closedAt?: number
}

/** Work that outlives the turn: a subagent, a background shell, a monitor, a workflow. */
export interface Task {
  readonly id: string
  readonly what?: string
  readonly label?: string
  readonly startedAt?: number
  readonly endedAt?: number
  /** For a subagent: when its batch of tools was last answered in whole, when it last spoke. */
  readonly settledAt?: number
  readonly spokeAt?: number
}

export interface Screen {
  readonly at: number
  readonly shows: ScreenShows
  readonly for?: WaitingFor
  /** Since when it has shown this without a break. */
  readonly since: number
  /** When it last showed the input line, that is, no dialog. */
  readonly inputAt?: number
  /** When a spinner was last recognised: proof that this client's screen can be read. */
  readonly workingAt?: number
  readonly input?: string
}

export function nothingKnown(agent: string, session: string): Facts {
  return {
    agent,
    session,
    turn: {},
    tools: [],
    requests: [],
    tasks: [],
    heard: {},
    details: {},
  }
}
