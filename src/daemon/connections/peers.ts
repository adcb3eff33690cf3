import { ownersOf, type Peer, SOCKET_TABLES } from '../../platform/socket-owners.ts'
import type { Complain } from '../../sources/arrival.ts'

interface Options {
  readonly own?: number | undefined
  readonly complain?: Complain | undefined
  readonly read?: typeof ownersOf
}

interface Waiting {
  readonly peer: Peer
  /** How often its socket was missing from the table. */
  misses: number
  readonly decide: (isTrusted: boolean) => void
}

/**
 * A socket that opens or closes elsewhere while the table is read can hide a row of the same
 * bucket, so a missing peer is looked up once more.
 */
const MISSES_MAX = 2

/**
 * SPEC CT2, CT3. Which user a connection belongs to: the daemon's own user is trusted, and root,
 * which can read every file of that user anyway and relays connections from outside a virtual
 * machine. One read of the table at a time answers for all connections that were accepted before it
 * began.
 */
export class Peers {
  readonly #own: number | undefined
  readonly #complain: Complain
  readonly #read: typeof ownersOf
  #waiting: Waiting[] = []
  #isReading = false
  #hasComplained = false

  constructor({ own = process.getuid?.(), complain = () => {}, read = ownersOf }: Options = {}) {
    this.#own = own
    this.#complain = complain
    this.#read = read
  }

  isTrusted(peer: Peer): Promise<boolean> {
    return new Promise((decide) => {
      this.#waiting.push({ peer, misses: 0, decide })
      if (!this.#isReading) void this.#readOn()
    })
  }

  async #readOn(): Promise<void> {
    this.#isReading = true
    while (this.#waiting.length > 0) {
      const batch = this.#waiting
      this.#waiting = []
      const owners = await this.#ownersOf(batch)
      for (const one of batch) this.#decide(one, owners?.get(one.peer), owners === undefined)
    }
    this.#isReading = false
  }

  #decide(one: Waiting, uid: number | undefined, isUnreadable: boolean): void {
    one.misses += uid === undefined ? 1 : 0
    if (uid === undefined && !isUnreadable && one.misses < MISSES_MAX) this.#waiting.push(one)
    else one.decide(uid !== undefined && (uid === this.#own || uid === 0))
  }

  async #ownersOf(batch: readonly Waiting[]): Promise<ReadonlyMap<Peer, number> | undefined> {
    try {
      return await this.#read(batch.map(({ peer }) => peer))
    } catch (error) {
      const todo = `every TCP connection is refused; allow this user to read ${SOCKET_TABLES[0]}`
      if (!this.#hasComplained)
        this.#complain('cannot tell which user a connection belongs to', {
          error: String(error),
          todo,
        })
      this.#hasComplained = true
      return undefined
    }
  }
}
