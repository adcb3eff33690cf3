import type { Report } from '../../src/core/signal.ts'

/** Everything that acts on a terminal without being seen, as an agent or its folder may hold it. */
export const SPELLS: readonly string[] = [
  ...['\u001b[31mred', '\u001b]52;c;aGk=\u0007', '\u001b]0;title\u001b\\', '\u001b[2J\u001b[H'],
  ...['\u009b31mred', '\u009d0;title\u009c', '\u0085next', '\u007f', '\b\b\b', '\rover', '\u0000'],
  ...['\u061c', '\u200e', '\u200f', '\u202agnp', '\u202egnp.exe', '\u2066', '\u2069'],
  ...['\u2028', '\u2029', '\u200b', '\u200c', 'a\u200db', '\u2060', '\ufeff', '\u00ad'],
  ...['\u{e0041}\u{e0042}\u{e007f}', '\nFORGED a line of vigil’s own', '\r\nFORGED'],
]

export const HOSTILE = `x${SPELLS.join('x')}x`

/** Written down once more, not taken from the table that the code uses. */
const ACTS = new RegExp(
  [
    '[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u200b-\\u200f]',
    '[\\u2028-\\u202e\\u2060-\\u2069\\ufeff\\u{e0000}-\\u{e007f}]|^FORGED',
  ].join('|'),
  'mu',
)

/** The first thing in an output that would act, and what stands around it. */
export function actingIn(output: string): string | undefined {
  const found = ACTS.exec(output)
  if (!found) return undefined
  return JSON.stringify(output.slice(Math.max(0, found.index - 40), found.index + 40))
}

/** Each in a pane of its own; the server of the last is gone. */
export const SESSIONS = ['asks', 'idle', 'fails', 'gone'] as const
type Id = (typeof SESSIONS)[number]

/** Sessions whose every text is hostile: one asks, one stands idle, one has failed. */
export function hostileReports(at: number, socket: string): Report[] {
  let t = at
  const hook = (id: Id, hook_event_name: string, more: object = {}): Report => {
    const server = id === 'gone' ? `${socket}-gone` : socket
    const pane = { tmux: `${server},1,0`, tmuxPane: `%${SESSIONS.indexOf(id)}` }
    const env = { ...pane, tty: HOSTILE, terminal: HOSTILE }
    return { t: t++, source: 'hook', env, payload: { ...aboutOf(id), hook_event_name, ...more } }
  }
  const transcript = (id: Id, entry: object): Report => {
    const { transcript_path: path, session_id: sessionId } = aboutOf(id)
    return { t: t++, source: 'transcript', path, entry: { sessionId, ...entry } }
  }
  const tool = {
    tool_name: `mcp__${HOSTILE}__tool`,
    tool_use_id: 't1',
    tool_input: { command: HOSTILE, description: HOSTILE, [HOSTILE]: HOSTILE },
  }
  const tasks = [{ id: 'b1', type: HOSTILE, status: 'running', description: HOSTILE }]
  return [
    ...SESSIONS.flatMap((id) => [
      hook(id, 'SessionStart', { source: HOSTILE }),
      transcript(id, { type: 'custom-title', customTitle: `${HOSTILE}${id}` }),
      transcript(id, { type: 'user', gitBranch: HOSTILE, message: { content: HOSTILE } }),
      hook(id, 'UserPromptSubmit', { prompt: HOSTILE }),
    ]),
    hook('asks', 'PreToolUse', tool),
    hook('asks', 'PermissionRequest', tool),
    hook('idle', 'Stop', { background_tasks: tasks }),
    hook('fails', 'StopFailure', { error: HOSTILE }),
  ]
}

function aboutOf(id: Id) {
  return {
    session_id: id,
    cwd: `/tmp/${asFileName(HOSTILE)}${id}`,
    transcript_path: `/tmp/.claude/projects/-tmp-x/${id}.jsonl`,
    model: HOSTILE,
    permission_mode: HOSTILE,
  }
}

/** All but the two characters that no file's name can have. */
export function asFileName(text: string): string {
  return text.replaceAll('/', '').replaceAll('\u0000', '')
}
