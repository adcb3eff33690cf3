import { reviveRun } from '../../core/loop/revive.ts'
import type { LoopRun, RunFrame } from '../../core/loop/run.ts'
import type { LoopStep } from '../../protocol/loop.ts'
import type { LoopRow, LoopTable } from '../../store/loops.ts'

/** A loop and what its controller stores with it. */
export interface StoredLoop {
  readonly run: LoopRun
  readonly session: string
  /** The frame that ended last: all there is to show of a loop that is over. */
  readonly last?: RunFrame
  /** The newest text that made the agent continue: repeated where it was lost. */
  readonly block?: Block
  /** A reminder for the agent after its compaction. */
  readonly anchor?: string
  /** Where the present turn began, and what the session had cost by then. */
  readonly turnAt: number
  readonly turnCostUsd?: number
}

/** `typed`: into its pane, where no hook could deliver it. */
interface Block {
  readonly at: number
  readonly reason: string
  readonly typed?: boolean
}

/** Where loops are stored: the store, or a list in tests. */
export type LoopStorage = Pick<LoopTable, 'save' | 'open' | 'list' | 'get' | 'steps'>

/** The open loops in memory; every change is stored before listeners are notified. */
export class OpenLoops {
  readonly #storage: LoopStorage
  readonly #open = new Map<string, StoredLoop>()

  constructor(storage: LoopStorage) {
    this.#storage = storage
    for (const row of storage.open()) {
      const stored = storedFrom(row)
      if (stored) this.#open.set(row.id, stored)
      else this.#abort(row)
    }
  }

  /** A loop that cannot be read cannot continue; its row stays unchanged, for inspection. */
  #abort(row: LoopRow): void {
    try {
      this.#storage.save({ ...row, open: false }, [])
    } catch {
      // The log cannot be written either: then it is not read again before the next start.
    }
  }

  open(): readonly StoredLoop[] {
    return [...this.#open.values()]
  }

  /** By its own id, or by its session's. */
  find(name: string): StoredLoop | undefined {
    return this.#open.get(name) ?? this.ofSession(name) ?? storedFrom(this.#storage.get(name))
  }

  ofSession(session: string): StoredLoop | undefined {
    for (const stored of this.#open.values()) if (stored.session === session) return stored
    return undefined
  }

  /** The newest first, closed ones too. */
  list(limit: number): readonly StoredLoop[] {
    return this.#storage.list(limit).flatMap((row) => storedFrom(row) ?? [])
  }

  put(stored: StoredLoop, ...steps: readonly LoopStep[]): StoredLoop {
    const { run, session } = stored
    const open = isOpenLoop(run)
    this.#storage.save({ id: run.id, session, open, updatedAt: run.updatedAt, body: stored }, steps)
    if (open) this.#open.set(run.id, stored)
    else this.#open.delete(run.id)
    return stored
  }

  steps(id: string, limit: number): readonly LoopStep[] {
    return this.#storage.steps(id, limit) as unknown as readonly LoopStep[]
  }
}

export function isOpenLoop({ event, stack }: LoopRun): boolean {
  return event === 'STATE' && stack.length > 0
}

/** An unreadable row is no loop: the agent stops normally. */
function storedFrom(row: LoopRow | undefined): StoredLoop | undefined {
  if (typeof row?.body !== 'object' || row.body === null) return undefined
  const body = row.body as Partial<StoredLoop>
  const run = reviveRun(body.run)
  if (!run) return undefined
  const { turnAt = run.startedAt } = body
  return { ...(body as StoredLoop), run, session: row.session, turnAt }
}
