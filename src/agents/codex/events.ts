import { shellWord } from '../../core/shell-word.ts'

/** The oldest client that vigil was tested with. */
export const OLDEST_CODEX = '0.166.0'

/**
 * SPEC CX20. Hook events that vigil subscribes to, each with the client's name in its trust keys.
 * Tools are left out: the server, the rollout and the title report them without a process each. A
 * client ignores names that it does not know.
 */
const KEYS = {
  SessionStart: 'session_start',
  SessionEnd: 'session_end',
  UserPromptSubmit: 'user_prompt_submit',
  PermissionRequest: 'permission_request',
  Interrupt: 'interrupt',
  Stop: 'stop',
  SubagentStart: 'subagent_start',
  SubagentStop: 'subagent_stop',
  PreCompact: 'pre_compact',
  PostCompact: 'post_compact',
} as const

type CodexEvent = keyof typeof KEYS

export const HOOKED_EVENTS = Object.keys(KEYS) as CodexEvent[]

/** SPEC CX21. The client waits for these: SessionEnd always, Stop for a loop's answer. */
const WAITS: ReadonlySet<CodexEvent> = new Set(['SessionEnd', 'Stop'])

/** Seconds. More than 3 for SessionEnd and Interrupt gives a warning at every start. */
const SHORT_S = 3
/** A loop's check may take ten minutes (CHECK_MAX_MS), and its result has to be delivered. */
const STOP_S = 630

export interface CodexHandler {
  readonly type: 'command'
  readonly command: string
  readonly async?: true
  readonly timeout: number
}

/** The client runs it in a shell, which must `exec` it, so that its parent is the client. */
export function handlerOf(event: CodexEvent, hook: string): CodexHandler {
  return {
    type: 'command',
    command: commandOf(hook, event === 'Stop'),
    ...(!WAITS.has(event) && { async: true as const }),
    timeout: event === 'Stop' ? STOP_S : SHORT_S,
  }
}

function commandOf(hook: string, answers: boolean): string {
  return ['exec', shellWord(hook), ...(answers ? ['answer'] : [])].join(' ')
}

/** Every command with which this hook may be in a file. */
export function ownCommands(hooks: readonly string[]): ReadonlySet<string> {
  return new Set(hooks.flatMap((hook) => [commandOf(hook, false), commandOf(hook, true)]))
}

/** SPEC CX22. The text whose SHA-256 is the client's mark of a hook that its user trusts. */
export function trustedText(event: CodexEvent, hook: string): string {
  const { type, command, async = false, timeout } = handlerOf(event, hook)
  // Compact, with sorted keys.
  return JSON.stringify({
    event_name: KEYS[event],
    hooks: [{ async, command, timeout, type }],
  })
}

/** Which hook a mark is for: its file, and the places of its group and of itself in that. */
export function trustKey(file: string, event: CodexEvent, group: number, handler: number): string {
  return [file, KEYS[event], group, handler].join(':')
}
