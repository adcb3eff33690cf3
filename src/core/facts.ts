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
 * What the signals so far have established about one session: plain data, bounded (SPEC F1). Each
 * fact has the time at which it was true, and only the newest of its kind is stored, so the order
 * in which sources deliver does not matter (SPEC O1).
 */
export interface Facts {
  readonly agent: string
  readonly session: string
  /** `firstAt`: when this process first reported for the session. */
  readonly process: (ProcessFact & { readonly firstAt: number }) | undefined
  readonly died: ProcessFact | undefined
  /** The newest scan of the process table that found this pid alive, in any program's hands. */
  readonly sighted: (ProcessFact & { readonly ours: boolean }) | undefined
  readonly opened: Passage | undefined
  readonly left: (Passage & { readonly pid?: number }) | undefined
  /** SPEC W11. The session runs without a user who could answer its requests. */
  readonly unattended: boolean
  /** Its process belongs to another session since then. */
  readonly succeeded: Mark | undefined
  readonly selfReport: SelfReport | undefined
  /** The newest time in which the agent's server worked on it; open where it still does. */
  readonly served: { readonly from: number; readonly to?: number } | undefined
  /** When the client last reported a state other than waiting, and when it last left `waiting`. */
  readonly freeAt: number | undefined
  readonly unblockedAt: number | undefined
  readonly turn: TurnFacts
  readonly tools: readonly Tool[]
  readonly requests: readonly Request[]
  readonly tasks: readonly Task[]
  readonly listed: { readonly at: number; readonly ids: readonly string[] } | undefined
  readonly compaction: (Mark & { readonly open: boolean }) | undefined
  readonly retrying: (Mark & { readonly attempt: number }) | undefined
  readonly screen: Screen | undefined
  /** The newest report of each source about this session: its signs of life. */
  readonly heard: Readonly<Record<Source, number | undefined>>
  readonly wokeAt: number | undefined
  readonly lookedAt: number | undefined
  readonly typedAt: number | undefined
  readonly loop: (Mark & { readonly loop: LoopFacet | null }) | undefined
  /** SPEC VW24. The beginnings of what the user typed last and of what the agent said last. */
  readonly said: { readonly user: Words | undefined; readonly agent: Words | undefined }
  readonly details: Details
}

export interface Mark {
  readonly at: number
  readonly source: Source
}

interface Words extends Mark {
  readonly text: string
  readonly asks?: true
}

/** How a session began or ended, in its agent's word; `continues` as in the signal. */
export interface Passage extends Mark {
  readonly how: string
  readonly continues?: true
}

export interface ProcessFact extends Mark {
  readonly pid: number
  readonly start?: string
}

export interface SelfReport extends Mark {
  readonly status: SelfStatus
  readonly said: string
  readonly for?: WaitingFor
  readonly turnOnly?: true
}

export interface TurnFacts {
  readonly started: (TurnMark & { readonly by: TurnStarter }) | undefined
  readonly ended: TurnEnded | undefined
  /** Newest start by a prompt its user typed. */
  readonly promptedAt: number | undefined
  /**
   * The newest end in the transcript: exact, while a hook's time is late by the hook's own start.
   */
  readonly concludedAt: number | undefined
  readonly interrupted: TurnMark | undefined
  readonly failed: (TurnMark & { readonly cause: string }) | undefined
  readonly queued: TurnMark | undefined
  /** Another hook blocked the end of the turn: its feedback went to the agent. */
  readonly resumed: TurnMark | undefined
  /** The main agent began something: a tool, or output that calls one. */
  readonly active: TurnMark | undefined
  /** A tool of the main agent ended: without other evidence, a turn must be running. */
  readonly touched: TurnMark | undefined
  /** The main agent's model gave output. */
  readonly spoke: TurnMark | undefined
  /** Every tool of the main agent's batch has returned. */
  readonly settledAt: number | undefined
  /** Newest start of a tool that does more than read. */
  readonly workedAt: number | undefined
}

export interface TurnMark extends Mark {
  readonly turn?: string
}

interface TurnEnded extends TurnMark {
  readonly how: 'done' | 'over' | 'compact'
  readonly asked?: true
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
  readonly early?: true
  readonly closedAt?: number
}

/** Work that outlives the turn: a subagent, a background shell, a monitor, a workflow. */
export interface Task {
  readonly id: string
  readonly what?: string
  readonly label?: string
  readonly startedAt?: number
  readonly endedAt?: number
  /** For a subagent: when its whole batch of tools last returned, when it last gave output. */
  readonly settledAt?: number
  readonly spokeAt?: number
}

export interface Screen {
  readonly at: number
  readonly shows: ScreenShows
  readonly for: WaitingFor | undefined
  /** Since when the screen has shown this without a break. */
  readonly since: number
  /** When the screen last showed the input line, that is, no dialog. */
  readonly inputAt: number | undefined
  /** When a spinner was last recognised: proof that this client's screen can be read. */
  readonly workingAt: number | undefined
  readonly input: string | undefined
}

/**
 * Every field is present from the beginning, so that all facts have one shape: copying them, which
 * learning does for every signal, is twice as fast.
 */
export function nothingKnown(agent: string, session: string): Facts {
  return {
    agent,
    session,
    process: undefined,
    died: undefined,
    sighted: undefined,
    opened: undefined,
    left: undefined,
    unattended: false,
    succeeded: undefined,
    selfReport: undefined,
    served: undefined,
    freeAt: undefined,
    unblockedAt: undefined,
    turn: NO_TURN,
    tools: [],
    requests: [],
    tasks: [],
    listed: undefined,
    compaction: undefined,
    retrying: undefined,
    screen: undefined,
    heard: NOTHING_HEARD,
    wokeAt: undefined,
    lookedAt: undefined,
    typedAt: undefined,
    loop: undefined,
    said: NOTHING_SAID,
    details: {},
  }
}

const NOTHING_SAID: Facts['said'] = { user: undefined, agent: undefined }

const NOTHING_HEARD: Facts['heard'] = {
  process: undefined,
  registry: undefined,
  server: undefined,
  title: undefined,
  hook: undefined,
  transcript: undefined,
  statusline: undefined,
  keystroke: undefined,
  screen: undefined,
  loop: undefined,
}

/** When any of the sources last reported on the session; 0 for never. */
export function lastHeardAt({ heard }: Facts, sources: readonly Source[]): number {
  let newest = 0
  for (const source of sources) newest = Math.max(newest, heard[source] ?? 0)
  return newest
}

const NO_TURN: TurnFacts = {
  started: undefined,
  promptedAt: undefined,
  ended: undefined,
  concludedAt: undefined,
  interrupted: undefined,
  failed: undefined,
  queued: undefined,
  resumed: undefined,
  active: undefined,
  touched: undefined,
  spoke: undefined,
  settledAt: undefined,
  workedAt: undefined,
}
