import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Home } from '../daemon/home.ts'

interface Pane {
  readonly window: string
  readonly id: string
  readonly pid: number
  readonly tty: string
}

/** A tmux server with many windows, an attached client, and a daemon that shows its sessions. */
export class Stage {
  readonly #tmpdir = mkdtempSync(join(tmpdir(), 'vigil-bench-tmux-'))
  readonly socket: string
  readonly panes: readonly Pane[]
  readonly home = new Home()
  readonly #person: ChildProcess

  constructor(windows: number) {
    const folder = join(this.#tmpdir, `tmux-${userInfo().uid}`)
    mkdirSync(folder, { mode: 0o700 })
    this.socket = join(folder, 'main')
    this.tmux('new-session', '-d', '-s', 'work', '-n', 'own0', 'sleep 10000')
    for (let i = 1; i < windows; i++)
      this.tmux('new-window', '-d', '-t', 'work', '-n', `own${i}`, 'sleep 10000')
    const format = '#{window_id} #{pane_id} #{pane_pid} #{pane_tty}'
    this.panes = this.tmux('list-panes', '-a', '-F', format)
      .split('\n')
      .map((line) => line.split(' '))
      .map(([window = '', id = '', pid, tty = '']) => ({ window, id, pid: Number(pid), tty }))
    const command = `tmux -u -S ${this.socket} attach`
    const env = { ...process.env, TERM: 'xterm-256color', TMUX: '' }
    const stdio: ['pipe', 'ignore', 'ignore'] = ['pipe', 'ignore', 'ignore']
    this.#person = spawn('script', ['-qfec', command, '/dev/null'], { env, stdio })
    Object.assign(this.home.env, { TMUX_TMPDIR: this.#tmpdir })
  }

  tmux(...args: string[]): string {
    const all = ['-u', '-S', this.socket, '-f', '/dev/null', ...args]
    return execFileSync('tmux', all, { encoding: 'utf8' }).trimEnd()
  }

  set(on: boolean): void {
    mkdirSync(this.home.folders.config, { recursive: true })
    const text = JSON.stringify({ tmux: { on } })
    writeFileSync(join(this.home.folders.config, 'settings.json'), text)
  }

  /** A hook's report of the agent in the pane. */
  hook(index: number, event: string, more: object = {}): void {
    const pane = this.panes[index]
    const session = { session_id: `bench-${index}`, cwd: `/home/ada/project-${index}` }
    const where = `tmux=${this.socket},1,0\ntmuxPane=${pane?.id}\n`
    const head = `claudePid=${pane?.pid}\n${where}`
    this.home.write({ ...session, hook_event_name: event, ...more }, head)
  }

  async taken(): Promise<void> {
    while (readdirSync(this.home.folders.spool).length > 0) await sleep(20)
  }

  /** Detaches the client. */
  leave(): void {
    this.#person.kill('SIGKILL')
  }

  async end(): Promise<void> {
    await this.home.end()
    this.leave()
    this.tmux('kill-server')
    rmSync(this.#tmpdir, { recursive: true, force: true })
  }
}

/** The process and its children: its control-mode client is one. */
export function cpuMsOf(pid: number): number {
  const own = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const family = own.filter((name) => Number(name) === pid || statOf(name)[1] === String(pid))
  const spent = family.map(statOf)
  // Hundredths of a second in user and system mode, including children that have ended.
  const ticks = (fields: readonly string[]) => Number(fields[11] ?? 0) + Number(fields[12] ?? 0)
  const ended = statOf(String(pid))
  const past = Number(ended[13] ?? 0) + Number(ended[14] ?? 0)
  return (spent.reduce((sum, fields) => sum + ticks(fields), 0) + past) * 10
}

function statOf(pid: string): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.replace(/^.*\) /s, '').split(' ')
  } catch {
    return []
  }
}
