import { execFileSync } from 'node:child_process'
import { constants, openSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import type { FolderPolling } from './folder-polling.ts'
import { pathTo } from './programs.ts'

/**
 * SPEC PT7. A named pipe by which hooks wake the daemon, where the system gives no event for the
 * file that a hook leaves. A hook that finds the mark writes nothing: at most one byte is in the
 * pipe, so no hook ever waits, however long the daemon hangs. The daemon removes the mark before it
 * looks, so a later hook wakes it again; also where a hook was killed before it wrote.
 */
export function openWakePipe(run: string, polling: FolderPolling): { close(): void } {
  const [pipe, mark] = [join(run, 'wake'), join(run, 'woken')]
  for (const path of [pipe, mark]) rmSync(path, { force: true })
  execFileSync(pathTo('mkfifo'), ['-m', '600', pipe])
  // Open for both: it never sees an end of file.
  const fd = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK)
  const socket = new Socket({ fd, readable: true, writable: false })
  polling.beforeLook = () => rmSync(mark, { force: true })
  socket.on('data', () => polling.wake())
  socket.on('error', () => socket.destroy())
  socket.unref()
  return {
    close: () => {
      polling.beforeLook = () => {}
      socket.destroy()
      for (const path of [pipe, mark]) rmSync(path, { force: true })
    },
  }
}
