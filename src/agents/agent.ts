import type { Report, ScreenShows, SelfStatus, Translate, WaitingFor } from '../core/signal.ts'
import type { ToolSigns } from '../core/vocabulary/notify-tmux.ts'
import type { Acting } from './acting.ts'
import type { Answers } from './answers.ts'
import type { HookScript } from './hook-script.ts'
import type { LoopHolding } from './loops.ts'
import type { PaneAnswers } from './pane-answers.ts'
import type { Deliveries, LastWords, Usage } from './records.ts'
import type { RedactRules } from './redact.ts'
import type { RunContext, RunPlan, Setup } from './setup.ts'
import type { TruthReader } from './truth-reader.ts'

/**
 * All that vigil knows of one coding agent. One folder below `src/agents/` and one line of `AGENTS`
 * make an agent; nothing else names it. Pure: parts that read the machine take what they need from
 * here. Optional members are capabilities.
 */
export interface Agent {
  /** As reports and sessions name it. */
  readonly id: string
  /** As people know it. */
  readonly title: string
  /** The program that starts it. */
  readonly command: string
  /** Where its own installers put that program beside PATH. */
  readonly programs?: (userHome: string) => readonly string[]
  /** The oldest version that vigil was tried on. */
  readonly oldest?: string
  readonly versions?: ClientVersions
  /** What a report says in words that hold for every agent. Never throws (SPEC X1). */
  readonly translate: Translate
  /** What a process is to the agent, by the words it was started with; never by a title. */
  readonly recognise: (argv: readonly string[]) => Role | undefined
  /** Folders in which an agent with this environment keeps its files. */
  readonly homes: (env: Env, userHome: string) => readonly string[]
  readonly variables: Variables
  /** The agent's own name of a working folder, as its signals have it; the path itself if none. */
  readonly folderOf?: (cwd: string) => string | undefined
  readonly logs?: Logs
  readonly statusFiles?: StatusFiles
  readonly hook?: HookScript
  /** A hook's name for what happened. */
  readonly eventOf?: (report: Report) => string | undefined
  readonly readScreen?: (text: string) => ScreenReading
  readonly readTitle?: (title: string) => TitleReading | undefined
  readonly answers?: Answers
  readonly paneAnswers?: PaneAnswers
  readonly loop?: LoopHolding
  readonly input?: Input
  /** The command line that goes on with a session. */
  readonly resume?: (session: string) => readonly string[]
  readonly usage?: (report: Report) => Usage | undefined
  /** The newest words in these lines of a log, and the newest call of that tool. */
  readonly talk?: (lines: readonly string[], tool: string | undefined) => LastWords
  /** Compares what hooks reported with what logs show. */
  readonly deliveries?: () => Deliveries
  readonly setup?: Setup
  /** The arguments of one run with vigil's hooks, nothing installed. */
  readonly run?: (given: readonly string[], place: RunContext) => RunPlan
  readonly statusLine?: StatusLine
  readonly redact?: RedactRules
  /** Emoji of its tools in tmux, by the set that its user chose. */
  readonly toolSigns?: Readonly<Record<'document' | 'script', ToolSigns>>
  /** For the demo. */
  readonly acting?: Acting
  /** For measuring recordings. */
  readonly witness?: TruthReader
}

export type Env = Readonly<Record<string, string | undefined>>

/** `client` holds sessions, `wrapper` is about to become a client, `helper` is its errand. */
export type Role = 'client' | 'wrapper' | 'helper'

/** How the version of a client is known without running it. */
export interface ClientVersions {
  /** Of the client that wrote this entry of a log, or this status file. */
  readonly inRecord: (record: unknown) => string | undefined
  /** Of the client at this path, by its name and by the files beside it. */
  readonly ofProgram: (program: string, read: ReadFile) => string | undefined
}

type ReadFile = (path: string) => string | undefined

/** Names of the agent's variables. */
interface Variables {
  /** Set in what the agent's shell runs. */
  readonly marks: readonly string[]
  /** Holds the id of the session whose shell it is. */
  readonly session?: string
  /** Names the agent's home. */
  readonly home?: string
}

/** Files that an agent appends its conversations to. */
export interface Logs {
  /** The folder of all logs of a home. */
  readonly rootOf: (home: string) => string
  /** The home that a log belongs to, by its path. */
  readonly homeOf: (path: string) => string | undefined
  /** Levels of folders between the root and a session's own log. */
  readonly depth: number
  /** How a log's name ends. */
  readonly suffix: string
  readonly isLog: (root: string, path: string) => boolean
  /** Logs of a working folder lie in a folder of its name (`folderOf`), cut at this length. */
  readonly folderNameMax?: number
  /** The name of a session's own log in that folder. */
  readonly nameOf?: (session: string) => string
  /** The folder that holds the logs of a session's subagents; below it `holdsLogs` decides. */
  readonly sessionFolder?: (root: string, log: string) => string | undefined
  readonly holdsLogs?: (root: string, folder: string) => boolean
  readonly logOfActor?: (log: string, actor: string) => string
  /** A line as an object; JSON unless given. Anything else is left out and reported. */
  readonly entryOf?: (line: string) => unknown
  /** An entry that tells nothing of the session: it is not kept. */
  readonly isNoise?: (entry: object) => boolean
}

/** Files in which running clients write their own state, one for each process. */
export interface StatusFiles {
  readonly folderOf: (home: string) => string
  readonly pidIn: (name: string) => number | undefined
  readonly nameOf: (pid: number) => string
  /** What of a file is kept: it may hold secrets. */
  readonly keep: (file: unknown) => Readonly<Record<string, unknown>>
}

export interface ScreenReading {
  readonly shows: ScreenShows
  readonly for?: WaitingFor
  /** What stands in the input line; none where no input line is seen. */
  readonly input?: string
}

/** The state that an agent writes into its terminal's title. */
export interface TitleReading {
  readonly status: SelfStatus
  readonly said: string
  readonly for?: WaitingFor
}

/** What the agent gives to its status line's command. */
interface StatusLine {
  readonly figuresIn: (payload: unknown) => StatusFigures
  /** The line of its settings that has this command run. */
  readonly settingFor: (command: string) => string
}

/** As far as it is known. */
export interface StatusFigures {
  readonly model?: string | undefined
  readonly contextUsedPercent?: number | undefined
}

/** What may be typed into its pane; the input line is found by `readScreen`. */
interface Input {
  /** tmux's names of the keys that interrupt a turn, and their name for people. */
  readonly interrupt: { readonly keys: readonly string[]; readonly words: string }
  /** A prompt that is typed while it works waits there until the turn takes it up or is over. */
  readonly queues?: true
}
