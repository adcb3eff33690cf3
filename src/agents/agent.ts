import type { Report, ScreenShows, SelfStatus, Translate, WaitingFor } from '../core/signal.ts'
import type { ToolSigns } from '../core/vocabulary/notify-tmux.ts'
import type { Answers } from './answers.ts'
import type { DemoAgent } from './demo-agent.ts'
import type { HookScript } from './hook-script.ts'
import type { LoopHolding } from './loops.ts'
import type { PaneAnswers } from './pane-answers.ts'
import type { Deliveries, LastWords, Usage } from './records.ts'
import type { RedactRules } from './redact.ts'
import type { AgentServer } from './servers.ts'
import type { RunContext, RunPlan, Setup } from './setup.ts'
import type { TruthReader } from './truth-reader.ts'

/**
 * Everything that vigil knows of one coding agent. A folder below `src/agents/` and a line of
 * `AGENTS` add an agent; nothing else names it. Pure: parts that read the machine take what they
 * need from here. Optional members are capabilities.
 */
export interface Agent {
  /** Its name in reports and sessions. */
  readonly id: string
  /** Its name for people. */
  readonly title: string
  /** The program that starts it. */
  readonly command: string
  /** Where its own installers put that program, besides PATH. */
  readonly programs?: (userHome: string) => readonly string[]
  /** The oldest version that vigil was tested with. */
  readonly oldest?: string
  readonly versions?: ClientVersions
  /** Translates a report into signals that hold for every agent. Never throws (SPEC X1). */
  readonly translate: Translate
  /** What a process is to the agent, by its arguments; never by a title. */
  readonly recognise: (argv: readonly string[]) => Role | undefined
  /** What is stored of a client's arguments: never the user's text; `command` if undefined. */
  readonly commandOf?: (argv: readonly string[]) => string
  /** Folders in which an agent with this environment stores its files. */
  readonly homes: (env: Env, userHome: string) => readonly string[]
  readonly variables: Variables
  /** The agent's own name of a working folder, as in its signals; the path itself if undefined. */
  readonly folderOf?: (cwd: string) => string | undefined
  readonly logs?: Logs
  readonly statusFiles?: StatusFiles
  readonly server?: AgentServer
  readonly hook?: HookScript
  /** The hook's name of the event. */
  readonly eventOf?: (report: Report) => string | undefined
  readonly readScreen?: (text: string) => ScreenReading
  /** SPEC TM37. Its screen shows what no other source reports: it is read whatever others say. */
  readonly screenTellsMore?: true
  readonly readTitle?: (title: string) => TitleReading | undefined
  readonly answers?: Answers
  readonly paneAnswers?: PaneAnswers
  readonly loop?: LoopHolding
  readonly input?: Input
  /** The command line that resumes a session. */
  readonly resume?: (session: string) => readonly string[]
  readonly usage?: (report: Report) => Usage | undefined
  /** The newest messages in these lines of a log, and the newest call of that tool. */
  readonly talk?: (lines: readonly string[], tool: string | undefined) => LastWords
  /** Compares what hooks reported with what logs show. */
  readonly deliveries?: () => Deliveries
  readonly setup?: Setup
  /** The arguments of a single run with vigil's hooks, without an installation. */
  readonly run?: (given: readonly string[], place: RunContext) => RunPlan
  readonly statusLine?: StatusLine
  readonly redact?: RedactRules
  /** Emoji of its tools in tmux, by the set that the user chose. */
  readonly toolSigns?: Readonly<Record<'document' | 'script', ToolSigns>>
  /** For the demo. */
  readonly demo?: DemoAgent
  /** For measuring recordings. */
  readonly truthReader?: TruthReader
}

export type Env = Readonly<Record<string, string | undefined>>

/** `client` holds sessions, `wrapper` is about to become a client, `helper` does a task for it. */
export type Role = 'client' | 'wrapper' | 'helper'

/** How the version of a client is found without running it. */
export interface ClientVersions {
  /** The version of the client that wrote this log entry or status file. */
  readonly inRecord: (record: unknown) => string | undefined
  /** The version of the client at this path, by its name and by the files beside it. */
  readonly ofProgram: (program: string, read: ReadFile) => string | undefined
}

type ReadFile = (path: string) => string | undefined

/** Names of the agent's variables. */
interface Variables {
  /** Set in processes that the agent's shell runs. */
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
  /** Logs of a working folder are in a folder of its name (`folderOf`), cut at this length. */
  readonly folderNameMax?: number
  /** The name of a session's own log in that folder. */
  readonly nameOf?: (session: string) => string
  /** The folder that holds the logs of a session's subagents; below it `holdsLogs` decides. */
  readonly sessionFolder?: (root: string, log: string) => string | undefined
  readonly holdsLogs?: (root: string, folder: string) => boolean
  readonly logOfActor?: (log: string, actor: string) => string
  /** A line as an object; JSON unless given. Anything else is skipped and reported. */
  readonly entryOf?: (line: string) => unknown
  /** An entry without information about the session: it is not stored. */
  readonly isNoise?: (entry: object) => boolean
}

/** Files in which running clients write their own state, one per process. */
export interface StatusFiles {
  readonly folderOf: (home: string) => string
  readonly pidIn: (name: string) => number | undefined
  readonly nameOf: (pid: number) => string
  /** The part of a file that is stored: the rest may hold secrets. */
  readonly keep: (file: unknown) => Readonly<Record<string, unknown>>
  /** Whether a client of this version writes its state into its file. */
  readonly tellsState?: (version: string) => boolean
}

export interface ScreenReading {
  readonly shows: ScreenShows
  readonly for?: WaitingFor
  /** The text of the input line; undefined where no input line is visible. */
  readonly input?: string
  /** The newest prompt that its user sent, where all of it is visible. */
  readonly prompt?: string
}

/** The state that an agent writes into its terminal's title. */
export interface TitleReading {
  readonly status: SelfStatus
  readonly said: string
  readonly for?: WaitingFor
  /** It tells turns and requests, not the client's dialogs or background work. */
  readonly turnOnly?: true
  /** The beginning of the session's id. */
  readonly idBegins?: string
}

/** What the agent passes to the command of its status line. */
interface StatusLine {
  readonly figuresIn: (payload: unknown) => StatusFigures
  /** The line of its settings that makes it run this command. */
  readonly settingFor: (command: string) => string
}

/** As far as it is known. */
export interface StatusFigures {
  readonly model?: string | undefined
  readonly contextUsedPercent?: number | undefined
}

/** What may be typed into its pane; `readScreen` finds the input line. */
interface Input {
  /** tmux's names of the keys that interrupt a turn, and their name for people. */
  readonly interrupt: { readonly keys: readonly string[]; readonly words: string }
  /** A prompt typed during a turn stays in the queue until the turn takes it or ends. */
  readonly queues?: true
}
