import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('janitor.sh', import.meta.url))

export interface Janitor {
  /** Ends everything started in the folder, and removes it. */
  clean(): Promise<void>
}

/**
 * A process of its own that cleans up when this one ends, however it ends: it waits on a pipe,
 * and the system closes a pipe even for kill -9.
 */
export function startJanitor(root: string, socket: string): Janitor {
  const child = spawn('/bin/sh', [script, root, socket], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: process.env.PATH, TMUX_TMPDIR: root },
    // Ctrl-C goes to the whole group; the janitor has to outlive it.
    detached: true,
  })
  child.unref()
  const ended = once(child, 'exit')
  return {
    async clean() {
      child.ref()
      child.stdin.end()
      const [code] = await ended
      if (code !== 0) throw new Error(`${root}: could not be cleaned up, exit ${code}`)
    },
  }
}
