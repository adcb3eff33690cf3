import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { DaemonHome, until } from '../support/daemon.ts'
import type { PrivateTmux } from './support.ts'

/** A home whose daemon shows agents in the tmux servers of one test. */
export function homeFor(tmux: PrivateTmux, settings: object = { tmux: { on: true } }): DaemonHome {
  const home = new DaemonHome()
  home.env.TMUX_TMPDIR = tmux.tmpdir
  setIn(home, settings)
  return home
}

export function setIn(home: DaemonHome, settings: object): void {
  mkdirSync(home.folders.config, { recursive: true })
  writeFileSync(join(home.folders.config, 'settings.json'), JSON.stringify(settings))
}

const RUNNING = [{ id: 'agent-a', type: 'subagent', status: 'running', description: 'look' }]
const NOTICE = '<task-notification>\n<task-id>agent-a</task-id>\n<status>completed</status>'
const SUBAGENT = { agent_id: 'agent-a', agent_type: 'Explore' }

const STEP_MS = 10
const BURST_MS = 1_000

/** An agent in a pane, told by its hooks; its process is what runs in the pane. */
export class Agent {
  readonly #home: DaemonHome
  readonly #head: Record<string, string | number>
  readonly #id: string
  readonly #isPast: boolean
  #at: number
  #tools = 0

  constructor(home: DaemonHome, tmux: PrivateTmux, pane: string, options: AgentOptions = {}) {
    const { id = pane, agoMs = 0, socket = tmux.socket() } = options
    this.#home = home
    this.#id = `own-${id}`
    this.#isPast = agoMs > 0
    this.#at = Date.now() - (agoMs || BURST_MS)
    const ask = (format: string) => tmux.ask(pane, format, socket)
    const pid = Number(ask('#{pane_pid}'))
    this.#head = { claudePid: pid, ppid: pid, tmux: `${socket},1,0`, tmuxPane: ask('#{pane_id}') }
  }

  get id(): string {
    return this.#id
  }

  hook(event: string, more: object = {}): this {
    const cwd = '/home/ada/engine'
    // A burst of hooks within one millisecond would have no order.
    this.#at = Math.max(this.#at + STEP_MS, this.#isPast ? 0 : Date.now() - BURST_MS)
    const payload = { session_id: this.#id, hook_event_name: event, cwd, ...more }
    this.#home.write(payload, this.#head, this.#at)
    return this
  }

  start(): this {
    return this.hook('SessionStart', { source: 'startup' })
  }

  prompt(prompt = 'go'): this {
    return this.hook('UserPromptSubmit', { prompt })
  }

  tool(name: string, response: object = {}): this {
    this.begin(name)
    const tool_use_id = `call-${this.#tools}`
    return this.hook('PostToolUse', { tool_name: name, tool_use_id, tool_response: response })
  }

  begin(name: string): this {
    this.#tools += 1
    const tool_use_id = `call-${this.#tools}`
    return this.hook('PreToolUse', { tool_name: name, tool_use_id, tool_input: {} })
  }

  asks(name: string): this {
    return this.begin(name).hook('PermissionRequest', { tool_name: name, tool_input: {} })
  }

  stop(more: object = {}): this {
    return this.hook('Stop', more)
  }

  work(): this {
    return this.prompt().tool('Edit').stop()
  }

  readOnly(): this {
    return this.prompt().tool('Read').stop()
  }

  /** A turn that leaves a subagent at work. */
  task(): this {
    this.prompt().hook('SubagentStart', SUBAGENT)
    this.tool('Agent', { status: 'async_launched', agentId: 'agent-a' })
    return this.stop({ background_tasks: RUNNING })
  }

  stillRunning(): this {
    return this.prompt().tool('Edit').stop({ background_tasks: RUNNING })
  }

  taskEnds(): this {
    return this.hook('SubagentStop', SUBAGENT).prompt(NOTICE).tool('Edit').stop()
  }
}

interface AgentOptions {
  readonly id?: string
  readonly agoMs?: number
  readonly socket?: string
}

/** What a window shows: its name, and the seed's two variables. */
export function windowOf(tmux: PrivateTmux, target: string): readonly string[] {
  const format = '#{window_name}|#{@agent_running}|#{@last_completed_time}'
  return tmux.ask(target, format).split('|')
}

export async function shows(tmux: PrivateTmux, target: string, name: string): Promise<void> {
  const isSo = () => tmux.windowName(target) === name
  await until(`${target} shows ${name}`, isSo).catch((error: Error) => {
    throw new Error(`${error.message}; it shows ${tmux.windowName(target)}`)
  })
}

/** Name and options of a window and of its pane: all that we may have changed. */
export function allIn(tmux: PrivateTmux, target: string): string {
  const options = ['-w', '-p'].map((scope) => {
    const lines = tmux.run(['show-options', scope, '-t', target]).split('\n')
    return lines.filter((line) => /^@|^automatic-rename|^window-status-style/.test(line)).join('\n')
  })
  return [tmux.windowName(target), ...options].join('\n--\n')
}

export async function isAgain(tmux: PrivateTmux, target: string, before: string): Promise<void> {
  await until('all is as it was', () => allIn(tmux, target) === before).catch(() =>
    expect(allIn(tmux, target)).toBe(before),
  )
}
