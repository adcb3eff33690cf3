import { execFile } from 'node:child_process'

const ANSWER_MAX_MS = 2_000

/** The terminals these processes are at, as `/dev/…`; those at none, or gone, are left out. */
export function ttysOf(pids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (pids.length === 0) return Promise.resolve(new Map())
  return new Promise((resolve) => {
    const args = ['-o', 'pid=,tty=', '-p', pids.join(',')]
    // It fails when one of them is gone, and tells of the others all the same.
    execFile('ps', args, { timeout: ANSWER_MAX_MS }, (_, stdout) => resolve(ttysIn(stdout)))
  })
}

export function ttysIn(said: string): ReadonlyMap<number, string> {
  const lines = said.split('\n').map((line) => /^\s*(\d+)\s+(\S+)\s*$/.exec(line))
  return new Map(
    lines.flatMap((found) => {
      const [, pid, tty = ''] = found ?? []
      if (pid === undefined || /^(\?+|-)$/.test(tty)) return []
      return [[Number(pid), tty.startsWith('/dev/') ? tty : `/dev/${tty}`] as const]
    }),
  )
}
