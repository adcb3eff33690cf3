import { type CheckFinding, finding } from '../finding.ts'
import { type Fields, fields, list, shortText, textIn } from '../read.ts'
import type { ServerCheck } from '../servers.ts'
import { ownCommands } from './events.ts'

/** Threads that are asked about; a daemon holds a handful. */
const CHECKED_MAX = 200

const RESTART = 'codex app-server daemon restart'

/**
 * SPEC CX54. Which loaded threads run without vigil's hooks: the daemon reads hooks when it loads a
 * thread, and tells for each what it has read. Title threads and subagents' are not counted.
 */
export class LoadedThreadsCheck implements ServerCheck {
  readonly #commands: ReadonlySet<string>
  /** Questions without an answer yet, by their number. */
  readonly #asked = new Map<number, (result: Fields) => object[]>()
  readonly #without: string[] = []
  #isInstalled = false
  #sessions = 0

  constructor(hook: string) {
    this.#commands = ownCommands([hook])
  }

  open(): object[] {
    const clientInfo = { name: 'vigil', title: 'vigil', version: '1' }
    const capabilities = { experimentalApi: true }
    return this.#ask('initialize', { clientInfo, capabilities }, () => [
      { method: 'initialized' },
      ...this.#ask('hooks/list', { cwds: ['/'] }, (result) => this.#installed(result)),
    ])
  }

  take(message: unknown): object[] | undefined {
    const { id, method, result } = fields(message)
    const then = typeof id === 'number' && method === undefined ? this.#asked.get(id) : undefined
    if (then === undefined) return []
    this.#asked.delete(id as number)
    // A thread may be gone by now: then its answer is an error.
    const next = then(fields(result))
    return this.#asked.size === 0 ? undefined : next
  }

  found(): CheckFinding | undefined {
    if (!this.#isInstalled || this.#sessions === 0) return undefined
    const figures = { loaded: this.#sessions, without: this.#without }
    const [some, all] = [this.#without.length, this.#sessions]
    if (some === 0)
      return finding.ok('threads', `loaded threads: ${all}, all with vigil’s hooks`, { figures })
    return finding.warning(
      'threads',
      `${some} of ${all} loaded threads do not have vigil’s hooks yet: they were loaded before`,
      `type /new or /clear in them, or run \`${RESTART}\` and resume them`,
      { figures, notes: this.#without.map((id) => `codex resume ${id}`) },
    )
  }

  silent(why: string): CheckFinding {
    const what = `the daemon of Codex does not answer: ${why}`
    return finding.warning('threads', what, `run \`${RESTART}\``)
  }

  #installed(result: Fields): object[] {
    this.#isInstalled = this.#hasOwn(result)
    if (!this.#isInstalled) return []
    return this.#ask('thread/loaded/list', {}, ({ data }) =>
      list(data)
        .flatMap((id) => shortText(id) ?? [])
        .slice(0, CHECKED_MAX)
        .flatMap((threadId) => this.#ask('thread/read', { threadId }, (read) => this.#read(read))),
    )
  }

  #read(result: Fields): object[] {
    const { id, ephemeral, parentThreadId } = fields(result.thread)
    const threadId = shortText(id)
    if (threadId === undefined || ephemeral === true || textIn(parentThreadId)) return []
    return this.#ask('hooks/list', { threadId }, (hooks) => {
      if (!Array.isArray(hooks.data)) return []
      this.#sessions += 1
      if (!this.#hasOwn(hooks)) this.#without.push(threadId)
      return []
    })
  }

  #hasOwn({ data }: Fields): boolean {
    const hooks = list(data).flatMap((place) => list(fields(place).hooks).map(fields))
    return hooks.some(
      ({ command, trustStatus, enabled }) =>
        this.#commands.has(textIn(command) ?? '') && trustStatus === 'trusted' && enabled !== false,
    )
  }

  #nextId = 1

  #ask(method: string, params: object, then: (result: Fields) => object[]): object[] {
    const id = this.#nextId
    this.#nextId += 1
    this.#asked.set(id, then)
    return [{ id, method, params }]
  }
}
