import type { OpenedEnvelope } from '../../fleet/envelope.ts'
import type { BucketEntry } from '../../fleet/transport.ts'
import type { Membership } from './membership.ts'

/** A value of the bucket, opened when its turn has come. */
type Open = (() => OpenedEnvelope) | undefined

interface Waiting {
  /** Undefined: nothing is to be checked. */
  readonly entry: BucketEntry | undefined
  readonly take: (open: Open) => void
  isChecked: boolean
  open: Open
}

export interface EntryChecksParts {
  readonly membership: Pick<Membership, 'check' | 'open'>
  /** What `take` throws is reported, and keeps nothing from the values behind it. */
  readonly onFault: (error: unknown) => void
  /** More arrives than can be checked: all that waited is dropped. */
  readonly onFull: () => void
}

/**
 * Enough to keep the threads busy. They read files, too: what waits for a file then waits for a few
 * signatures and not for thousands.
 */
const AT_ONCE = 64
/** As many are checked here at once: a thread that wakes for each heartbeat costs more. */
const FEW = 2
/** Of the places at the front that are empty already. */
const EMPTY_MAX = 1_024
/**
 * SPEC FL203. Twice what a server sends before it waits for a reply (32 MB), which it gets when all
 * was read: only a server that does not wait sends more.
 */
export const WAITING_MAX_BYTES = 64_000_000
/** What a value takes beside its bytes, as measured. */
const ENTRY_BYTES = 300

/**
 * SPEC FL170. Checks the signatures of values of the bucket on other threads, and passes the values
 * on in the order in which they came.
 */
export class EntryChecks {
  readonly #membership: Pick<Membership, 'check' | 'open'>
  readonly #onFault: (error: unknown) => void
  readonly #onFull: () => void
  #bytes = 0
  #isGoing = false
  #isDue = false
  #waiting: Waiting[] = []
  /** The first that was not passed on, and the first that is not being checked. */
  #first = 0
  #unchecked = 0

  constructor({ membership, onFault, onFull }: EntryChecksParts) {
    this.#membership = membership
    this.#onFault = onFault
    this.#onFull = onFull
  }

  add(entry: BucketEntry, take: (open: Open) => void): void {
    this.#push({ entry, take, isChecked: false, open: undefined })
  }

  /** Runs when all that was added before was passed on. */
  after(run: () => void): void {
    this.#push({ entry: undefined, take: run, isChecked: false, open: undefined })
  }

  /** Nothing that waits is passed on. */
  clear(): void {
    this.#waiting = []
    this.#first = 0
    this.#unchecked = 0
    this.#bytes = 0
  }

  #push(waiting: Waiting): void {
    this.#bytes += bytesOf(waiting)
    if (this.#bytes <= WAITING_MAX_BYTES) {
      this.#waiting.push(waiting)
      this.#goSoon()
      return
    }
    this.clear()
    this.#onFull()
  }

  /** When all that arrived together is here. */
  #goSoon(): void {
    if (this.#isDue) return
    this.#isDue = true
    setImmediate(() => {
      this.#isDue = false
      this.#go()
    })
  }

  /** Not within itself: what is refused at once would otherwise make a deep stack. */
  #go(): void {
    if (this.#isGoing) return
    this.#isGoing = true
    do this.#begin()
    while (this.#pass())
    this.#isGoing = false
  }

  #begin(): void {
    const isFew = this.#waiting.length - this.#first <= FEW
    while (this.#unchecked < this.#waiting.length && this.#unchecked - this.#first < AT_ONCE) {
      const waiting = this.#waiting[this.#unchecked] as Waiting
      this.#unchecked += 1
      if (waiting.entry?.value) this.#check(waiting, waiting.entry, waiting.entry.value, isFew)
      else waiting.isChecked = true
    }
  }

  #check(waiting: Waiting, { key }: BucketEntry, value: Uint8Array, isFew: boolean): void {
    const [kind, machine = ''] = key.split('.', 2)
    waiting.isChecked = isFew || (kind !== 'row' && kind !== 'beat')
    if (kind !== 'row' && kind !== 'beat') return
    const expected = { kind, about: key, machine } as const
    if (isFew) waiting.open = () => this.#membership.open(value, expected)
    else
      this.#membership.check(value, expected, (open) => {
        waiting.open = open
        waiting.isChecked = true
        this.#go()
      })
  }

  /** Returns whether there is room for other checks. */
  #pass(): boolean {
    const before = this.#first
    for (let next = this.#waiting[this.#first]; next?.isChecked; ) {
      this.#first += 1
      this.#take(next)
      next = this.#waiting[this.#first]
    }
    const isMoved = this.#first > before
    if (this.#first > EMPTY_MAX && this.#first * 2 > this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#first)
      this.#unchecked -= this.#first
      this.#first = 0
    }
    return isMoved
  }

  #take(waiting: Waiting): void {
    const { take, open } = waiting
    this.#bytes -= bytesOf(waiting)
    try {
      take(open)
    } catch (error) {
      this.#onFault(error)
    }
  }
}

function bytesOf({ entry }: Waiting): number {
  return (entry?.value?.length ?? 0) + ENTRY_BYTES
}
