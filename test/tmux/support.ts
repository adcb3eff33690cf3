import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { FolderWatch } from '../../src/sources/folder-watch.ts'
import type { WatchFolder } from '../../src/tmux/servers.ts'
import { until } from '../support/daemon.ts'

/** tmux servers of a test's own, in a folder of their own, and their attached users. */
export class PrivateTmux {
  readonly tmpdir: string
  readonly folder: string
  readonly #people = new Set<Person>()
  readonly #sockets = new Set<string>()

  constructor() {
    this.tmpdir = mkdtempSync(join(tmpdir(), 'vigil-tmux-'))
    this.folder = join(this.tmpdir, `tmux-${userInfo().uid}`)
    mkdirSync(this.folder, { mode: 0o700 })
  }

  socket(name = 'main'): string {
    return join(this.folder, name)
  }

  /** What a command prints; the server is started by the first. */
  run(args: readonly string[], socket = this.socket()): string {
    this.#sockets.add(socket)
    const all = ['-u', '-S', socket, '-f', '/dev/null', ...args]
    const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe']
    return execFileSync('tmux', all, { encoding: 'utf8', env: this.env(), stdio }).trimEnd()
  }

  /** A session with so many windows, each with a shell that says nothing. */
  session(name: string, windows = 1, socket = this.socket()): void {
    const quiet = ['-x', '100', '-y', '30', 'sleep 1000']
    this.run(['new-session', '-d', '-s', name, '-n', 'own', ...quiet], socket)
    for (let i = 1; i < windows; i++)
      this.run(['new-window', '-d', '-t', name, '-n', `own${i}`, 'sleep 1000'], socket)
  }

  windowName(target: string, socket = this.socket()): string {
    return this.ask(target, '#{window_name}', socket)
  }

  ask(target: string, format: string, socket = this.socket()): string {
    return this.run(['display-message', '-p', '-t', target, format], socket)
  }

  env(): Record<string, string> {
    const { PATH = '', HOME = '/' } = process.env
    return { PATH, HOME, TERM: 'xterm-256color', SHELL: '/bin/sh', TMUX_TMPDIR: this.tmpdir }
  }

  /** A user attaches in a terminal. */
  async attach(target: string, socket = this.socket()): Promise<Person> {
    const before = this.clients(socket)
    const person = new Person(socket, target, this.env())
    this.#people.add(person)
    await until('the person is attached', () => this.clients(socket) > before)
    return person
  }

  clients(socket = this.socket()): number {
    const lines = this.run(['list-clients', '-F', '#{client_control_mode}'], socket).split('\n')
    return lines.filter((line) => line === '0').length
  }

  controls(socket = this.socket()): number {
    const lines = this.run(['list-clients', '-F', '#{client_control_mode}'], socket).split('\n')
    return lines.filter((line) => line === '1').length
  }

  /** Resolves when it is gone: a dying server still accepts connections. */
  async killServer(socket = this.socket()): Promise<void> {
    const pid = this.run(['display-message', '-p', '#{pid}'], socket)
    this.run(['kill-server'], socket)
    await until('the server is gone', () => !existsSync(`/proc/${pid}/exe`))
  }

  async end(): Promise<void> {
    await Promise.all([...this.#people].map((person) => person.leave()))
    for (const socket of this.#sockets)
      try {
        this.run(['kill-server'], socket)
      } catch {
        // It ended by itself.
      }
    rmSync(this.tmpdir, { recursive: true, force: true })
  }
}

export class Person {
  readonly #child: ChildProcess

  constructor(socket: string, target: string, env: Record<string, string>) {
    const command = `tmux -u -S '${socket}' attach -t '${target}'`
    const stdio: ['pipe', 'ignore', 'ignore'] = ['pipe', 'ignore', 'ignore']
    this.#child = spawn('script', ['-qfec', command, '/dev/null'], { env, stdio })
  }

  type(keys: string): void {
    this.#child.stdin?.write(keys)
  }

  async leave(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    this.#child.kill('SIGKILL')
    await once(this.#child, 'exit')
  }
}

export const watchFolder: WatchFolder = (path, onChange) => {
  const watch = new FolderWatch(path, {
    onName: (name) => onChange(name),
    onList: () => onChange(undefined),
    complain: () => {},
  })
  watch.ensure()
  return watch
}
