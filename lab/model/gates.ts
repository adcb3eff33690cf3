/** Holds answers back until the test releases them. An open gate stays open. */
export class Gates {
  readonly #open = new Set<string>()
  readonly #waiting = new Map<string, Set<() => void>>()

  release(name: string): void {
    this.#open.add(name)
    for (const go of this.#waiting.get(name) ?? []) go()
    this.#waiting.delete(name)
  }

  opened(name: string, gone: AbortSignal): Promise<void> {
    if (this.#open.has(name)) return Promise.resolve()
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(name) ?? new Set()
      this.#waiting.set(name, waiting.add(resolve))
      gone.addEventListener('abort', () => reject(gone.reason), { once: true })
    })
  }
}
