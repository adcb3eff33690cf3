import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

/** More than any shell within a shell within an agent. */
const DEPTH_MAX = 64

/** The processes this one runs in, its parent first. */
export function ancestors(pid = process.ppid): readonly number[] {
  const parentOf = existsSync('/proc/self/stat') ? parentByProc : parentsByPs()
  const found: number[] = []
  for (let next = pid; next > 1 && found.length < DEPTH_MAX; next = parentOf(next) ?? 0)
    found.push(next)
  return found
}

function parentByProc(pid: number): number | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // A name may hold spaces and brackets: the last bracket ends it; state and parent follow.
    return Number(line.slice(line.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return undefined
  }
}

function parentsByPs(): (pid: number) => number | undefined {
  const parents = new Map<number, number>()
  try {
    const text = execFileSync('ps', ['-axo', 'pid=,ppid='], { encoding: 'utf8' })
    for (const line of text.split('\n')) {
      const [pid, parent] = line.trim().split(/\s+/).map(Number)
      if (pid && parent) parents.set(pid, parent)
    }
  } catch {
    // Then the session has to be named.
  }
  return (pid) => parents.get(pid)
}
