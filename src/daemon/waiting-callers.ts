import type { Spooled } from '../sources/arrival.ts'

/**
 * SPEC BR2. The key that links a hook to its report: a hook with another payload under the same
 * name asks about something else.
 */
export function bindingOf({ name, digest }: Spooled): string {
  return `${name} ${digest}`
}

/** Callers that ask about a name before its value is there: the two arrive on different ways. */
export class WaitingCallers<T> {
  readonly #waiting = new Map<string, (found: T | undefined) => void>()

  /** Delivers the value; returns whether a caller waits for it. */
  resolve(name: string, found: T): boolean {
    this.#waiting.get(name)?.(found)
    return this.#waiting.has(name)
  }

  /** The value, once it is there; undefined when it does not come, or the caller disconnects. */
  async until(name: string, withinMs: number, gone: AbortSignal): Promise<T | undefined> {
    const { promise, resolve } = Promise.withResolvers<T | undefined>()
    const leave = () => resolve(undefined)
    const late = setTimeout(leave, withinMs)
    gone.addEventListener('abort', leave)
    if (gone.aborted) leave()
    this.#waiting.set(name, resolve)
    const found = await promise
    clearTimeout(late)
    gone.removeEventListener('abort', leave)
    if (this.#waiting.get(name) === resolve) this.#waiting.delete(name)
    return found
  }
}
