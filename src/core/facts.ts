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
  readonly process: (ProcessFact & { readonly firstAt: number }) | undefined
  readonly died: ProcessFact | undefined
  /** The newest look at the process table that found this pid alive, whoever holds it. */
  readonly sighted: (ProcessFact & { readonly ours: boolean }) | undefined
  readonly opened: Passage | undefined
  readonly left: (Passage & { readonly pid?: number }) | undefined
  /** SPEC W11. Nobody is there to answer its requests. */
  readonly unattended: boolean
  /** Its process speaks for another session now. */
  readonly succeeded: Mark | undefined
  readonly word: Word | undefined
  /** When the client last said that it does not wait, and when it last left off waiting. */
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
  /** The newest time each source spoke of this session: its signs of life. */
  readonly heard: Readonly<Record<Source, number | undefined>>
  readonly wokeAt: number | undefined
  readonly lookedAt: number | undefined
  readonly typedAt: number | undefined
  readonly loop: (Mark & { readonly loop: LoopFacet | null }) | undefined
  /** SPEC VW24. What its user typed last, and what the agent said last: their beginnings. */
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

/** How a session began or ended, in its agent's word; `continues` as the signal says. */
export interface Passage extends Mark {
  readonly how: string
  readonly continues?: true
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
  readonly started: (TurnMark & { readonly by: TurnStarter }) | undefined
  readonly ended: TurnEnded | undefined
  /** Newest start by a prompt its user typed. */
  readonly promptedAt: number | undefined
  /** The newest end that the transcript told: exact, where a hook's is late by its own start. */
  readonly concludedAt: number | undefined
  readonly interrupted: TurnMark | undefined
  readonly failed: (TurnMark & { readonly cause: string }) | undefined
  readonly queued: TurnMark | undefined
  /** Another hook would not let the turn end: its feedback went to the agent. */
  readonly resumed: TurnMark | undefined
  /** The main agent began something: a tool, or output that calls one. */
  readonly active: TurnMark | undefined
  /** A tool of the main agent ended: where nothing else is known, a turn must be running. */
  readonly touched: TurnMark | undefined
  /** The main agent's model gave output. */
  readonly spoke: TurnMark | undefined
  /** The main agent's batch of tools was answered in whole. */
  readonly settledAt: number | undefined
  /** Newest start of a tool that is more than looking. */
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
  readonly for: WaitingFor | undefined
  /** Since when it has shown this without a break. */
  readonly since: number
  /** When it last showed the input line, that is, no dialog. */
  readonly inputAt: number | undefined
  /** When a spinner was last recognised: proof that this client's screen can be read. */
  readonly workingAt: number | undefined
  readonly input: string | undefined
}

/**
 * Every field is there from the beginning, so that all facts have one shape: copying them, which
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
    word: undefined,
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
  title: undefined,
  hook: undefined,
  transcript: undefined,
  statusline: undefined,
  keystroke: undefined,
  screen: undefined,
  loop: undefined,
}

/** When anybody last told anything about the session; 0 for never. */
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
