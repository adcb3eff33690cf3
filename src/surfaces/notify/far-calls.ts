import type { RemoteFeed, RemoteNews } from '../../client/surface-context.ts'
import { addressOf, keyedRow, readAddress } from '../../protocol/address.ts'
import type { Session } from '../../protocol/session.ts'
import { isStale } from '../../view/freshness.ts'
import type { Calls, Step } from './calls.ts'

interface FarParts {
  readonly feed: RemoteFeed | undefined
  readonly calls: Calls
  /** A session that was not known before, or whose machine is heard from again. */
  readonly onKnown: (session: Session, isBack: boolean) => void
  readonly onStep: (step: Step) => void
}

/** SPEC FL92. Sessions of other machines, judged as those of this one. */
export class FarCalls {
  readonly #parts: FarParts
  readonly #rows = new Map<string, Session>()
  readonly #stop: () => void

  constructor(parts: FarParts) {
    this.#parts = parts
    this.#stop = parts.feed?.onRow((news) => this.#take(news)) ?? (() => {})
  }

  /** The rows that are there already. Apart from the constructor, which its owner waits for. */
  begin(): void {
    for (const session of this.#parts.feed?.rows() ?? []) this.#take({ kind: 'session', session })
  }

  get(key: string): Session | undefined {
    return this.#rows.get(key)
  }

  close(): void {
    this.#stop()
  }

  #take(news: RemoteNews): void {
    const { calls, onKnown, onStep } = this.#parts
    if (news.kind === 'gone') {
      const key = addressOf({ machine: news.machine, id: news.session })
      calls.forget(key)
      if (this.#rows.delete(key)) onStep({ do: 'end', session: key })
      return
    }
    const row = placeless(keyedRow(news.session))
    const before = this.#rows.get(row.id)
    this.#rows.set(row.id, row)
    if (isStale(row)) {
      calls.forget(row.id)
      if (before && !isStale(before)) onStep({ do: 'end', session: row.id })
    } else if (!before || isStale(before)) {
      calls.know(row)
      onKnown(row, before !== undefined)
    } else for (const step of calls.takeRow(row)) onStep(step)
  }
}

/** Whether a key is of a session on another machine. */
export function isFar(key: string): boolean {
  return readAddress(key).machine !== undefined
}

/**
 * SPEC FL93. Its sockets, terminals and processes are names on another machine: here they would be
 * others', and notifications write to terminals.
 */
function placeless(session: Session): Session {
  const nowhere = { pid: null, tmuxPane: null, tmuxSocket: null, tty: null, terminal: null }
  return { ...session, ...nowhere }
}
