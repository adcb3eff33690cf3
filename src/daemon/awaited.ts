import type { Spooled } from '../sources/arrival.ts'

/**
 * SPEC BR2. By what a hook and its report meet: a hook that has another payload under the same name
 * asks about something else.
 */
export function bindingOf({ name, digest }: Spooled): string {
  return `${name} ${digest}`
}

/** Those who ask about something by its name before it is there: both come by different ways. */
export class Awaited<T> {
  readonly #waiting = new Map<string, (found: T | undefined) => void>()

  /** It is there; says whether anybody waits for it. */
  tell(name: string, found: T): boolean {
    this.#waiting.get(name)?.(found)
    return this.#waiting.has(name)
  }

  /** What was asked about, once it is there; nothing when it does not come, or who asked left. */
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
