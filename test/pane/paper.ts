import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { PrivateTmux } from '../tmux/support.ts'

/** A pane that shows what is written onto it, and its process. */
export class Paper {
  readonly pane: string
  readonly pid: number
  readonly #handle: number

  constructor(tmux: PrivateTmux, session: string, name = 'paper') {
    const file = join(tmux.tmpdir, name)
    execFileSync('mkfifo', [file])
    this.#handle = openSync(file, constants.O_RDWR)
    const format = '#{pane_id} #{pane_pid}'
    const command = `stty raw -echo; exec cat ${file}`
    const made = tmux.run(['new-window', '-d', '-t', session, '-P', '-F', format, command])
    const [pane = '', pid] = made.split(' ')
    this.pane = pane
    this.pid = Number(pid)
  }

  write(text: string): void {
    writeSync(this.#handle, text)
  }

  lines(...lines: readonly string[]): void {
    this.write(lines.map((line) => `${line}\r\n`).join(''))
  }

  close(): void {
    closeSync(this.#handle)
  }
}
