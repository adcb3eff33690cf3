import { type Fields, fields, list, shortText, textIn } from '../read.ts'
import type {
  AgentServer,
  Said,
  ServerAct,
  ServerActPlan,
  ServerReport,
  ServerTalk,
} from '../servers.ts'
import { LoadedThreadsCheck } from './server-check.ts'

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
  'item/started',
  'item/completed',
  'serverRequest/resolved',
])

type Asked =
  | { readonly what: 'hello' | 'loaded' | 'act' }
  | { readonly what: 'read'; readonly thread: string }

class CodexTalk implements ServerTalk {
  #nextId = 1
  readonly #asked = new Map<number, Asked>()
  /** Threads that were reported with what they are. */
  readonly #known = new Set<string>()
  /** The running turn of each thread. */
  readonly #turns = new Map<string, string>()

  open(): Said {
    const hello = {
      clientInfo: { name: 'vigil', title: 'vigil', version: '1' },
      capabilities: { experimentalApi: true },
    }
    return { send: [this.#ask('initialize', hello, { what: 'hello' })], report: [] }
  }

  take(given: unknown): Said {
    const message = fields(given)
    const method = textIn(message.method)
    if (method === undefined) return this.#answered(message)
    const params = fields(message.params)
    const thread = shortText(params.threadId) ?? shortText(fields(params.thread).id)
    if (thread === undefined || !TELLING.has(method)) return NOTHING
    this.#followTurn(method, thread, params)
    const report = [{ thread, message: kept(message) }]
    if (method === 'thread/started') this.#remember(thread)
    // A thread that began before vigil listened: what it is decides whether it is a session.
    if (this.#known.has(thread)) return { send: [], report }
    return { send: [this.#read(thread)], report: [] }
  }

  act(act: ServerAct): ServerActPlan | undefined {
    const id = this.#nextId
    const turn = this.#turns.get(act.session)
    if (act.kind === 'interrupt') {
      if (turn === undefined) return undefined
      const params = { threadId: act.session, turnId: turn }
      return { id, send: [this.#ask('turn/interrupt', params, { what: 'act' })] }
    }
    const input = [{ type: 'text', text: act.text }]
    const params = { threadId: act.session, input }
    const method = turn === undefined ? 'turn/start' : 'thread/queue/add'
    return { id, send: [this.#ask(method, params, { what: 'act' })] }
  }

  #answered(message: Fields): Said {
    const asked = typeof message.id === 'number' ? this.#asked.get(message.id) : undefined
    if (asked === undefined) return NOTHING
    this.#asked.delete(message.id as number)
    const result = fields(message.result)
    switch (asked.what) {
      case 'hello':
        return {
          send: [
            { method: 'initialized' },
            this.#ask('thread/loaded/list', {}, { what: 'loaded' }),
          ],
          report: [],
        }
      case 'loaded': {
        const threads = list(result.data).flatMap((id) => shortText(id) ?? [])
        return { send: threads.slice(-THREADS_MAX).map((id) => this.#read(id)), report: [] }
      }
      case 'read': {
        const thread = fields(result.thread)
        if (thread.id !== asked.thread) return NOTHING
        this.#remember(asked.thread)
        return { send: [], report: [reportOf(asked.thread, 'thread/read', thread)] }
      }
      default:
        return NOTHING
    }
  }

  #followTurn(method: string, thread: string, params: Fields): void {
    const turn = shortText(fields(params.turn).id)
    if (method === 'turn/started' && turn !== undefined) this.#turns.set(thread, turn)
    if (method === 'turn/completed') this.#turns.delete(thread)
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

function reportOf(thread: string, method: string, about: Fields): ServerReport {
  return { thread, message: kept({ method, params: { thread: about } }) }
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
