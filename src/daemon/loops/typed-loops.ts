import { loopOf } from '../../agents/index.ts'
import { type TypedLoop, typedLoopIn } from '../../core/loop/typed.ts'
import type { LoopBegun, LoopStarted } from '../../protocol/loop.ts'
import type { Arrival, Complain } from '../../sources/arrival.ts'
import { WaitingCallers } from '../waiting-callers.ts'

interface Parts {
  readonly now: () => number
  readonly start: (session: string, typed: TypedLoop) => Promise<LoopStarted>
  readonly complain: Complain
}

/** The client runs the plugin's command and its hooks within a second of each other. */
const TOGETHER_MS = 30_000
/** On 2.1.325 the text comes before the command asks, on 2.1.220 after the command has ended. */
const TEXT_WITHIN_MS = 700
const SESSIONS_MAX = 100

/**
 * SPEC WD14. `/vigil:loop` starts a loop when two things match: the plugin's command, which has no
 * arguments, and the line that the user submitted, as the session's own hook left it in the spool.
 * So no prompt text passes through a shell, and neither of the two does anything alone.
 */
export class TypedLoops {
  readonly #parts: Parts
  readonly #texts = new Map<string, { readonly at: number; readonly text: string }>()
  readonly #asked = new Map<string, number>()
  readonly #awaited = new WaitingCallers<string>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  onReport({ report, spooled }: Arrival): void {
    const event = spooled ? loopOf(report.agent)?.eventOf(report) : undefined
    if (event?.is !== 'typed') return
    const { session, text } = event
    if (this.#awaited.resolve(session, text)) return
    const askedAt = this.#asked.get(session)
    this.#asked.delete(session)
    const now = this.#parts.now()
    if (askedAt === undefined || now - askedAt > TOGETHER_MS) {
      put(this.#texts, session, { at: now, text })
      return
    }
    void this.#begin(session, text).then((begun) => {
      if (begun.act === 'refused') this.#parts.complain('no loop was started', { why: begun.why })
    })
  }

  async begin(session: string, gone: AbortSignal): Promise<LoopBegun> {
    const text = this.#take(session) ?? (await this.#awaited.until(session, TEXT_WITHIN_MS, gone))
    if (text !== undefined) return this.#begin(session, text)
    put(this.#asked, session, this.#parts.now())
    return { act: 'later' }
  }

  #take(session: string): string | undefined {
    const known = this.#texts.get(session)
    this.#texts.delete(session)
    return known && this.#parts.now() - known.at <= TOGETHER_MS ? known.text : undefined
  }

  async #begin(session: string, text: string): Promise<LoopBegun> {
    const typed = typedLoopIn(text)
    if ('refused' in typed) return { act: 'refused', why: typed.refused }
    try {
      return { act: 'started', started: await this.#parts.start(session, typed) }
    } catch (error) {
      return { act: 'refused', why: (error as Error).message }
    }
  }
}

/** Beyond the limit the oldest goes. */
function put<T>(map: Map<string, T>, session: string, value: T): void {
  map.delete(session)
  map.set(session, value)
  if (map.size > SESSIONS_MAX) map.delete(map.keys().next().value ?? '')
}
