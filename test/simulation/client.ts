import type { Source, WaitingFor } from '../../src/core/signal.ts'
import { screens } from '../support/scene.ts'

/** What was true from `t` on. */
export interface Truth {
  readonly t: number
  readonly state: 'working' | 'waiting' | 'background' | 'idle' | 'error' | 'closed'
  readonly for?: WaitingFor
  readonly session: string
  /** No source was left to report it: `error` may be taken for `idle`. */
  readonly untold?: boolean
}

/** Something a source could see at `t`; whether and when it is seen is the channel's matter. */
export interface Emission {
  readonly t: number
  readonly source: Source
  readonly fields: Record<string, unknown>
}

const FOLDER = '-home-ada-engine'

/**
 * The outside of a model client: what each source would see of what happens, in the shapes and with
 * the gaps that the recordings of the real one show. It knows nothing of vigil.
 */
export class Client {
  readonly truth: Truth[] = []
  readonly emissions: Emission[] = []
  /** A client of before the registry, whose hooks name neither process nor pane. */
  readonly old: boolean
  now = Date.UTC(2026, 0, 5, 9)
  session = 'session-0'
  pid = 5_000
  turn = 'turn-0'
  #ids = 0

  constructor(old: boolean) {
    this.old = old
  }

  id(kind: string): string {
    this.#ids += 1
    return `${kind}-${this.#ids}`
  }

  wait(ms: number): void {
    this.now += Math.max(1, Math.round(ms))
  }

  /** A new true state, with the client's own word of it. */
  becomes(state: Truth['state'], status: string, kind?: WaitingFor): void {
    this.truth.push({ t: this.now, state, session: this.session, ...(kind && { for: kind }) })
    this.word(status, kind)
  }

  word(status: string, kind?: WaitingFor): void {
    const waitingFor = kind === 'question' ? 'input needed' : kind && 'permission prompt'
    this.#emit('registry', {
      pid: this.pid,
      file: {
        pid: this.pid,
        procStart: String(this.pid),
        sessionId: this.session,
        cwd: '/home/ada/engine',
        status,
        statusUpdatedAt: this.now,
        ...(waitingFor && { waitingFor }),
      },
    })
  }

  launched(): void {
    this.pid += 1
    const cwd = '/home/ada/engine'
    this.#emit('process', {
      pid: this.pid,
      alive: true,
      start: String(this.pid),
      command: 'claude',
      cwd,
    })
    const file = { pid: this.pid, procStart: String(this.pid), sessionId: this.session, cwd }
    this.#emit('registry', { pid: this.pid, file })
  }

  died(): void {
    this.truth.push({ t: this.now, state: 'closed', session: this.session })
    this.#emit('process', { pid: this.pid, alive: false, start: String(this.pid) })
  }

  /** Killed, and its pid given to another program before the next scan. */
  replaced(): void {
    this.truth.push({ t: this.now, state: 'closed', session: this.session })
    this.#emit('process', { pid: this.pid, alive: true, start: 'later', command: 'vim', cwd: '/' })
  }

  removedFile(): void {
    this.#emit('registry', { pid: this.pid, file: null })
  }

  hook(event: string, fields: Record<string, unknown> = {}): void {
    this.#emit('hook', {
      env: this.old ? {} : { ppid: this.pid, tmuxPane: '%0' },
      payload: {
        session_id: this.session,
        transcript_path: this.#path(),
        prompt_id: this.turn,
        hook_event_name: event,
        ...fields,
      },
    })
  }

  entry(entry: Record<string, unknown>, actor?: string): void {
    this.#emit('transcript', {
      path: actor === undefined ? this.#path() : `${this.#path(`/subagents/agent-${actor}`)}`,
      entry: {
        timestamp: new Date(this.now).toISOString(),
        sessionId: this.session,
        promptId: this.turn,
        ...(actor !== undefined && { agentId: actor, isSidechain: true }),
        ...entry,
      },
    })
  }

  user(content: unknown, fields: Record<string, unknown> = {}, actor?: string): void {
    this.entry({ type: 'user', message: { role: 'user', content }, ...fields }, actor)
  }

  assistant(
    stop: string | null,
    blocks: readonly unknown[] = [{ type: 'text', text: 'So.' }],
    actor?: string,
  ): void {
    const message = { role: 'assistant', stop_reason: stop, content: blocks }
    this.entry({ type: 'assistant', message }, actor)
  }

  interrupted(): void {
    this.user([{ type: 'text', text: '[Request interrupted by user]' }])
    this.wait(30)
  }

  /** "No" in a dialog, or Esc in a tool: a refusal as the tool's answer, then the interrupt. */
  refused(id: string): void {
    const refusal = [{ type: 'tool_result', tool_use_id: id, is_error: true, content: 'refused' }]
    this.user(refusal, { toolUseResult: 'User rejected tool use' })
    this.user([{ type: 'text', text: '[Request interrupted by user for tool use]' }])
    this.wait(30)
  }

  apiError(): void {
    const content = [{ type: 'text', text: 'API Error: 400' }]
    const message = {
      role: 'assistant',
      model: '<synthetic>',
      stop_reason: 'stop_sequence',
      content,
    }
    this.entry({ type: 'assistant', message, isApiErrorMessage: true, error: 'invalid_request' })
  }

  statusline(): void {
    this.#emit('statusline', {
      payload: { session_id: this.session, transcript_path: this.#path() },
    })
  }

  shows(
    what: 'prompt' | 'working' | 'permission' | 'question' | 'plan' | 'background' | 'shell',
  ): void {
    const text = {
      prompt: screens.prompt(),
      working: screens.working(),
      permission: screens.permission(),
      question:
        '\n☐ Colour\n\n❯ 1. Red\n  2. Blue\n\nEnter to select · ↑/↓ to navigate · Esc to cancel\n',
      plan: '\n   Exit plan mode?\n\n    ❯ 1. Yes\n      2. No\n',
      background: screens.working('Waiting for 1 background agent to finish').replace('✢', '✻'),
      shell: screens.shell(),
    }[what]
    this.#emit('screen', { pane: '%0', text })
  }

  #emit(source: Source, fields: Record<string, unknown>): void {
    if (this.old && (source === 'registry' || source === 'process')) return
    this.emissions.push({ t: this.now, source, fields })
  }

  #path(deeper = ''): string {
    return `/home/ada/.claude/projects/${FOLDER}/${this.session}${deeper}.jsonl`
  }
}
