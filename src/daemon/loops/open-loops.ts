import { reviveRun } from '../../core/loop/revive.ts'
import type { LoopRun, RunFrame } from '../../core/loop/run.ts'
import type { LoopStep } from '../../protocol/loop.ts'
import type { LoopRow, LoopTable } from '../../store/loops.ts'

/** A loop and what its keeper needs to know beside it. */
export interface StoredLoop {
  readonly run: LoopRun
  readonly session: string
  /** The frame that ended last: all there is to show of a loop that is over. */
  readonly last?: RunFrame
  /** The newest word to the agent that kept it going: said again where it was not heard. */
  readonly block?: Block
  /** What to remind the agent of after its compaction. */
  readonly anchor?: string
  /** Where the present turn began, and what the session had cost by then. */
  readonly turnAt: number
  readonly turnCostUsd?: number
}

/** `typed`: into its pane, where no hook could say it. */
interface Block {
  readonly at: number
  readonly reason: string
  readonly typed?: boolean
}

/** Where loops are kept: the store, or a list in tests. */
export type LoopStorage = Pick<LoopTable, 'save' | 'open' | 'list' | 'get' | 'steps'>

/** The open loops, at hand; every change is stored before any listener hears of it. */
export class OpenLoops {
  readonly #storage: LoopStorage
  readonly #open = new Map<string, StoredLoop>()

  constructor(storage: LoopStorage) {
    this.#storage = storage
    for (const row of storage.open()) {
      const kept = keptFrom(row)
      if (kept) this.#open.set(row.id, kept)
      else this.#abort(row)
    }
  }

  /** What cannot be read cannot go on; it is kept as it is, for who wants to look. */
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
    return this.#open.get(name) ?? this.ofSession(name) ?? keptFrom(this.#storage.get(name))
  }

  ofSession(session: string): StoredLoop | undefined {
    for (const kept of this.#open.values()) if (kept.session === session) return kept
    return undefined
  }

  /** The newest first, closed ones too. */
  list(limit: number): readonly StoredLoop[] {
    return this.#storage.list(limit).flatMap((row) => keptFrom(row) ?? [])
  }

  put(kept: StoredLoop, ...steps: readonly LoopStep[]): StoredLoop {
    const { run, session } = kept
    const open = isOpenLoop(run)
    this.#storage.save({ id: run.id, session, open, updatedAt: run.updatedAt, body: kept }, steps)
    if (open) this.#open.set(run.id, kept)
    else this.#open.delete(run.id)
    return kept
  }

  steps(id: string, limit: number): readonly LoopStep[] {
    return this.#storage.steps(id, limit) as unknown as readonly LoopStep[]
  }
}

export function isOpenLoop({ event, stack }: LoopRun): boolean {
  return event === 'STATE' && stack.length > 0
}

/** One that cannot be read is no loop: the agent stops normally. */
function keptFrom(row: LoopRow | undefined): StoredLoop | undefined {
  if (typeof row?.body !== 'object' || row.body === null) return undefined
  const body = row.body as Partial<StoredLoop>
  const run = reviveRun(body.run)
  if (!run) return undefined
  const { turnAt = run.startedAt } = body
  return { ...(body as StoredLoop), run, session: row.session, turnAt }
}
