/** Those who ask about something by its name before it is there: both come by different ways. */
export class Awaited<T> {
  readonly #waiting = new Map<string, (found: T | undefined) => void>()

  /** It is there. */
  tell(name: string, found: T): void {
    this.#waiting.get(name)?.(found)
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

/** The file's name, of a report's key that tells its time as well. */
export function nameInKey(key: string): string {
  return key.slice(0, key.lastIndexOf('@'))
}
