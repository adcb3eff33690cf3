import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DaemonHome } from '../support/daemon.ts'

const UNSHARE = ['unshare', '--user', '--map-root-user', '--mount']
/** Without `--user`, for root on a system that forbids user namespaces. */
const AS_ROOT = ['unshare', '--mount']

const [means] = [UNSHARE, AS_ROOT].filter(([program = '', ...args]) => {
  const script = 'mount -t tmpfs none "$0"'
  return spawnSync(program, [...args, 'sh', '-ec', script, tmpdir()]).status === 0
})

export const canMount = means !== undefined

/** A small file system of the test's own, in a namespace that ends with the test. */
export class Mounted {
  readonly path: string
  /** The same folder as it is seen from outside of the namespace. */
  readonly seenAt: string
  readonly #holder: ChildProcess
  readonly #enter: readonly string[]

  private constructor(path: string, holder: ChildProcess) {
    this.path = path
    this.#holder = holder
    this.seenAt = `/proc/${holder.pid}/root${path}`
    const spaces = means === UNSHARE ? ['--user', '--preserve-credentials'] : []
    this.#enter = ['nsenter', '--target', String(holder.pid), ...spaces, '--mount', '--']
  }

  static async make(bytes: number): Promise<Mounted> {
    const path = mkdtempSync(join(tmpdir(), 'vigil-disk-'))
    const [program = '', ...args] = means ?? []
    // Ends when the test does, whatever becomes of it: its input is then closed.
    const script = 'mount -t tmpfs -o size="$1",mode=700 none "$0"; echo ready; exec cat'
    const all = [...args, 'sh', '-ec', script, path, String(bytes)]
    const holder = spawn(program, all, { stdio: ['pipe', 'pipe', 'inherit'] })
    await once(holder.stdout, 'data')
    return new Mounted(path, holder)
  }

  home(): DaemonHome {
    return new DaemonHome({ path: this.path, seenAt: this.seenAt, enter: this.#enter })
  }

  remount(how: 'ro' | 'rw'): void {
    const [program = '', ...args] = this.#enter
    const done = spawnSync(program, [...args, 'mount', '-o', `remount,${how}`, this.path])
    if (done.status !== 0) throw new Error(`cannot remount ${how}: ${done.stderr}`)
  }

  /** Takes all the room there is. */
  fill(): void {
    const file = openSync(join(this.seenAt, `ballast.${readdirSync(this.seenAt).length}`), 'a')
    try {
      for (const size of [65_536, 4_096, 1]) while (isWritten(file, Buffer.alloc(size)));
    } finally {
      closeSync(file)
    }
  }

  makeRoom(): void {
    for (const name of readdirSync(this.seenAt))
      if (name.startsWith('ballast.')) rmSync(join(this.seenAt, name))
  }

  async end(): Promise<void> {
    this.#holder.stdin?.end()
    await once(this.#holder, 'exit')
    rmSync(this.path, { recursive: true, force: true, maxRetries: 10 })
  }
}

function isWritten(file: number, bytes: Buffer): boolean {
  try {
    return writeSync(file, bytes) > 0
  } catch {
    return false
  }
}
