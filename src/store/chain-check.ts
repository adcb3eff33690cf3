import { actHash, type ChainedAct, GAP, GENESIS, type Removal, removalIn } from './chain.ts'

/** The newest act of a log, and its hash. */
export interface ChainHead {
  readonly act: number
  readonly hash: string
}

export interface ChainBreak {
  /** Null when no act of the log is at fault: the log ends too early. */
  readonly act: number | null
  readonly why: string
}

export interface ChainCheckOptions {
  /** Acts before this one are not checked: a known and accepted gap. */
  readonly from?: number | undefined
  /** Hashes of acts that were written elsewhere at the time. */
  readonly known?: ReadonlyMap<number, string>
}

/** More add nothing. */
const BREAKS_MAX = 20

/** SPEC AU2. Takes acts one by one, oldest first, and reports those that break the chain. */
export class ChainCheck {
  readonly #from: number
  readonly #known: ReadonlyMap<number, string>
  readonly #wanted = new Map<string, string>()
  readonly breaks: ChainBreak[] = []
  broken = 0
  acts = 0
  first: ChainedAct | undefined
  last: ChainedAct | undefined
  #removal: Removal | undefined
  #compared = 0

  constructor({ from = 0, known = new Map() }: ChainCheckOptions = {}) {
    this.#from = from
    this.#known = known
  }

  /** How many acts had a hash that was written elsewhere. */
  get compared(): number {
    return this.#compared
  }

  /** The log must have an act with this hash; `place` names the place of the copy. */
  expect(hash: string, place: string): void {
    this.#wanted.set(hash, place)
  }

  take(act: ChainedAct): void {
    this.#wanted.delete(act.hash)
    if (act.id < this.#from) return
    const { last } = this
    if (last && act.id <= last.id) this.#break(act.id, `comes after act ${last.id}, out of order`)
    else if (last && act.previous !== last.hash)
      this.#break(act.id, `does not follow act ${last.id}: an act was changed or removed`)
    if (actHash(act) !== act.hash) this.#break(act.id, 'was changed: its hash is wrong')
    this.#compare(act)
    if (act.what === GAP) this.#break(act.id, act.words)
    this.#removal = removalIn(act) ?? this.#removal
    this.first ??= act
    this.last = act
    this.acts += 1
  }

  /** Call after the last act. */
  end(): void {
    const { first } = this
    if (first && this.#from === 0 && !this.#begins(first))
      this.#break(first.id, 'is the oldest act; the acts before it are missing')
    for (const [hash, place] of this.#wanted)
      this.#break(null, `no act has the hash ${hash.slice(0, 12)}…, which ${place} names`)
  }

  #begins({ id, previous }: ChainedAct): boolean {
    if (previous === GENESIS) return true
    const removal = this.#removal
    // The daemon may have ended during a removal that it had logged.
    return removal !== undefined && (previous === removal.hash || id <= removal.removedTo)
  }

  #compare({ id, hash }: ChainedAct): void {
    const known = this.#known.get(id)
    if (known === undefined) return
    this.#compared += 1
    if (known !== hash) this.#break(id, 'has another hash than vigil.log names for it')
  }

  #break(act: number | null, why: string): void {
    this.broken += 1
    if (this.breaks.length < BREAKS_MAX) this.breaks.push({ act, why })
  }
}
