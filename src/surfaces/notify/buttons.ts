import { type ChildProcess, spawn } from 'node:child_process'
import type { Env } from '../../agents/agent.ts'
import { pathTo, trustedPath } from '../../platform/programs.ts'
import type { Pressed } from './ask.ts'

/** Each is a program that runs until its notification is gone. */
const SHOWN_MAX = 8

const BUTTONS = ['--action=allow=Allow once', '--action=deny=Deny']

/**
 * Notifications with buttons: notify-send prints which was pressed, and ends with the notification.
 */
export class Buttons {
  readonly #env: Env
  readonly #shown = new Map<string, ChildProcess>()
  /** Older versions have no buttons. */
  #known = true

  constructor(env: Env) {
    this.#env = env
  }

  get hasRoom(): boolean {
    return this.#known && this.#shown.size < SHOWN_MAX
  }

  /** Returns what retracts it, once it is shown; undefined if it cannot be shown with buttons. */
  show(
    id: string,
    args: readonly string[],
    onPressed: (choice: Pressed) => void,
    signal: AbortSignal,
  ): Promise<{ readonly receipt: string | undefined } | undefined> {
    const child = spawn(pathTo('notify-send', this.#env), [...BUTTONS, ...args], {
      env: { ...this.#env, PATH: trustedPath(this.#env) },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    // An ignored notification must not keep the daemon alive.
    child.unref()
    this.#shown.set(id, child)
    const out = { stdout: '', stderr: '' }
    return new Promise((resolve) => {
      const onAbort = () => this.end(id)
      signal.addEventListener('abort', onAbort)
      for (const name of ['stdout', 'stderr'] as const)
        child[name].setEncoding('utf8').on('data', (chunk) => {
          out[name] = (out[name] + chunk).slice(0, SAID_MAX)
          const [receipt] = /^\d+$/m.exec(out.stdout) ?? []
          if (receipt === undefined) return
          signal.removeEventListener('abort', onAbort)
          resolve({ receipt })
        })
      const over = (code: number | null) => {
        if (this.#shown.get(id) === child) this.#shown.delete(id)
        const [choice] = /^(allow|deny)$/m.exec(out.stdout) ?? []
        if (choice) onPressed(choice as Pressed)
        if (/unknown option/i.test(out.stderr)) this.#known = false
        // After a failure the message is sent without buttons, and that attempt reports the reason.
        resolve(code === 0 ? { receipt: undefined } : undefined)
      }
      child.once('error', () => over(null))
      child.once('close', over)
    })
  }

  end(id: string): void {
    const child = this.#shown.get(id)
    this.#shown.delete(id)
    if (child?.pid === undefined) return
    try {
      process.kill(-child.pid, 'SIGTERM')
    } catch {
      // The program has just ended.
    }
  }

  close(): void {
    for (const id of [...this.#shown.keys()]) this.end(id)
  }
}

/** A number and a word, or an error message. */
const SAID_MAX = 200
