import type { WaitingFor } from '../../src/core/signal.ts'
import type { Client } from './client.ts'
import type { Random } from './random.ts'

type Outcome = 'is running' | 'interrupted'

interface Running {
  readonly id: string
  readonly what: 'subagent' | 'shell'
}

/** Turns of a model client, from the prompt to whatever their end brings about. */
export class Turns {
  readonly client: Client
  readonly #random: Random
  #running: Running[] = []
  #queued = false

  constructor(client: Client, random: Random) {
    this.client = client
    this.#random = random
  }

  turn(): void {
    const { client } = this
    client.turn = client.id('turn')
    client.hook('UserPromptSubmit', { prompt: 'do it' })
    client.user('do it', { promptSource: 'typed' })
    client.becomes('working', 'busy')
    client.shows('working')
    this.#goOn()
  }

  /** The turn's body up to its end, and whatever the end brings about. */
  #goOn(): void {
    const steps = Math.floor(this.#random.between(0, 5))
    if (this.#think(true) === 'interrupted') return
    for (let i = 0; i < steps; i++) if (this.#step() === 'interrupted') return
    if (this.#random.chance(0.06)) this.#fail()
    else this.#finish()
  }

  #finish(): void {
    this.client.assistant('end_turn')
    this.client.wait(40)
    this.#stop()
  }

  /** Esc before the first word leaves no entry; later it does. */
  #think(first: boolean): Outcome {
    const { client } = this
    const hangs = this.#random.chance(0.02)
    this.spin(hangs ? 0 : this.#random.spread(300, 20_000))
    if (hangs) client.wait(200_000)
    if (this.#random.chance(0.05)) this.#queue()
    if (this.#random.chance(0.08)) {
      if (!first) client.interrupted()
      this.backToPrompt('idle')
      return 'interrupted'
    }
    return 'is running'
  }

  /** A prompt typed while it works: it carries the running turn's id. */
  #queue(): void {
    const { client } = this
    if (this.#queued) return
    this.#queued = true
    client.hook('UserPromptSubmit', { prompt: 'and this' })
    client.entry({ type: 'queue-operation', operation: 'enqueue', content: 'and this' })
    this.spin(this.#random.spread(300, 5_000))
  }

  /** The queued prompt's turn begins with the end of the one before; no hook says so. */
  #dequeue(): void {
    const { client } = this
    this.#queued = false
    client.wait(20)
    client.entry({ type: 'queue-operation', operation: 'dequeue' })
    client.turn = client.id('turn')
    client.user('and this', { promptSource: 'queued' })
    client.word('busy')
    this.#goOn()
  }

  /** The spinner turns all the time: a screen a second stands for many. */
  spin(ms: number): void {
    for (let left = ms; left > 0; left -= 1_000) {
      this.client.wait(Math.min(left, 1_000))
      this.client.shows('working')
    }
  }

  #step(): Outcome {
    const dice = this.#random.next()
    if (dice < 0.4) return this.#tool(this.#random.pick(['Bash', 'Edit', 'Read']))
    if (dice < 0.5) return this.#tool('AskUserQuestion')
    if (dice < 0.56) return this.#tool('ExitPlanMode')
    if (dice < 0.66) return this.#spawn('subagent')
    if (dice < 0.74) return this.#spawn('shell')
    if (dice < 0.8) return this.#retry()
    if (dice < 0.86) return this.#compactWithin()
    this.client.assistant(null)
    return this.#think(false)
  }

  #tool(name: string): Outcome {
    const { client } = this
    const id = client.id('tool')
    const call = { tool_name: name, tool_input: { command: id }, tool_use_id: id }
    const asks = name === 'AskUserQuestion' || name === 'ExitPlanMode' || this.#random.chance(0.4)
    client.assistant('tool_use', [{ type: 'tool_use', id, name, input: { command: id } }])
    client.hook('PreToolUse', call)
    client.wait(80)
    if (asks && this.#dialog(name, id) === 'interrupted') return 'interrupted'
    if (name !== 'AskUserQuestion' && name !== 'ExitPlanMode') {
      this.spin(this.#random.spread(50, 90_000))
      if (this.#random.chance(0.05)) {
        client.refused(id)
        this.backToPrompt('idle')
        return 'interrupted'
      }
    }
    client.hook('PostToolUse', { ...call, tool_response: {} })
    this.#answered(id)
    return this.#think(false)
  }

  #answered(id: string, fields: Record<string, unknown> = {}): void {
    const { client } = this
    client.wait(20)
    client.hook('PostToolBatch', { tool_calls: [{ tool_use_id: id }] })
    if (this.#queued) {
      this.#queued = false
      client.entry({ type: 'queue-operation', operation: 'remove' })
    }
    client.user([{ type: 'tool_result', tool_use_id: id, content: 'ok' }], fields)
    client.statusline()
  }

  #dialog(name: string, id: string, actor?: string): Outcome {
    const { client } = this
    const kind: WaitingFor =
      name === 'AskUserQuestion' ? 'question' : name === 'ExitPlanMode' ? 'plan' : 'permission'
    const call = { tool_name: name, tool_input: { command: id }, ...(actor && { agent_id: actor }) }
    client.hook('PermissionRequest', call)
    client.wait(30)
    client.becomes('waiting', 'waiting', kind)
    client.wait(150)
    client.shows(kind === 'permission' ? 'permission' : kind)
    this.client.wait(this.#random.spread(900, 90_000))
    if (this.#random.chance(0.3) && actor === undefined) {
      client.refused(id)
      this.backToPrompt('idle')
      return 'interrupted'
    }
    client.becomes(actor === undefined ? 'working' : 'background', 'busy')
    client.statusline()
    client.wait(120)
    client.shows(actor === undefined ? 'working' : 'background')
    return 'is running'
  }

  #spawn(what: Running['what']): Outcome {
    const { client } = this
    const id = client.id('tool')
    const task = client.id(what)
    const name = what === 'subagent' ? 'Agent' : 'Bash'
    const response =
      what === 'subagent' ? { status: 'async_launched', agentId: task } : { backgroundTaskId: task }
    client.assistant('tool_use', [{ type: 'tool_use', id, name, input: {} }])
    client.hook('PreToolUse', { tool_name: name, tool_input: {}, tool_use_id: id })
    client.wait(60)
    if (what === 'subagent') client.hook('SubagentStart', { agent_id: task, agent_type: 'helper' })
    client.hook('PostToolUse', {
      tool_name: name,
      tool_input: {},
      tool_use_id: id,
      tool_response: response,
    })
    this.#answered(id, { toolUseResult: response })
    if (what === 'subagent') client.user('help', {}, task)
    this.#running.push({ id: task, what })
    return this.#think(false)
  }

  #retry(): Outcome {
    const { client } = this
    client.entry({ type: 'system', subtype: 'api_error', retryAttempt: 1 })
    return this.#think(false)
  }

  #compactWithin(): Outcome {
    const { client } = this
    client.hook('PreCompact', { trigger: 'auto' })
    this.spin(3_000)
    client.hook('SubagentStop', { agent_id: client.id('helper'), agent_type: '' })
    client.hook('SessionStart', { source: 'compact' })
    client.hook('PostCompact', { trigger: 'auto' })
    client.entry({
      type: 'system',
      subtype: 'compact_boundary',
      compactMetadata: { trigger: 'auto' },
    })
    return this.#think(false)
  }

  #fail(): void {
    const { client } = this
    client.apiError()
    client.wait(60)
    client.hook('StopFailure', { error: 'invalid_request' })
    client.entry({ type: 'system', subtype: 'turn_duration' })
    if (this.#leavesTasks()) return
    client.becomes('error', 'idle')
    client.shows('prompt')
  }

  #stop(): void {
    const { client } = this
    const tasks = this.#running.map(({ id, what }) => ({ id, type: what, status: 'running' }))
    client.hook('Stop', { background_tasks: tasks })
    if (this.#random.chance(0.1)) {
      client.wait(30)
      client.user('Stop hook feedback:\ngo on', { isMeta: true })
      this.#goOn()
      return
    }
    client.wait(20)
    client.entry({ type: 'system', subtype: 'turn_duration' })
    if (this.#queued) this.#dequeue()
    else this.backToPrompt('idle')
  }

  /** What a turn has started goes on behind the prompt, however the turn ended. */
  #leavesTasks(): boolean {
    const { client } = this
    const [running] = this.#running
    if (!running) return false
    client.becomes('background', running.what === 'shell' ? 'shell' : 'busy')
    client.wait(100)
    client.shows('background')
    client.statusline()
    this.#background(running)
    return true
  }

  /** The task runs on behind the prompt; at its end the client prompts itself. */
  #background({ id, what }: Running): void {
    const { client } = this
    client.wait(this.#random.spread(500, 60_000))
    if (what === 'subagent') this.#subagentWorks(id)
    this.#running = this.#running.filter((task) => task.id !== id)
    const notice = `<task-notification>\n<task-id>${id}</task-id>`
    client.turn = client.id('turn')
    client.entry({ type: 'queue-operation', operation: 'enqueue', content: notice })
    client.wait(15)
    client.entry({ type: 'queue-operation', operation: 'dequeue' })
    client.hook('UserPromptSubmit', { prompt: notice })
    client.user(notice)
    client.becomes('working', 'busy')
    client.shows('working')
    this.#goOn()
  }

  #subagentWorks(actor: string): void {
    const { client } = this
    const id = client.id('tool')
    const call = {
      tool_name: 'Bash',
      tool_input: { command: id },
      tool_use_id: id,
      agent_id: actor,
    }
    client.assistant('tool_use', [{ type: 'tool_use', id, name: 'Bash', input: {} }], actor)
    client.hook('PreToolUse', call)
    client.wait(60)
    if (this.#random.chance(0.6)) this.#dialog('Bash', id, actor)
    client.wait(this.#random.spread(100, 40_000))
    client.hook('PostToolUse', { ...call, tool_response: {} })
    client.hook('PostToolBatch', { agent_id: actor, tool_calls: [{ tool_use_id: id }] })
    client.user([{ type: 'tool_result', tool_use_id: id, content: 'ok' }], {}, actor)
    client.wait(70)
    client.assistant('end_turn', undefined, actor)
    client.hook('SubagentStop', { agent_id: actor, agent_type: 'helper' })
    client.wait(60)
  }

  backToPrompt(status: string): void {
    const { client } = this
    // Esc takes the queued prompt back into the input line.
    this.#queued = false
    if (this.#leavesTasks()) return
    client.becomes('idle', status)
    client.wait(120)
    client.shows('prompt')
    client.statusline()
  }
}
