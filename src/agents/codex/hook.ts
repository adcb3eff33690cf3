import type { About, Happening, Report } from '../../core/signal.ts'
import { inputFingerprint } from '../input-fingerprint.ts'
import { type Fields, fields, given, numberIn, path, shortText, textIn } from '../read.ts'
import { saidWords } from '../said.ts'
import { ASKS, codexLabelOf, codexWaitingFor, isQuietCodexTool } from './tools.ts'

/**
 * A hook is run by the shared daemon, whose process and terminal are those of the client that
 * started it first: neither is the session's place. Only with `--no-daemon` and `exec` does the
 * client itself run it; so its parent counts where that is known as a client.
 */
export function aboutCodexHook(report: Report): About {
  const payload = fields(report.payload)
  return {
    agent: 'codex',
    session: shortText(payload.session_id),
    runner: numberIn(fields(report.env).ppid),
    folder: path(payload.cwd),
  }
}

export function codexEventOf(report: Report): string | undefined {
  return textIn(fields(report.payload).hook_event_name)
}

/** One hook payload. Its time is its arrival: the client gives none. */
export function fromCodexHook(report: Report): Happening[] {
  const payload = fields(report.payload)
  const event = codexEventOf(report)
  if (!event) return []
  const happenings = Object.hasOwn(EVENTS, event)
    ? EVENTS[event]?.(payload, fields(report.env))
    : undefined
  return [...(happenings ?? []), ...saidIn(event, payload), { kind: 'life' }, ...detailsOf(payload)]
}

const actorOf = (payload: Fields) => given({ actor: shortText(payload.agent_id) })
const turnOf = (payload: Fields) => given({ turn: shortText(payload.turn_id) })

/** Events that are not named here are signs of life and nothing more. */
const EVENTS: Readonly<Record<string, (payload: Fields, env: Fields) => Happening[]>> = {
  SessionStart: (payload) => {
    const how = shortText(payload.source) ?? 'startup'
    if (how === 'compact') return [{ kind: 'compaction', open: false }]
    // The event comes with the first prompt, and the terminal may have had another session before.
    return [{ kind: 'opened', how, continues: true }]
  },
  SessionEnd: (payload) => [{ kind: 'left', how: shortText(payload.reason) ?? 'other' }],
  // Without its turn: a prompt that is typed meanwhile joins the running turn and starts none.
  UserPromptSubmit: (payload) =>
    textIn(payload.agent_id) ? [] : [{ kind: 'turn-started', by: 'user' }],
  PreToolUse: toolStarted,
  PermissionRequest: (payload) => [{ ...asked(payload), early: true }],
  PostToolUse: (payload) => {
    const id = shortText(payload.tool_use_id)
    return id ? [{ kind: 'tool-ended', id, ...actorOf(payload) }] : []
  },
  Stop: (payload, env) => {
    if (textIn(payload.agent_id)) return []
    // SPEC T13. This hook waits for word from the loop of its session.
    const holds = env.asks === 1 ? { asked: true as const } : {}
    return [{ kind: 'turn-ended', how: 'done', ...turnOf(payload), ...holds }]
  },
  Interrupt: (payload) =>
    textIn(payload.agent_id) ? [] : [{ kind: 'turn-interrupted', ...turnOf(payload) }],
  SubagentStart: (payload) => {
    const id = shortText(payload.agent_id)
    const label = shortText(payload.agent_type)
    return id ? [{ kind: 'task-started', id, what: 'subagent', ...given({ label }) }] : []
  },
  SubagentStop: (payload) => {
    const id = shortText(payload.agent_id)
    return id ? [{ kind: 'task-ended', id }] : []
  },
  PreCompact: (payload) => (textIn(payload.agent_id) ? [] : [{ kind: 'compaction', open: true }]),
  PostCompact: (payload) => (textIn(payload.agent_id) ? [] : [{ kind: 'compaction', open: false }]),
}

function toolStarted(payload: Fields): Happening[] {
  const name = shortText(payload.tool_name)
  const id = shortText(payload.tool_use_id)
  if (!name || !id) return []
  const started: Happening = {
    kind: 'tool-started',
    id,
    name,
    input: fingerprint(payload),
    quiet: isQuietCodexTool(name),
    ...given({ label: codexLabelOf(payload.tool_input) }),
    ...actorOf(payload),
    ...turnOf(payload),
  }
  return name === ASKS ? [started, asked(payload)] : [started]
}

function asked(payload: Fields): Happening & { kind: 'request-opened' } {
  const tool = shortText(payload.tool_name) ?? 'unknown'
  return {
    kind: 'request-opened',
    for: codexWaitingFor(tool),
    tool,
    input: fingerprint(payload),
    ...given({ id: shortText(payload.tool_use_id), text: codexLabelOf(payload.tool_input) }),
    ...actorOf(payload),
  }
}

/** A permission request names no call; it is the one with the same input, less the reason. */
function fingerprint(payload: Fields): string {
  const { description: _, ...input } = fields(payload.tool_input)
  return inputFingerprint(input)
}

function saidIn(event: string, payload: Fields): Happening[] {
  if (textIn(payload.agent_id)) return []
  if (event === 'UserPromptSubmit') return saidWords('user', payload.prompt)
  return event === 'Stop' ? saidWords('agent', payload.last_assistant_message) : []
}

function detailsOf(payload: Fields): Happening[] {
  // A subagent has a log, and may have a model, of its own.
  const own = textIn(payload.agent_id) === undefined
  const details = given({
    cwd: path(payload.cwd),
    transcript: own ? path(payload.transcript_path) : undefined,
    model: own ? shortText(payload.model) : undefined,
    mode: shortText(payload.permission_mode),
  })
  return Object.keys(details).length > 0 ? [{ kind: 'details', details }] : []
}
