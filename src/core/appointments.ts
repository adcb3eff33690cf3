/**
 * When each session is to be judged again, earliest first. There is one appointment per session: a
 * later call replaces the earlier one, whose heap entry is skipped when it comes up.
 */
export class Appointments {
  readonly #due = new Map<string, number>()
  /** A binary heap; equal times keep the order in which they were added. */
  readonly #heap: Entry[] = []
  #made = 0

  set(id: string, at: number | undefined): void {
    if (this.#due.get(id) === at) return
    if (at === undefined) this.#due.delete(id)
    else {
      this.#due.set(id, at)
      this.#made += 1
      this.#push({ id, at, order: this.#made })
    }
  }

  has(id: string): boolean {
    return this.#due.has(id)
  }

  /** The earliest appointment; it stays until it is set again. */
  first(): { readonly id: string; readonly at: number } | undefined {
    for (let top = this.#heap[0]; top; top = this.#heap[0]) {
      if (this.#due.get(top.id) === top.at) return top
      this.#pop()
    }
    return undefined
  }

  #push(entry: Entry): void {
    let at = this.#heap.length
    this.#heap.push(entry)
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.#swapIfLater(parent, at)) return
      at = parent
    }
  }

  #pop(): void {
    const last = this.#heap.pop()
    if (!last || this.#heap.length === 0) return
    this.#heap[0] = last
    for (let at = 0; ; ) {
      const left = 2 * at + 1
      const right = left + 1
      const child = isBefore(this.#heap[right], this.#heap[left]) ? right : left
      if (child >= this.#heap.length || !this.#swapIfLater(at, child)) return
      at = child
    }
  }

  #swapIfLater(parent: number, child: number): boolean {
    const [upper, lower] = [this.#heap[parent] as Entry, this.#heap[child] as Entry]
    if (!isBefore(lower, upper)) return false
    this.#heap[parent] = lower
    this.#heap[child] = upper
    return true
  }
}

interface Entry {
  readonly id: string
  readonly at: number
  readonly order: number
}

function isBefore(a: Entry | undefined, b: Entry | undefined): boolean {
  if (!a || !b) return a !== undefined
  return a.at < b.at || (a.at === b.at && a.order < b.order)
}

/** Of several times; undefined: none of them is set. */
export function firstTime(...times: readonly (number | undefined)[]): number | undefined {
  const set = times.filter((at) => at !== undefined)
  return set.length > 0 ? Math.min(...set) : undefined
}
