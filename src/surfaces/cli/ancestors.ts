import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { pathTo } from '../../home/programs.ts'

/**
 * The processes this one runs in, its parent first; all of them, however deep: a hundred shells
 * within one another must not hide the agent around them.
 */
export function ancestors(pid = process.ppid): readonly number[] {
  const parentOf = existsSync('/proc/self/stat') ? parentByProc : parentsByPs()
  const found = new Set<number>()
  // A pid that is another's by now may lead back to where we were.
  for (let next = pid; next > 1 && !found.has(next); next = parentOf(next) ?? 0) found.add(next)
  return [...found]
}

/** The words a process was started with; none where that cannot be told. */
export function argvOf(pid: number): readonly string[] {
  try {
    if (existsSync('/proc/self/cmdline'))
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    return execFileSync(pathTo('ps'), ['-o', 'args=', '-p', `${pid}`], {
      encoding: 'utf8',
    }).split(/\s+/)
  } catch {
    return []
  }
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
    const text = execFileSync(pathTo('ps'), ['-axo', 'pid=,ppid='], { encoding: 'utf8' })
    for (const line of text.split('\n')) {
      const [pid, parent] = line.trim().split(/\s+/).map(Number)
      if (pid && parent) parents.set(pid, parent)
    }
  } catch {
    // Then the session has to be named.
  }
  return (pid) => parents.get(pid)
}
