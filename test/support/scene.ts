import { translateClaude } from '../../src/agents/claude/translate.ts'
import { judge } from '../../src/core/judge.ts'
import { nextLook } from '../../src/core/next-look.ts'
import { Sessions } from '../../src/core/sessions.ts'
import type { Report, Source } from '../../src/core/signal.ts'
import type { Verdict } from '../../src/core/verdict.ts'

/** A moment in 2026; no test may depend on it. */
const BEGIN = Date.UTC(2026, 0, 5, 9)

export interface Who {
  readonly session?: string
  readonly pid?: number
  readonly pane?: string
  readonly cwd?: string
}

/**
 * One session as its sources would report it, through the whole core, with a clock that only the
 * test moves. Every method reports at the present moment and returns the scene.
 */
export class Scene {
  readonly sessions: Sessions
  readonly reports: Report[] = []
  readonly session: string
  readonly pid: number
  readonly #pane: string | undefined
  readonly #cwd: string
  now: number
  #tools = 0

  constructor(who: Who = {}, beside?: Scene) {
    this.session = who.session ?? 'session-1'
    this.pid = who.pid ?? 4711
    this.#pane = who.pane
    this.#cwd = who.cwd ?? '/home/ada/engine'
    this.sessions = beside?.sessions ?? new Sessions()
    this.now = beside?.now ?? BEGIN
  }

  wait(ms: number): this {
    this.now += ms
    return this
  }

  verdict(session = this.session): Verdict {
    const facts = this.sessions.facts(session)
    if (!facts) throw new Error(`no session ${session}`)
    return judge(facts, this.now)
  }

  /** The state in a word, with what it waits for or is idle after: `waiting:plan`, `idle:work`. */
  state(session = this.session): string {
    const { state, for: kind, after } = this.verdict(session)
    const more = kind ?? after
    return more === undefined ? state : `${state}:${more}`
  }

  nextLook(session = this.session): number | undefined {
    const facts = this.sessions.facts(session)
    return facts && nextLook(facts, this.now)
  }

  report(source: Source, fields: Record<string, unknown>): this {
    const report = { t: this.now, source, ...fields }
    this.reports.push(report)
    for (const signal of translateClaude(report)) this.sessions.take(signal)
    return this
  }

  hook(event: string, fields: Record<string, unknown> = {}): this {
    return this.report('hook', {
      env: { ppid: this.pid, ...(this.#pane && { tmuxPane: this.#pane }) },
      payload: {
        session_id: this.session,
        transcript_path: this.#transcript(),
        cwd: this.#cwd,
        hook_event_name: event,
        ...fields,
      },
    })
  }

  start(source = 'startup'): this {
    return this.hook('SessionStart', { source })
  }

  prompt(prompt = 'do it', fields: Record<string, unknown> = {}): this {
    return this.hook('UserPromptSubmit', { prompt, ...fields })
  }

  /** PreToolUse; the call's id is `tool-1`, `tool-2`, … unless given. */
  tool(name: string, fields: Record<string, unknown> = {}): this {
    this.#tools += 1
    const call = {
      tool_name: name,
      tool_input: { command: name },
      tool_use_id: `tool-${this.#tools}`,
    }
    return this.hook('PreToolUse', { ...call, ...fields })
  }

  toolDone(name: string, id = `tool-${this.#tools}`, fields: Record<string, unknown> = {}): this {
    const call = { tool_name: name, tool_input: { command: name }, tool_use_id: id }
    return this.hook('PostToolUse', { ...call, tool_response: {}, ...fields })
  }

  asks(name: string, fields: Record<string, unknown> = {}): this {
    return this.hook('PermissionRequest', {
      tool_name: name,
      tool_input: { command: name },
      ...fields,
    })
  }

  stop(fields: Record<string, unknown> = {}): this {
    return this.hook('Stop', { background_tasks: [], ...fields })
  }

  /** A transcript entry; `agoMs` is how long ago it was written for its arrival now. */
  entry(entry: Record<string, unknown>, agoMs = 0, path = this.#transcript()): this {
    const timestamp = new Date(this.now - agoMs).toISOString()
    return this.report('transcript', {
      path,
      entry: { timestamp, sessionId: this.session, cwd: this.#cwd, ...entry },
    })
  }

  said(text: string, stop: string | null = 'end_turn', agoMs = 0): this {
    const message = { role: 'assistant', stop_reason: stop, content: [{ type: 'text', text }] }
    return this.entry({ type: 'assistant', message }, agoMs)
  }

  called(name: string, id: string, agoMs = 0): this {
    const content = [{ type: 'tool_use', id, name, input: {} }]
    const message = { role: 'assistant', stop_reason: 'tool_use', content }
    return this.entry({ type: 'assistant', message }, agoMs)
  }

  answered(id: string, agoMs = 0, fields: Record<string, unknown> = {}): this {
    const content = [{ type: 'tool_result', tool_use_id: id, content: 'ok' }]
    return this.entry({ type: 'user', message: { role: 'user', content }, ...fields }, agoMs)
  }

  typed(text: string, agoMs = 0, fields: Record<string, unknown> = {}): this {
    return this.entry({ type: 'user', message: { role: 'user', content: text }, ...fields }, agoMs)
  }

  interrupted(agoMs = 0, fields: Record<string, unknown> = {}): this {
    const content = [{ type: 'text', text: '[Request interrupted by user]' }]
    return this.entry({ type: 'user', message: { role: 'user', content }, ...fields }, agoMs)
  }

  registry(status: string | undefined, waitingFor?: string, agoMs = 0): this {
    const file = {
      pid: this.pid,
      sessionId: this.session,
      cwd: this.#cwd,
      procStart: '100',
      ...(status && { status, statusUpdatedAt: this.now - agoMs }),
      ...(waitingFor && { waitingFor }),
    }
    return this.report('registry', { pid: this.pid, file })
  }

  registryGone(): this {
    return this.report('registry', { pid: this.pid, file: null })
  }

  process(alive: boolean, start = '100', command = 'claude', pid = this.pid): this {
    return this.report('process', { pid, alive, start, command, cwd: this.#cwd })
  }

  statusline(fields: Record<string, unknown> = {}): this {
    return this.report('statusline', { payload: { session_id: this.session, ...fields } })
  }

  key(key: string): this {
    return this.report('keystroke', { session: this.session, key })
  }

  look(): this {
    return this.report('keystroke', { session: this.session, what: 'look' })
  }

  screen(text: string): this {
    return this.report('screen', { pane: this.#pane ?? '%0', text })
  }

  #transcript(): string {
    const folder = this.#cwd.replace(/[^A-Za-z0-9]/g, '-')
    return `/home/ada/.claude/projects/${folder}/${this.session}.jsonl`
  }
}

const RULE = '─'.repeat(80)

/** Screens as the client draws them, with whatever was said before above. */
export const screens = {
  prompt: (input = '', above = '● Hello.\n\n✻ Worked for 1s · done 9:00 AM') =>
    `${above}\n\n${RULE}\n❯ ${input}\n${RULE}\n  ⏸ manual mode on\n`,
  working: (doing = 'Pondering… (3s · ↓ 20 tokens)', above = '❯ do it\n\n● Running.') =>
    `${above}\n\n✢ ${doing}\n\n${RULE}\n❯ \n${RULE}\n  ⏸ manual mode on\n`,
  permission: (command = 'touch a') =>
    `❯ do it\n\n${RULE}\n Bash command\n\n ${command}\n\n Do you want to proceed?\n` +
    ' ❯ 1. Yes\n   2. No\n\n Esc to cancel\n',
  shell: () => '$ \n',
}
