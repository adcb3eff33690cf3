import { type Fields, fields, given, list, numberIn, shortText } from '../read.ts'
import type { Said, ServerAct, ServerRequest } from '../servers.ts'
import { askedOnServer, type ServerAsked } from './answer-request.ts'

/** Far more dialogs than a user has open; announced file changes; threads whose place is known. */
const PENDING_MAX = 200
const CHANGES_MAX = 200
const PLACES_MAX = 2_000

interface ServerCall {
  readonly method: string
  readonly params: { readonly threadId: string } & Fields
}

/** The answer itself, and what puts the user's message into the turn. */
interface Answering {
  readonly message: object
  readonly steer?: object
}

interface RequestNews extends Pick<Said, 'asked' | 'over' | 'done'> {
  readonly calls: readonly ServerCall[]
}

interface PendingRequest extends ServerAsked {
  /** The server's own number of it. */
  readonly serverId: number | string
  readonly threadId: string
  readonly place: ThreadPlace
  isShown: boolean
  answer?: Extract<ServerAct, { kind: 'answer' }> & { readonly act: number }
}

/** The session of a thread, and the subagent where it is one. */
interface ThreadPlace {
  readonly session: string
  readonly actor: string | null
}

const NO_NEWS: RequestNews = { calls: [] }

/**
 * SPEC CX40, CX41. The requests of a server. It sends them to subscribers of a thread, and sends an
 * open request again to a later subscriber: vigil subscribes to a thread only while that waits.
 */
export class PendingRequests {
  readonly #pending = new Map<string, PendingRequest>()
  readonly #places = new Map<string, ThreadPlace>()
  readonly #subscribed = new Set<string>()
  /** By the number of their item, as the server announced them. */
  readonly #changes = new Map<string, unknown>()

  take(method: string, message: Fields): RequestNews {
    const params = fields(message.params)
    const thread = shortText(params.threadId) ?? ''
    switch (method) {
      case 'thread/started':
      case 'thread/read':
        return this.#met(fields(params.thread), method === 'thread/started')
      case 'thread/resume':
        return this.#resumed(thread, params)
      case 'thread/status/changed':
        return this.#status(thread, fields(params.status))
      case 'thread/closed':
        this.#subscribed.delete(thread)
        return this.#withdrawn(thread)
      case 'item/started':
        this.#keepChanges([params.item])
        return NO_NEWS
      case 'serverRequest/resolved':
        return this.#resolved(thread, params.requestId, numberIn(message.emittedAtMs))
      default:
        return this.#asked(method, message.id, thread, params)
    }
  }

  /** What answers a request; none where it is over or being answered. */
  answering(answer: Extract<ServerAct, { kind: 'answer' }>, act: number): Answering | undefined {
    const pending = this.#pending.get(answer.request)
    if (!pending?.isShown || pending.answer) return undefined
    pending.answer = { ...answer, act }
    const { serverId, threadId, turn } = pending
    const message = { id: serverId, result: answer.output }
    if (answer.word === undefined) return { message }
    // At once: once the agent goes on, a word cuts off what it has begun.
    const input = [{ type: 'text', text: answer.word }]
    return { message, steer: { threadId, expectedTurnId: turn, input } }
  }

  #met(thread: Fields, isNew: boolean): RequestNews {
    const id = shortText(thread.id)
    if (id === undefined || thread.ephemeral === true) return NO_NEWS
    const parent = shortText(thread.parentThreadId)
    const session = parent === undefined ? id : (shortText(thread.sessionId) ?? parent)
    keep(this.#places, id, { session, actor: parent === undefined ? null : id }, PLACES_MAX)
    // The server subscribes every connection to the thread of a new subagent.
    if (isNew && parent !== undefined) this.#subscribed.add(id)
    return this.#status(id, fields(thread.status))
  }

  #status(thread: string, { activeFlags }: Fields): RequestNews {
    if (!this.#places.has(thread)) return NO_NEWS
    if (list(activeFlags).some((flag) => WAITS.has(flag))) {
      if (this.#subscribed.has(thread) && this.#isAsking(thread)) return NO_NEWS
      this.#subscribed.add(thread)
      return { calls: [subscribe(thread)] }
    }
    const calls = this.#subscribed.delete(thread) ? [unsubscribe(thread)] : []
    return { ...this.#withdrawn(thread), calls }
  }

  #isAsking(thread: string): boolean {
    return [...this.#pending.values()].some(({ threadId }) => threadId === thread)
  }

  #asked(method: string, id: unknown, thread: string, params: Fields): RequestNews {
    const place = this.#places.get(thread)
    const asked = askedOnServer(method, params)
    if (!place || !asked || (typeof id !== 'number' && typeof id !== 'string')) return NO_NEWS
    const key = [thread, id, asked.item, ...asked.part].join(':')
    if (this.#pending.has(key) || this.#pending.size >= PENDING_MAX) return NO_NEWS
    const pending = { ...asked, serverId: id, threadId: thread, place, isShown: false }
    this.#pending.set(key, pending)
    // A late subscriber gets no announcement of the item; it is in the turn that runs.
    if (asked.needsChanges && !this.#changes.has(asked.item))
      return { calls: [subscribe(thread, { initialTurnsPage: { limit: 1, itemsView: 'full' } })] }
    return { calls: [], asked: [this.#shown(key, pending)] }
  }

  #resumed(thread: string, { initialTurnsPage }: Fields): RequestNews {
    for (const turn of list(fields(initialTurnsPage).data))
      this.#keepChanges(list(fields(turn).items))
    const unseen = [...this.#pending].filter(
      ([, { threadId, isShown }]) => threadId === thread && !isShown,
    )
    return { calls: [], asked: unseen.map(([key, pending]) => this.#shown(key, pending)) }
  }

  #shown(key: string, pending: PendingRequest): ServerRequest {
    pending.isShown = true
    const asked = { ...pending.place, ...pending.callWith(this.#changes.get(pending.item)) }
    return given({ id: key, at: pending.at, asked }) as ServerRequest
  }

  #keepChanges(items: readonly unknown[]): void {
    for (const { type, id, changes } of items.map(fields))
      if (type === 'fileChange' && typeof id === 'string')
        keep(this.#changes, id, changes, CHANGES_MAX)
  }

  /** SPEC CX42. The first answer counts: one that the server had before ours was another's. */
  #resolved(thread: string, id: unknown, at: number | undefined): RequestNews {
    const [key, pending] =
      [...this.#pending].find(([, one]) => one.threadId === thread && one.serverId === id) ?? []
    if (key === undefined || !pending) return NO_NEWS
    const over = this.#over(key)
    const { answer } = pending
    if (!answer) return { calls: [], over }
    const { act, word } = answer
    if (at !== undefined && at < answer.at)
      return { calls: [], over, done: [{ act, why: word === undefined ? LATE : LATE_WORD }] }
    return { calls: [], over, ...(word === undefined && { done: [{ act }] }) }
  }

  #withdrawn(thread: string): RequestNews {
    const all = [...this.#pending].filter(([, { threadId }]) => threadId === thread)
    const done = all.flatMap(([, { answer }]) =>
      answer ? [{ act: answer.act, why: 'the request was withdrawn' }] : [],
    )
    return { calls: [], over: all.flatMap(([key]) => this.#over(key)), done }
  }

  #over(key: string): readonly string[] {
    const isShown = this.#pending.get(key)?.isShown === true
    this.#pending.delete(key)
    return isShown ? [key] : []
  }
}

const LATE = 'it was answered in its terminal before'
const LATE_WORD = `${LATE}; the message was sent to the agent`

const WAITS: ReadonlySet<unknown> = new Set(['waitingOnApproval', 'waitingOnUserInput'])

/** For a thread that is loaded this only subscribes; the turns are left out. */
function subscribe(threadId: string, more: Fields = {}): ServerCall {
  return { method: 'thread/resume', params: { threadId, excludeTurns: true, ...more } }
}

function unsubscribe(threadId: string): ServerCall {
  return { method: 'thread/unsubscribe', params: { threadId } }
}

function keep<T>(map: Map<string, T>, key: string, value: T, max: number): void {
  map.delete(key)
  const [oldest] = map.size >= max ? map.keys() : []
  if (oldest !== undefined) map.delete(oldest)
  map.set(key, value)
}
