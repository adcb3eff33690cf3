import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('janitor.sh', import.meta.url))

export interface Janitor {
  /** Ends all processes that were started in the folder, and removes it. */
  clean(): Promise<void>
}

/**
 * A separate process that cleans up when this one ends, however it ends: it waits on a pipe, and
 * the system closes the pipe even after kill -9.
 */
export function startJanitor(root: string, socket: string): Janitor {
  const child = spawn('/bin/sh', [script, root, socket], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: process.env.PATH, TMUX_TMPDIR: root },
    // Ctrl-C goes to the whole process group; the janitor has to outlive it.
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
