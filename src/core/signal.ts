/** What a source saw, in words that hold for every agent. See docs/spec, vocabulary. */

export const SOURCES = [
  'process',
  'registry',
  'server',
  'title',
  'loop',
  'hook',
  'transcript',
  'statusline',
  'keystroke',
  'screen',
] as const
export type Source = (typeof SOURCES)[number]

/** Raw, as a source delivered it: only its time and its source are trusted. */
export interface Report {
  readonly t: number
  readonly source: Source
  readonly [field: string]: unknown
}

/** What a signal is about. Sources know different handles; `Sessions` joins them. */
export interface About {
  readonly agent: string
  readonly session?: string | undefined
  readonly pid?: number | undefined
  /** A process that is the session's only if it is known as a client: a server runs hooks, too. */
  readonly runner?: number | undefined
  readonly start?: string | undefined
  readonly pane?: string | undefined
  /** The agent's own name for the working folder, equal for every source that knows it. */
  readonly folder?: string | undefined
}

export type WaitingFor = 'permission' | 'question' | 'plan' | 'dialog'
export type TurnStarter = 'user' | 'queue' | 'task' | 'compaction' | 'hook'
export type SelfStatus = 'working' | 'waiting' | 'background' | 'idle' | 'other'
/** `text`: the input line below an answer that may still be streaming. */
export type ScreenShows = 'working' | 'background' | 'dialog' | 'prompt' | 'text' | 'nothing'

/** An actor is a subagent's id; none means the session's main agent. */
type Actor = { readonly actor?: string }
type Turn = { readonly turn?: string }

export type Happening =
  /**
   * `how`: `startup` begins a conversation, `resume` takes up an earlier one; other words are only
   * shown. `continues`: in the process of another session, which it continues under a new id.
   */
  | { readonly kind: 'opened'; readonly how: string; readonly continues?: true }
  | ({ readonly kind: 'turn-started'; readonly by: TurnStarter } & Turn)
  /** `asked`: the agent waits for the decision whether it may end. */
  | ({
      readonly kind: 'turn-ended'
      readonly how: 'done' | 'over' | 'compact'
      readonly asked?: true
    } & Turn)
  | ({ readonly kind: 'turn-interrupted' } & Turn)
  | ({ readonly kind: 'turn-failed'; readonly cause: string } & Turn)
  | ({
      readonly kind: 'tool-started'
      readonly id: string
      readonly name: string
      readonly input: string
      /** Reads and changes nothing: a turn of only these is talk, not work. */
      readonly quiet: boolean
      readonly label?: string
    } & Actor &
      Turn)
  | ({ readonly kind: 'tool-ended'; readonly id: string } & Actor)
  | ({ readonly kind: 'tools-settled' } & Actor)
  | ({ readonly kind: 'spoke' } & Actor & Turn)
  | ({
      readonly kind: 'request-opened'
      readonly for: WaitingFor
      readonly tool: string
      readonly input: string
      readonly id?: string
      readonly text?: string
      /** The client draws the dialog after its hooks, unless one of them answers. */
      readonly early?: true
    } & Actor)
  | ({ readonly kind: 'request-closed'; readonly tool: string } & Actor)
  | {
      readonly kind: 'task-started'
      readonly id: string
      readonly what: string
      readonly label?: string
    }
  | { readonly kind: 'task-ended'; readonly id: string }
  | { readonly kind: 'tasks-listed'; readonly tasks: readonly ListedTask[] }
  | { readonly kind: 'compaction'; readonly open: boolean }
  | { readonly kind: 'retrying'; readonly attempt: number }
  | {
      readonly kind: 'self-report'
      readonly status: SelfStatus
      readonly said: string
      readonly for?: WaitingFor
      /** The word covers turns and requests, not dialogs of the client or background work. */
      readonly turnOnly?: true
      /** The beginning of the session's id. */
      readonly idBegins?: string
    }
  | { readonly kind: 'life' }
  /** The session named is a subagent of another one. */
  | { readonly kind: 'is-subagent'; readonly of: string }
  /** The session named is the client's own and is shown to no user. */
  | { readonly kind: 'is-hidden' }
  /**
   * `how`: `clear` and `resume` name what took its place, `other` says nothing; other words are
   * only shown. `continues`: its process continues as another session.
   */
  | { readonly kind: 'left'; readonly how: string; readonly continues?: true }
  | { readonly kind: 'succeeded' }
  /** The session has no user who could answer it. */
  | { readonly kind: 'unattended' }
  /** `ours`: the process may be the agent; another program that got the pid is not. */
  | {
      readonly kind: 'process'
      readonly alive: boolean
      readonly ours: boolean
      /** Its arguments say that it resumes no session. */
      readonly begins?: true
      readonly cwd?: string
    }
  | {
      readonly kind: 'screen'
      readonly shows: ScreenShows
      readonly for?: WaitingFor
      readonly input?: string
      /** The newest that its user sent, where all of it is visible. */
      readonly prompt?: string
    }
  | { readonly kind: 'looked' }
  | { readonly kind: 'typed' }
  | { readonly kind: 'woke' }
  | { readonly kind: 'loop'; readonly loop: LoopFacet | null }
  /** `text`: its beginning. `asks`: it ends with a question. */
  | {
      readonly kind: 'words'
      readonly by: 'user' | 'agent'
      readonly text: string
      readonly asks?: true
    }
  | { readonly kind: 'details'; readonly details: Details }

export type Signal = Happening & {
  /** When it was true, by the source's own clock where it has one; never when it arrived. */
  readonly at: number
  readonly source: Source
  readonly about: About
}

export interface ListedTask {
  readonly id: string
  readonly what: string
  readonly label?: string
}

/** The signals in a report; none where it has nothing to say. */
export type Translate = (report: Report) => readonly Signal[]

export type SignalKind = Signal['kind']
export type SignalOf<K extends SignalKind> = Extract<Signal, { kind: K }>

/** The loop a session is in, as the daemon reports it. */
export interface LoopFacet {
  readonly state: string
  readonly iteration: number
  readonly max: number
  /** Why it does not continue at present, and until when. */
  readonly hold: string | null
  readonly until: number | null
}

/** Details that people want beside the state. Each is shown as reported; none decides a verdict. */
export interface Details {
  readonly cwd?: string
  /** The file the agent writes its conversation to. */
  readonly transcript?: string
  readonly branch?: string
  readonly title?: string
  /** The user's name for the session; empty once it was removed. */
  readonly name?: string
  readonly model?: string
  readonly version?: string
  readonly mode?: string
  readonly contextLeftPercent?: number
  readonly costUsd?: number
  readonly pane?: string
  /** The tmux server's socket: pane ids are unique only within one server. */
  readonly tmux?: string
  readonly tty?: string
  readonly terminal?: string
  readonly todosDone?: number
  readonly todosTotal?: number
  readonly limits?: UsageLimits
}

/** How much of what the user's subscription allows is used, in each of its windows of time. */
export interface UsageLimits {
  /** When it was so. */
  readonly at: number
  readonly windows: readonly LimitWindow[]
}

export interface LimitWindow {
  readonly usedPercent: number
  /** How long the window is. */
  readonly lastsMs: number | null
  readonly resetsAt: number | null
}
