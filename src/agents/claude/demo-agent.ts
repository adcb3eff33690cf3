import type { Report, Source } from '../../core/signal.ts'
import type { DemoAgent, DemoCall, DemoEvent, DemoSession } from '../demo-agent.ts'
import { type Fields, fields } from '../read.ts'
import { folderName } from './folder.ts'

const VERSION = '2.1.325'
const MODEL = 'claude-opus-5-5'

/** SPEC IN31. The client's hooks, transcript and process during an event. */
export const demo: DemoAgent = {
  reportsOf: (session, event, at) =>
    DEMO_EVENTS[event.is](session, event as never).map(([source, rest]): Report => {
      return { t: at, source, agent: 'claude', ...timed(source, rest, at) }
    }),
  decisionOf: (output) => {
    const decision = fields(fields(output.hookSpecificOutput).decision)
    const answers = Object.values(fields(fields(decision.updatedInput).answers))
    const words = decision.behavior === 'deny' ? String(decision.message ?? '') : answers.join(', ')
    return { allowed: decision.behavior === 'allow', words }
  },
}

type Part = readonly [source: Source, rest: Fields]
type OfKind<K, E = DemoEvent> = E extends { readonly is: infer I }
  ? K extends I
    ? E
    : never
  : never

const DEMO_EVENTS: { readonly [K in DemoEvent['is']]: (s: DemoSession, e: OfKind<K>) => Part[] } = {
  start: (session) => [
    ['process', { pid: session.pid, alive: true, command: 'claude', cwd: session.cwd, start: '1' }],
    hook(session, 'SessionStart', { source: 'startup', model: MODEL }),
    status(session, 'idle'),
  ],
  prompt: (session, { text }) => [
    hook(session, 'UserPromptSubmit', { prompt: text }),
    status(session, 'busy'),
    entry(session, 'user', { role: 'user', content: text }),
  ],
  say: (session, { text }) => [spoken(session, [{ type: 'text', text }], text)],
  begin: (session, { call, number }) => [
    spoken(session, [{ type: 'tool_use', id: idOf(session, number), ...toolOf(call) }], number),
    hook(session, 'PreToolUse', calledBy(session, call, number)),
  ],
  request: (session, { call, number }) => [
    hook(session, 'PermissionRequest', { ...calledBy(session, call, number), ...OFFERS }, 1),
    status(session, 'waiting', call.does === 'ask' ? 'input needed' : 'permission prompt'),
  ],
  resume: (session) => [status(session, 'busy')],
  end: (session, { call, number }) => [
    hook(session, 'PostToolUse', { ...calledBy(session, call, number), tool_response: {} }),
  ],
  stop: (session, { text }) => [
    spoken(session, [{ type: 'text', text }], text),
    hook(session, 'Stop', { last_assistant_message: text, background_tasks: [] }),
    status(session, 'idle'),
  ],
  fail: (session, { text }) => [
    hook(session, 'StopFailure', { error: 'overloaded', last_assistant_message: text }),
    status(session, 'idle'),
  ],
}

const OFFERS = {
  permission_suggestions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
}

function hook(session: DemoSession, event: string, more: Fields, waits?: number): Part {
  const { id, pid, cwd } = session
  const payload = {
    session_id: id,
    transcript_path: logOf(session),
    cwd,
    hook_event_name: event,
    permission_mode: 'default',
    ...more,
  }
  return ['hook', { env: { ppid: pid, claudePid: pid, ...(waits && { waits }) }, payload }]
}

function status({ id, pid, cwd }: DemoSession, word: string, waitingFor?: string): Part {
  const file = { pid, sessionId: id, cwd, version: VERSION, kind: 'interactive', status: word }
  return ['registry', { pid, file: { ...file, ...(waitingFor && { waitingFor }) } }]
}

function calledBy(session: DemoSession, call: DemoCall, number: number): Fields {
  const { name, input } = toolOf(call)
  return { tool_name: name, tool_input: input, tool_use_id: idOf(session, number) }
}

function idOf({ id }: DemoSession, number: number): string {
  return `toolu_${id.slice(0, 8)}_${number}`
}

function toolOf(call: DemoCall): { readonly name: string; readonly input: Fields } {
  switch (call.does) {
    case 'run':
      return { name: 'Bash', input: { command: call.command, description: call.about } }
    case 'edit': {
      const { path: file_path, before: old_string, after: new_string } = call
      return { name: 'Edit', input: { file_path, old_string, new_string } }
    }
    case 'read':
      return { name: 'Read', input: { file_path: call.path } }
    case 'search':
      return { name: 'Grep', input: { pattern: call.pattern } }
    case 'ask':
      return {
        name: 'AskUserQuestion',
        input: { questions: [{ ...call.question, multiSelect: false }] },
      }
    case 'plan':
      return { name: 'ExitPlanMode', input: { plan: call.plan } }
  }
}

/** A message with as many tokens as its text suggests. */
function spoken(session: DemoSession, content: readonly Fields[], what: string | number): Part {
  const said = JSON.stringify(content).length
  const usage = { input_tokens: 900 + 7 * said, output_tokens: 40 + said }
  const id = `msg_${session.id}_${what}`
  return entry(session, 'assistant', { id, role: 'assistant', model: MODEL, content, usage })
}

function entry(session: DemoSession, type: 'user' | 'assistant', message: Fields): Part {
  const { id: sessionId, cwd, branch: gitBranch } = session
  const about = { type, isSidechain: false, sessionId, cwd, gitBranch, version: VERSION }
  return ['transcript', { path: logOf(session), entry: { ...about, message } }]
}

function timed(source: Source, rest: Fields, at: number): Fields {
  if (source === 'registry') return { ...rest, file: { ...fields(rest.file), statusUpdatedAt: at } }
  if (source !== 'transcript') return rest
  return { ...rest, entry: { ...fields(rest.entry), timestamp: new Date(at).toISOString() } }
}

function logOf({ home, cwd, id }: DemoSession): string {
  return `${home}/projects/${folderName(cwd)}/${id}.jsonl`
}
