import { shellWord } from '../../core/shell-word.ts'
import { isAtLeast } from '../version.ts'

/**
 * SPEC I1. Hook events that vigil subscribes to, each with the first client that knows it, from the
 * client's own list of names (every release around it was inspected). An older client opens an
 * error dialog and skips the whole settings file (2.1.100), or runs no hook at all and reports
 * nothing (2.0.50). Never subscribed to: WorktreeCreate and WorktreeRemove (a hook there replaces
 * git), PreModelSwitch (its timeout blocks), MessageDisplay (runs for every piece of text, and the
 * screen waits for it), FileChanged (needs a list of files).
 */
const SINCE = {
  SessionStart: '1.0.62',
  SessionEnd: '1.0.85',
  UserPromptSubmit: '1.0.54',
  PreToolUse: '1.0.38',
  PermissionRequest: '2.0.45',
  PermissionDenied: '2.1.88',
  PostToolUse: '1.0.38',
  PostToolUseFailure: '2.0.56',
  PostToolBatch: '2.1.118',
  Stop: '1.0.38',
  StopFailure: '2.1.78',
  SubagentStart: '2.0.43',
  SubagentStop: '1.0.41',
  Notification: '1.0.38',
  PreCompact: '1.0.48',
  PostCompact: '2.1.76',
  CwdChanged: '2.1.83',
  Elicitation: '2.1.63',
  ElicitationResult: '2.1.63',
  TaskCreated: '2.1.84',
  TaskCompleted: '2.1.33',
  TeammateIdle: '2.1.33',
  ConfigChange: '2.1.48',
  PostModelSwitch: '2.1.251',
} as const

export type HookEvent = keyof typeof SINCE

export const EVENTS = Object.keys(SINCE) as HookEvent[]

/**
 * SPEC I23. The first client whose own status file tells its state, and the events that are enough
 * beside it: no hook runs for a tool call, two run for a turn. Measured on the recordings of these
 * clients by `npm run lab:events`: the state is right as often as with every event, and differs for
 * 0.24 % of the time.
 */
const TELLS_STATE_SINCE = '2.1.150'
const SHORT_SET: ReadonlySet<HookEvent> = new Set([
  // The prompt's text before the log has it, and the words of a request: nothing is as early.
  ...(['UserPromptSubmit', 'PermissionRequest', 'Elicitation', 'ElicitationResult'] as const),
  // Loops and answers hold an agent by these.
  ...(['SessionStart', 'Stop', 'PreCompact', 'PostCompact'] as const),
  // Why a turn or a session ended.
  ...(['StopFailure', 'SessionEnd'] as const),
])

/** The oldest client that vigil is tested with; every supported client knows its events. */
export const OLDEST_CLIENT = '2.0.50'

/** The first client that runs `command` without a shell when `args` is there. */
const EXEC_FORM_SINCE = '2.1.139'

/**
 * SPEC LP30, LP36, AN10. The argument of a hook that may answer: the client passes its output to
 * the agent, or uses it as the user's answer. After a compaction only: at every other start the
 * client would wait for nothing.
 */
const ANSWER = 'answer'
const ANSWERING: ReadonlyMap<HookEvent, readonly string[]> = new Map([
  ['Stop', [ANSWER]],
  ['SessionStart', [ANSWER, 'compact']],
  ['PermissionRequest', [ANSWER, 'request']],
])

/**
 * SPEC AN11. The first client that marks a subagent's request. The dialog of a background subagent
 * is drawn only after its hooks have ended (2.1.100, 2.1.220, 2.1.325): a waiting hook hides it. So
 * hooks of older and unknown clients never wait for an answer.
 */
const TELLS_SUBAGENTS_SINCE = '2.1.69'

/** Empty for a hook that never prints. */
function wordsFor(event: HookEvent, version: string | undefined): readonly string[] | undefined {
  if (event !== 'PermissionRequest') return ANSWERING.get(event)
  const tells = version !== undefined && isAtLeast(version, TELLS_SUBAGENTS_SINCE)
  return tells ? ANSWERING.get(event) : undefined
}

/**
 * SPEC I2. Hooks that the client waits for, besides those that may answer; all others are `async`.
 * With `-p` the client ends right after these and kills running hooks: an async Stop hook of 50 ms
 * was lost on 2.1.220, one of 300 ms on 2.1.325, and so was SessionEnd at `/exit` on 2.1.100. None
 * of them shows on the screen.
 */
const AWAITED: ReadonlySet<HookEvent> = new Set(['StopFailure', 'SessionEnd'])

/**
 * Seconds, for hooks that take milliseconds. SessionEnd's timeout also raises the 1.5 s that the
 * client gives to all of them together.
 */
const TIMEOUT_S = 5

/** A loop's check may take ten minutes (CHECK_MAX_MS), and its result has to be delivered. */
const STOP_TIMEOUT_S = 630

/**
 * Some dialogs wait overnight for their user; the hook ends with the dialog. At its timeout the
 * dialog stays, and the hook gets TERM (2.1.220, 2.1.325) or KILL (2.0.50, 2.1.100). Beyond 24.8
 * days 2.1.100 ends the hook at once. The client does not end it when its user answers.
 */
const REQUEST_TIMEOUT_S = 86_400

const TIMEOUTS_S: ReadonlyMap<HookEvent, number> = new Map([
  ['Stop', STOP_TIMEOUT_S],
  ['PermissionRequest', REQUEST_TIMEOUT_S],
])

export interface Handler {
  readonly type: 'command'
  readonly command: string
  readonly args?: readonly string[]
  readonly async?: true
  readonly timeout: number
}

/** The events that a client of this version knows; without a version, those every client knows. */
export function knownEvents(version: string = OLDEST_CLIENT): HookEvent[] {
  return EVENTS.filter((event) => isAtLeast(version, SINCE[event]))
}

/** SPEC I23. The events that vigil asks a client of this version for. */
export function wantedEvents(version: string | undefined, all = false): HookEvent[] {
  return all || version === undefined ? knownEvents(version) : neededEvents(version)
}

/** The fewest that are enough. An unknown client may be one that the short set is enough for. */
export function neededEvents(version: string | undefined): HookEvent[] {
  const known = knownEvents(version)
  const isOlder = version !== undefined && !tellsState(version)
  return isOlder ? known : known.filter((event) => SHORT_SET.has(event))
}

/** Whether a client of this version writes its state into its status file. */
export function tellsState(version: string): boolean {
  return isAtLeast(version, TELLS_STATE_SINCE)
}

/**
 * SPEC I3. A client that knows `args` starts the hook itself. Any other starts it through a shell,
 * which must `exec` the hook: older clients do not pass their pid, so the hook reports its parent
 * as the client, and a shell that exits a moment later would look like a client that died.
 */
export function handlerFor(event: HookEvent, hook: string, version?: string): Handler {
  const direct = version !== undefined && isAtLeast(version, EXEC_FORM_SINCE)
  const words = wordsFor(event, version)
  return {
    type: 'command',
    command: direct ? hook : throughShell(hook, words ?? []),
    ...(direct && { args: words ?? [] }),
    ...(!words && !AWAITED.has(event) && { async: true as const }),
    timeout: (words && TIMEOUTS_S.get(event)) ?? TIMEOUT_S,
  }
}

/** The command line for a client's shell. */
function throughShell(hook: string, words: readonly string[]): string {
  return ['exec', shellWord(hook), ...words].join(' ')
}

/** A hook that should answer but lacks the argument, as an earlier vigil wrote it. */
export function isMute(event: string, hook: unknown, version?: string): boolean {
  const { command, args } = hook as { command?: unknown; args?: unknown }
  const words = [...(Array.isArray(args) ? args : []), ...String(command).split(' ')]
  return wordsFor(event as HookEvent, version) !== undefined && !words.includes(ANSWER)
}

/** SPEC I3. Every command with which this hook may be in a settings file, earlier ones too. */
export function commandsOf(hook: string): string[] {
  const called = [[], ...ANSWERING.values()].map((words) => throughShell(hook, words))
  return [hook, shellWord(hook), ...called]
}
