import type { HookCommand, WaitingHooks } from './requests/waiting-hooks.ts'
import type { Watching } from './watching.ts'

/** SPEC IN30. Nothing of the machine is watched. */
export const NOTHING_WATCHED: Pick<Watching, 'homes' | 'start' | 'stop'> = {
  homes: [],
  start: async () => {},
  stop: async () => {},
}

/** SPEC IN32. Hooks without processes: they wait in this one, and are answered like any other. */
export class PlayedHooks implements WaitingHooks {
  readonly #waiting = new Map<string, () => void>()

  wait(name: string, onAnswer: () => void): void {
    this.#waiting.set(name, onAnswer)
  }

  open(): void {}

  close(): void {}

  waits(name: string): boolean {
    return this.#waiting.has(name)
  }

  send(name: string, word: HookCommand): boolean {
    const onAnswer = this.#waiting.get(name)
    if (word === 'answer') onAnswer?.()
    else this.forget(name)
    return onAnswer !== undefined
  }

  forget(name: string): void {
    this.#waiting.delete(name)
  }

  endAllBut(): void {}
}
