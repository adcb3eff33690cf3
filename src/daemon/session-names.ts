import { SESSIONS_MAX } from '../core/limits.ts'

interface Held {
  readonly base: string
  readonly number: number
}

/** How many numbers are searched for a free one; beyond them the next is taken. */
const SEARCHED_MAX = 100

/**
 * SPEC VW25. The names of sessions: `payments`, `payments 2`. A number stays while its session is
 * open, whichever others come and go, and across daemons.
 */
export class SessionNames {
  readonly #isOpen: (id: string) => boolean
  readonly #held = new Map<string, Held>()
  /** By base: which session has which number. */
  readonly #holders = new Map<string, Map<number, string>>()
  /** Names from the log, until their sessions are looked up. */
  readonly #logged = new Map<string, string>()

  constructor(isOpen: (id: string) => boolean) {
    this.#isOpen = isOpen
  }

  remember(id: string, name: string): void {
    this.#logged.set(id, name)
  }

  /** `base`: the name it would have if it were the only session. */
  of(id: string, base: string): string {
    const held = this.#held.get(id)
    const isOwn = held?.base === base && this.#holders.get(base)?.get(held.number) === id
    // A closed session keeps its name on screen, though another may have it by now.
    if (held?.base === base && (isOwn || !this.#isOpen(id))) return nameOf(held)
    return nameOf(this.#take(id, base))
  }

  #take(id: string, base: string): Held {
    this.#prune()
    const before = this.#held.get(id)
    if (before) this.#giveBack(id, before)
    const holders = this.#holders.get(base) ?? new Map<number, string>()
    this.#holders.set(base, holders)
    const logged = numberIn(this.#logged.get(id), base)
    this.#logged.delete(id)
    const number = logged && this.#isFree(holders, logged) ? logged : this.#free(holders)
    const held = { base, number }
    this.#held.set(id, held)
    holders.set(number, id)
    return held
  }

  #free(holders: ReadonlyMap<number, string>): number {
    const last = Math.min(holders.size, SEARCHED_MAX)
    for (let number = 1; number <= last; number++) if (this.#isFree(holders, number)) return number
    let next = holders.size + 1
    while (holders.has(next)) next += 1
    return next
  }

  #isFree(holders: ReadonlyMap<number, string>, number: number): boolean {
    const holder = holders.get(number)
    return holder === undefined || !this.#isOpen(holder)
  }

  /** As many as there can be sessions. */
  #prune(): void {
    if (this.#held.size <= 2 * SESSIONS_MAX) return
    for (const [id, held] of this.#held) if (!this.#isOpen(id)) this.#giveBack(id, held)
  }

  #giveBack(id: string, { base, number }: Held): void {
    this.#held.delete(id)
    const holders = this.#holders.get(base)
    if (holders?.get(number) === id) holders.delete(number)
    if (holders?.size === 0) this.#holders.delete(base)
  }
}

function nameOf({ base, number }: Held): string {
  return number === 1 ? base : `${base} ${number}`
}

function numberIn(name: string | undefined, base: string): number | undefined {
  if (name === base) return 1
  const number = name?.startsWith(`${base} `) ? Number(name.slice(base.length + 1)) : 0
  return Number.isSafeInteger(number) && number > 1 ? number : undefined
}
