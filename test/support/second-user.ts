import { execFileSync, type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'

/** Why tests with another user of the machine cannot run here; undefined if they can. */
export const noSecondUser: string | undefined =
  process.getuid?.() !== 0
    ? 'making a second user needs root'
    : !runs('useradd', '--help')
      ? 'useradd is not installed'
      : undefined

/** Another user of this machine, an attacker. Made by the test, removed with `remove`. */
export class SecondUser {
  readonly name = `vigil-${randomBytes(4).toString('hex')}`
  readonly uid: number
  readonly gid: number

  constructor() {
    execFileSync('useradd', ['--no-create-home', '--shell', '/bin/sh', this.name])
    this.uid = Number(execFileSync('id', ['-u', this.name], { encoding: 'utf8' }))
    this.gid = Number(execFileSync('id', ['-g', this.name], { encoding: 'utf8' }))
  }

  /** Runs a program to its end as that user. */
  run(command: string, args: readonly string[] = [], input = ''): SpawnSyncReturns<string> {
    return spawnSync(command, args, { ...this.#as(), input, encoding: 'utf8', timeout: 60_000 })
  }

  /** Starts a program as that user; the test ends it. */
  start(command: string, args: readonly string[] = []) {
    return spawn(command, args, { ...this.#as(), stdio: ['pipe', 'pipe', 'inherit'] })
  }

  remove(): void {
    spawnSync('userdel', ['--force', this.name])
  }

  #as() {
    const env = { PATH: '/usr/bin:/bin', HOME: '/nonexistent', USER: this.name }
    return { uid: this.uid, gid: this.gid, cwd: '/', env }
  }
}

function runs(command: string, ...args: string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).error === undefined
}
