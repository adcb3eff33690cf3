import { type Fields, fields, list, shortText, textIn } from '../read.ts'
import type {
  AgentServer,
  Said,
  ServerAct,
  ServerActDone,
  ServerActPlan,
  ServerReport,
  ServerTalk,
} from '../servers.ts'
import { LoadedThreadsCheck } from './server-check.ts'
import { PendingRequests } from './server-requests.ts'

/**
 * The conversation with the shared daemon of Codex (0.166.0): JSON-RPC without its version, one
 * object for each message. It reports the status of every thread unasked; vigil asks only which
 * threads are loaded, and what each of them is. Only the shape of an answer is trusted.
 */
export const server: AgentServer = {
  socketOf: (home) => `${home}/app-server-control/app-server-control.sock`,
  talk: () => new CodexTalk(),
  check: (hook) => new LoadedThreadsCheck(hook),
}

/** Threads whose kind is remembered; the oldest are asked about again. */
const THREADS_MAX = 2_000

const NOTHING: Said = { send: [], report: [] }

/** Messages that tell something about a thread's state. */
const TELLING: ReadonlySet<string> = new Set([
  'thread/started',
  'thread/status/changed',
  'thread/closed',
  'thread/name/updated',
  'turn/started',
  'turn/completed',
])

/** SPEC CX41. What a subscriber would get besides: the conversation itself, piece by piece. */
const NOT_WANTED = [
  ...['agentMessage/delta', 'plan/delta', 'commandExecution/outputDelta', 'fileChange/outputDelta'],
  ...['reasoning/summaryTextDelta', 'reasoning/summaryPartAdded', 'reasoning/textDelta'],
  ...['commandExecution/terminalInteraction', 'mcpToolCall/progress'],
].map((method) => `item/${method}`)

type Asked =
  | { readonly what: 'hello' | 'loaded' }
  | { readonly what: 'read' | 'resume' | 'left'; readonly thread: string }
  /** The last step of an act; `but`: what was done of it even if this step fails. */
  | { readonly what: 'act'; readonly act: number; readonly but?: string }
  | { readonly what: 'turn'; readonly act: number; readonly thread: string }

class CodexTalk implements ServerTalk {
  #nextId = 1
  readonly #asked = new Map<number, Asked>()
  /** Threads that were reported with what they are. */
  readonly #known = new Set<string>()
  readonly #requests = new PendingRequests()

  open(): Said {
    const hello = {
      clientInfo: { name: 'vigil', title: 'vigil', version: '1' },
      capabilities: { experimentalApi: true, optOutNotificationMethods: NOT_WANTED },
    }
    return { send: [this.#ask('initialize', hello, { what: 'hello' })], report: [] }
  }

  take(given: unknown): Said {
    const message = fields(given)
    const method = textIn(message.method)
    if (method === undefined) return this.#answered(message)
    const news = this.#withRequests(method, message)
    const params = fields(message.params)
    const thread = shortText(params.threadId) ?? shortText(fields(params.thread).id)
    if (thread === undefined || !TELLING.has(method)) return news
    if (method === 'thread/started') this.#remember(thread)
    // A thread that began before vigil listened: what it is decides whether it is a session.
    if (!this.#known.has(thread)) return { ...news, send: [...news.send, this.#read(thread)] }
    return { ...news, report: [{ thread, message: kept(message) }] }
  }

  act(act: ServerAct): ServerActPlan | { readonly why: string } {
    const id = this.#nextId
    if (act.kind === 'answer') return this.#answer(act)
    const threadId = act.session
    if (act.kind === 'interrupt') {
      // Only the turn that runs now: its number is asked for, and given back.
      const params = { threadId, limit: 1, itemsView: 'notLoaded' }
      const asked = { what: 'turn', act: id, thread: threadId } as const
      return { act: id, send: [this.#ask('thread/turns/list', params, asked)] }
    }
    const input = [{ type: 'text', text: act.text }]
    const params = { threadId, input, clientUserMessageId: act.name }
    const method = act.queue ? 'thread/queue/add' : 'turn/start'
    return { act: id, send: [this.#ask(method, params, { what: 'act', act: id })] }
  }

  #answer(act: Extract<ServerAct, { kind: 'answer' }>): ServerActPlan | { readonly why: string } {
    const id = this.#nextId
    const given = this.#requests.answering(act, id)
    if (!given) return { why: 'the request is over' }
    const { message, steer } = given
    if (steer) {
      const asked = { what: 'act', act: id, but: NOT_STEERED } as const
      return { act: id, send: [message, this.#ask('turn/steer', steer, asked)] }
    }
    this.#nextId += 1
    return { act: id, send: [message] }
  }

  #answered(message: Fields): Said {
    const asked = typeof message.id === 'number' ? this.#asked.get(message.id) : undefined
    if (asked === undefined) return NOTHING
    this.#asked.delete(message.id as number)
    const result = fields(message.result)
    switch (asked.what) {
      case 'hello': {
        const loaded = this.#ask('thread/loaded/list', {}, { what: 'loaded' })
        return { send: [{ method: 'initialized' }, loaded], report: [] }
      }
      case 'loaded': {
        const threads = list(result.data).flatMap((id) => shortText(id) ?? [])
        return { send: threads.slice(-THREADS_MAX).map((id) => this.#read(id)), report: [] }
      }
      case 'read': {
        const thread = fields(result.thread)
        if (thread.id !== asked.thread) return NOTHING
        this.#remember(asked.thread)
        const news = this.#withRequests('thread/read', { params: { thread } })
        return { ...news, report: [reportOf(asked.thread, thread)] }
      }
      case 'resume':
        return this.#withRequests('thread/resume', {
          params: { ...result, threadId: asked.thread },
        })
      case 'turn':
        return this.#interrupt(asked.thread, asked.act, result)
      case 'act':
        return { ...NOTHING, done: [doneOf(asked.act, message, asked.but)] }
      default:
        return NOTHING
    }
  }

  #interrupt(thread: string, act: number, result: Fields): Said {
    const turn = fields(list(result.data)[0])
    const turnId = shortText(turn.id)
    if (turn.status !== 'inProgress' || turnId === undefined)
      return { ...NOTHING, done: [{ act, why: 'no turn is running' }] }
    const params = { threadId: thread, turnId }
    return { send: [this.#ask('turn/interrupt', params, { what: 'act', act })], report: [] }
  }

  /** What a message means for open requests: threads to subscribe to, requests that open or end. */
  #withRequests(method: string, message: Fields): Said {
    const { calls, ...news } = this.#requests.take(method, message)
    const send = calls.map(({ method: call, params }) => {
      const isResume = call === 'thread/resume'
      const asked = { what: isResume ? 'resume' : 'left', thread: params.threadId } as const
      return this.#ask(call, params, asked)
    })
    return { send, report: [], ...news }
  }

  #read(thread: string): object {
    return this.#ask('thread/read', { threadId: thread }, { what: 'read', thread })
  }

  #ask(method: string, params: object, asked: Asked): object {
    const id = this.#nextId
    this.#nextId += 1
    this.#asked.set(id, asked)
    return { id, method, params }
  }

  #remember(thread: string): void {
    const [oldest] = this.#known
    if (this.#known.size >= THREADS_MAX && oldest !== undefined) this.#known.delete(oldest)
    this.#known.add(thread)
  }
}

const NOT_STEERED = 'it was denied, but the message to the agent was not accepted'

function doneOf(act: number, { error }: Fields, but: string | undefined): ServerActDone {
  if (error === undefined) return { act }
  const why = shortText(fields(error).message) ?? 'its server refused'
  return { act, why: but === undefined ? why : `${but}: ${why}` }
}

function reportOf(thread: string, about: Fields): ServerReport {
  return { thread, message: kept({ method: 'thread/read', params: { thread: about } }) }
}

/** Without the conversation itself: a report tells states. */
function kept(message: Fields): object {
  const params = fields(message.params)
  const thread = fields(params.thread)
  const { turns: _, ...about } = thread
  return {
    ...message,
    params: { ...params, ...(params.thread !== undefined && { thread: about }) },
  }
}
