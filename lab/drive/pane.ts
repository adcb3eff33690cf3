import { type UntilOptions, until } from '../until.ts'
import type { Tmux } from './tmux.ts'

/** Receives what the person at the keyboard does, as it happens. */
export type Note = (what: string, value: unknown, pane?: string) => void

export interface PaneOptions {
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  /** In the terminal of a program that has ended. */
  readonly again?: Pane | undefined
  readonly note?: Note | undefined
}

export interface Ended {
  readonly code?: number
  readonly signal?: number
}

type Screen = RegExp | ((screen: string) => boolean)

/** Wide and high enough that no dialog of the client is cut. */
const SIZE = ['-x', '120', '-y', '40']

/** One terminal with one program in it; the program's pid is the pane's. */
export class Pane {
  readonly id: string
  readonly pid: number
  readonly #tmux: Tmux
  readonly #note: Note

  constructor(tmux: Tmux, id: string, pid: number, note: Note = () => {}) {
    this.#tmux = tmux
    this.id = id
    this.pid = pid
    this.#note = note
  }

  static async open(tmux: Tmux, { command, env, cwd, again, note }: PaneOptions): Promise<Pane> {
    const line = commandLine(command, env)
    const format = '#{pane_id} #{pane_pid}'
    if (again) await tmux.run('respawn-pane', '-t', again.id, '-c', cwd, line)
    const said = again
      ? await tmux.run('display-message', '-p', '-t', again.id, format)
      : await tmux.run('new-session', '-d', ...SIZE, '-c', cwd, '-P', '-F', format, line)
    const [id = '', pid] = said.trim().split(' ')
    note?.('launch', command, id)
    return new Pane(tmux, id, Number(pid), note)
  }

  screen(): Promise<string> {
    return this.#tmux.run('capture-pane', '-p', '-t', this.id)
  }

  /** Types the text as it is, without Enter. */
  async type(text: string): Promise<void> {
    this.#note('text', text, this.id)
    await this.#tmux.run('send-keys', '-t', this.id, '-l', '--', text)
  }

  /** Pastes the text: its line ends send nothing. */
  async paste(text: string): Promise<void> {
    this.#note('text', text, this.id)
    await this.#tmux.run('set-buffer', '-b', 'pasted', '--', text)
    await this.#tmux.run('paste-buffer', '-p', '-d', '-b', 'pasted', '-t', this.id)
  }

  /**
   * Keys by tmux's names: Enter, Escape, C-c, Up. Wait for a screen after Escape: with a letter
   * right behind it the client takes both for one key with Alt.
   */
  async press(...keys: string[]): Promise<void> {
    for (const key of keys) this.#note('key', key, this.id)
    await this.#tmux.run('send-keys', '-t', this.id, ...keys)
  }

  /** Waits for a screen and returns it; stops waiting when its program ends. */
  async sees(what: Screen, options: UntilOptions = {}): Promise<string> {
    const name = what instanceof RegExp ? `${what} on the screen` : `a screen: ${what}`
    const look = async () => {
      const end = await this.end()
      const screen = await this.screen()
      if (what instanceof RegExp ? what.test(screen) : what(screen)) return screen
      if (!end) return undefined
      throw new Error(`${JSON.stringify(end)} before ${name}\n${await this.#shown()}`)
    }
    return until(name, look, { shows: () => this.#shown(), ...options })
  }

  /** Enter after a text in the input line. */
  async send(text: string): Promise<void> {
    this.#note('submit', text, this.id)
    await this.#tmux.run('send-keys', '-t', this.id, 'Enter')
  }

  signal(signal: NodeJS.Signals): void {
    this.#note('kill', signal, this.id)
    process.kill(this.pid, signal)
  }

  /** Waits until the program has ended. Its pane stays, with its last screen. */
  async ended(options: UntilOptions = {}): Promise<Ended> {
    const end = () => this.end()
    return until('its end', end, { shows: () => this.#shown(), ...options })
  }

  /** How the program ended; undefined while it runs. */
  async end(): Promise<Ended | undefined> {
    const format = '#{pane_dead} #{pane_dead_status} #{pane_dead_signal}'
    const said = await this.#tmux.run('display-message', '-p', '-t', this.id, format)
    const [dead, code, signal] = /^1 (\d*) (\d*)$/m.exec(said) ?? []
    if (code) return { code: Number(code) }
    if (signal) return { signal: Number(signal) }
    // tmux 3.3a sometimes misses the end of a program and leaves it a zombie (3 of 25 runs); it
    // collects all of them at the end of the next.
    if (dead) await this.#tmux.run('run-shell', 'true')
    return undefined
  }

  /** Closes the pane, as closing a terminal window does: its program gets SIGHUP. */
  async close(): Promise<void> {
    this.#note('killpane', this.id, this.id)
    await this.#tmux.run('kill-pane', '-t', this.id)
  }

  async #shown(): Promise<string> {
    const screen = await this.screen().catch((error) => String(error))
    return `the screen of pane ${this.id}:\n${screen.trimEnd()}`
  }
}

/** Only named variables get through, and the pane's id, which vigil's hook needs. */
function commandLine(command: readonly string[], env: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(env).map(([name, value]) => quoted(`${name}=${value}`))
  const pane = ['TMUX="$TMUX"', 'TMUX_PANE="$TMUX_PANE"']
  return ['exec env -i', ...pairs, ...pane, ...command.map(quoted)].join(' ')
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}
