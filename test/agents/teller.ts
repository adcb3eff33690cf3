import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Session } from '../../src/protocol/session.ts'
import { type DaemonHome, until } from '../support/daemon.ts'
import { FABLE_BIN, KNOWS_FABLE } from '../support/fable/known.ts'
import type { PrivateTmux } from '../tmux/support.ts'

/** Every process of this home knows the agent, and finds its program and its files. */
export function fableIn(home: DaemonHome): string {
  const fableHome = join(home.path, 'fables')
  mkdirSync(fableHome, { recursive: true })
  const PATH = `${FABLE_BIN}:${home.env.PATH}`
  Object.assign(home.env, KNOWS_FABLE, { FABLE_HOME: fableHome, PATH })
  return fableHome
}

/** The agent itself, in a pane of its own; its user types into it. */
export class Teller {
  readonly tale: string
  readonly cwd: string
  readonly pane: string
  readonly pid: number
  readonly #home: DaemonHome
  readonly #tmux: PrivateTmux

  constructor(home: DaemonHome, tmux: PrivateTmux, tale: string) {
    this.tale = tale
    this.cwd = join(home.path, `place-${tale}`)
    this.#home = home
    this.#tmux = tmux
    mkdirSync(this.cwd)
    const files = `FABLE_HOME='${home.env.FABLE_HOME}'`
    const command = `cd '${this.cwd}'; ${files} exec '${FABLE_BIN}fable' --tale ${tale}`
    const named = ['-P', '-F', '#{pane_id} #{pane_pid}', '-n', tale]
    const [pane = '', pid] = tmux
      .run(['new-window', '-d', '-t', 'work:', ...named, command])
      .split(' ')
    this.pane = pane
    this.pid = Number(pid)
  }

  types(line: string): void {
    this.#tmux.run(['send-keys', '-t', this.pane, '-l', line])
    this.#tmux.run(['send-keys', '-t', this.pane, 'Enter'])
  }

  async session(): Promise<Session | undefined> {
    const { sessions } = await this.#home.client.sessions()
    return sessions.find(({ cwd, agent }) => agent === 'fable' && cwd === this.cwd)
  }

  becomes(state: Session['state']): Promise<void> {
    return until(`it is ${state}`, async () => (await this.session())?.state === state)
  }

  /** What the log has noted under a word. */
  noted(word: string): string[] {
    const root = join(this.#home.env.FABLE_HOME ?? '', 'tales')
    const names = readdirSync(root, { recursive: true, encoding: 'utf8' })
    const name = names.find((path) => path.endsWith(`/${this.tale}.tale`)) ?? ''
    const lines = readFileSync(join(root, name), 'utf8').split('\n')
    return lines.flatMap((line) => line.match(new RegExp(`^\\d+ ${word} (.*)$`))?.[1] ?? [])
  }
}
