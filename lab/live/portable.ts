import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'

/**
 * Programs of macOS that BusyBox cannot replace: BusyBox has no start time of processes, and no
 * list of open files.
 */
const OWN = ['ps', 'lsof', 'tmux', 'git']

/**
 * SPEC PT8. A PATH without GNU: BusyBox's programs, and those that macOS has of its own. Below the
 * user's home, since vigil takes no program from a folder such as /tmp.
 */
export class PortablePath {
  readonly folder: string

  constructor() {
    const caches = join(userInfo().homedir, '.cache')
    mkdirSync(caches, { recursive: true, mode: 0o700 })
    this.folder = mkdtempSync(join(caches, 'vigil-portable-'))
    const busybox = whereIs('busybox')
    const applets = execFileSync(busybox, ['--list'], { encoding: 'utf8' }).trim().split('\n')
    for (const name of applets) if (!OWN.includes(name)) symlinkSync(busybox, this.#at(name))
    for (const name of OWN) symlinkSync(whereIs(name), this.#at(name))
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  #at(name: string): string {
    return join(this.folder, name)
  }
}

function whereIs(program: string): string {
  return realpathSync(
    execFileSync('/bin/sh', ['-c', 'command -v "$0"', program], { encoding: 'utf8' }).trim(),
  )
}
