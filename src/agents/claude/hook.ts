import type { About, Happening, Report } from '../../core/signal.ts'
import { inputFingerprint } from '../input-fingerprint.ts'
import { type Fields, fields, given, list, numberIn, path, shortText, textIn } from '../read.ts'
import { projectOf } from './folder.ts'
import { saidInHook } from './last-words.ts'
import { endedByNotice, isTaskNotice, listedTasks, stoppedBy, tasksOf, todosOf } from './tasks.ts'
import { isDialog, isQuietTool, labelOf, waitingForTool } from './tools.ts'
import { cleared } from './transcript-user.ts'

export function aboutHook(report: Report): About {
  const payload = fields(report.payload)
  const env = fields(report.env)
  return {
    agent: 'claude',
    session: shortText(payload.session_id),
    // CLAUDE_PID is the client itself; a parent pid is the client only without a shell in between.
    pid: numberIn(env.claudePid) ?? numberIn(env.ppid),
    pane: paneOf(env),
    folder: projectOf(textIn(payload.transcript_path)),
  }
}

export function eventOf(report: Report): string | undefined {
  return textIn(fields(report.payload).hook_event_name)
}

/** SPEC X3. One hook payload. Its time is its arrival: the payload has none. */
export function fromHook(report: Report): Happening[] {
  const payload = fields(report.payload)
  const event = eventOf(report)
  if (!event || isBorrowed(payload)) return []
  const env = fields(report.env)
  const happenings = Object.hasOwn(EVENTS, event) ? EVENTS[event]?.(payload, env) : undefined
  const said = saidInHook(event, payload)
  return [...(happenings ?? []), ...said, { kind: 'life' }, ...detailsOf(payload, env)]
}

/** SPEC X13. GitHub Copilot CLI runs a project's hooks, with similar payloads. */
function isBorrowed(payload: Fields): boolean {
  return textIn(payload.transcript_path)?.includes('/.copilot/') === true
}

/** A pane's id is unique only within its tmux server: two servers both have a `%0`. */
function paneOf(env: Fields): string | undefined {
  const pane = shortText(env.tmuxPane)
  const server = serverOf(env)
  return pane !== undefined && server !== undefined ? `${server}:${pane}` : pane
}

/** `$TMUX` is `socket,pid,session`. */
function serverOf(env: Fields): string | undefined {
  return path(textIn(env.tmux)?.split(',')[0])
}

const actorOf = (payload: Fields) => given({ actor: shortText(payload.agent_id) })
const turnOf = (payload: Fields) => given({ turn: shortText(payload.prompt_id) })

/** SPEC X4. What each event means. Other events are only signs of life. */
const EVENTS: Readonly<Record<string, (payload: Fields, env: Fields) => Happening[]>> = {
  SessionStart: (payload) => {
    const how = shortText(payload.source) ?? 'startup'
    // SPEC T7: a compaction restarts the session in name only.
    if (how === 'compact') return [{ kind: 'compaction', open: false }]
    return [how === 'clear' ? cleared() : { kind: 'opened', how }]
  },
  SessionEnd: (payload) => {
    const reason = shortText(payload.reason) ?? 'other'
    const how = reason === 'prompt_input_exit' ? 'exit' : reason
    return [{ kind: 'left', how, ...(HANDS_ON.has(how) && { continues: true as const }) }]
  },
  UserPromptSubmit: (payload) => {
    const prompt = textIn(payload.prompt) ?? ''
    const by = isTaskNotice(prompt) ? 'task' : 'user'
    return [{ kind: 'turn-started', by, ...turnOf(payload) }, ...endedByNotice(prompt)]
  },
  PreToolUse: toolStarted,
  PermissionRequest: (payload) => [asked(payload)],
  PermissionDenied: toolEnded,
  PostToolUse: toolEnded,
  PostToolUseFailure: toolEnded,
  PostToolBatch: (payload) => [
    ...list(payload.tool_calls).flatMap((call) => ended(fields(call), payload)),
    { kind: 'tools-settled', ...actorOf(payload) },
  ],
  Stop: (payload, env) => {
    // SPEC T13. This hook waits for the decision of its session's loop.
    const asked = env.asks === 1 ? { asked: true as const } : {}
    const tasks = listedTasks(payload.background_tasks)
    return [
      { kind: 'turn-ended', how: 'done', ...turnOf(payload), ...asked },
      ...(tasks ? [{ kind: 'tasks-listed' as const, tasks }] : []),
    ]
  },
  StopFailure: (payload) => [
    { kind: 'turn-failed', cause: shortText(payload.error) ?? 'unknown', ...turnOf(payload) },
  ],
  SubagentStart: (payload) => {
    const id = shortText(payload.agent_id)
    const what = shortText(payload.agent_type)
    return id && what ? [{ kind: 'task-started', id, what: 'subagent', label: what }] : []
  },
  SubagentStop: (payload) => {
    // SPEC B7: compaction and other helpers of the client stop with an empty type and without a
    // start. Clients before 2.1.69 give no type at all.
    const id = shortText(payload.agent_id)
    return id && payload.agent_type !== '' ? [{ kind: 'task-ended', id }] : []
  },
  PreCompact: (payload) => {
    // SPEC SC15: a subagent compacts its own conversation.
    if (textIn(payload.agent_id)) return []
    const begun: Happening = { kind: 'compaction', open: true }
    return payload.trigger === 'manual'
      ? [begun, { kind: 'turn-started', by: 'compaction' }]
      : [begun]
  },
  PostCompact: (payload) => (textIn(payload.agent_id) ? [] : [{ kind: 'compaction', open: false }]),
  Elicitation: (payload) => [
    {
      kind: 'request-opened',
      for: 'question',
      tool: elicitor(payload),
      input: '',
      ...given({ text: shortText(payload.message) }),
    },
  ],
  ElicitationResult: (payload) => [{ kind: 'request-closed', tool: elicitor(payload) }],
}

/** Ends of a session after which the same process continues under another id. */
const HANDS_ON = new Set(['clear', 'resume'])

function toolStarted(payload: Fields): Happening[] {
  const name = shortText(payload.tool_name)
  const id = shortText(payload.tool_use_id)
  if (!name) return []
  const started: Happening[] = id
    ? [
        {
          kind: 'tool-started',
          id,
          name,
          input: inputFingerprint(payload.tool_input),
          quiet: isQuietTool(name),
          ...given({ label: labelOf(payload.tool_input, payload.cwd) }),
          ...actorOf(payload),
          ...turnOf(payload),
        },
      ]
    : []
  return isDialog(name) ? [...started, asked(payload)] : started
}

function asked(payload: Fields): Happening {
  const tool = shortText(payload.tool_name) ?? 'unknown'
  return {
    kind: 'request-opened',
    for: waitingForTool(tool),
    tool,
    input: inputFingerprint(payload.tool_input),
    ...given({
      id: shortText(payload.tool_use_id),
      text: labelOf(payload.tool_input, payload.cwd),
    }),
    ...actorOf(payload),
  }
}

function toolEnded(payload: Fields): Happening[] {
  const name = textIn(payload.tool_name) ?? ''
  return [
    ...ended(payload, payload),
    ...tasksOf(payload.tool_response, payload.tool_input),
    ...stoppedBy(name, payload.tool_input),
    // A subagent's list is separate.
    ...(payload.agent_id === undefined ? todosOf(name, payload.tool_input) : []),
  ]
}

function ended(call: Fields, payload: Fields): Happening[] {
  const id = shortText(call.tool_use_id)
  return id ? [{ kind: 'tool-ended', id, ...actorOf(payload) }] : []
}

function elicitor(payload: Fields): string {
  return `mcp:${shortText(payload.mcp_server_name) ?? 'server'}`
}

function detailsOf(payload: Fields, env: Fields): Happening[] {
  const details = given({
    cwd: path(payload.cwd),
    transcript: path(payload.transcript_path),
    pane: shortText(env.tmuxPane),
    tmux: serverOf(env),
    tty: shortText(env.tty),
    terminal: shortText(env.terminal),
    model: shortText(payload.model),
    mode: shortText(payload.permission_mode),
  })
  return Object.keys(details).length > 0 ? [{ kind: 'details', details }] : []
}
