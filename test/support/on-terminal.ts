import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from './daemon.ts'

interface Size {
  readonly columns: number
  readonly rows: number
}

/** A command on a terminal of this size, and a person who types. */
export class OnTerminal {
  readonly ended: Promise<void>
  readonly #child: ChildProcess
  #said = ''

  constructor(
    command: readonly string[],
    env: Readonly<Record<string, string | undefined>>,
    { columns, rows }: Size,
  ) {
    const words = command.map((word) => `'${word}'`).join(' ')
    const line = `stty rows ${rows} columns ${columns}; exec ${words}`
    this.#child = spawn('script', ['-qec', line, '/dev/null'], { env: { ...env } })
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#said += text
    })
    this.ended = new Promise((resolve) => this.#child.once('close', () => resolve()))
  }

  get said(): string {
    return this.#said
  }

  /** The output after the last occurrence of these words. */
  since(words: string): string {
    return this.#said.slice(this.#said.lastIndexOf(words) + 1)
  }

  says(words: string): Promise<void> {
    return until(`it says ${words}`, () => this.#said.includes(words), 20_000)
  }

  types(keys: string): void {
    this.#child.stdin?.write(keys)
  }

  /** As long as key presses do not count. */
  pause(): Promise<void> {
    return sleep(500)
  }
}
