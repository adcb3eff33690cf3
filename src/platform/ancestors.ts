import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { pathTo } from './programs.ts'
import { psArgs } from './ps-table.ts'
import { HAS_PROC } from './system.ts'

/**
 * The ancestors of this process, its parent first; all of them, however deep: a hundred nested
 * shells must not hide the agent around them.
 */
export function ancestors(pid = process.ppid): readonly number[] {
  const parentOf = HAS_PROC ? parentByProc : parentsByPs()
  const found = new Set<number>()
  // A reused pid may lead back to one that was visited.
  for (let next = pid; next > 1 && !found.has(next); next = parentOf(next) ?? 0) found.add(next)
  return [...found]
}

/** The arguments of a process; empty where they are unknown. */
export function argvOf(pid: number): readonly string[] {
  try {
    if (HAS_PROC) return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    return execFileSync(pathTo('ps'), psArgs(['-p', `${pid}`], ['args']), {
      encoding: 'utf8',
    }).split(/\s+/)
  } catch {
    return []
  }
}

function parentByProc(pid: number): number | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // A name may have spaces and brackets: the last bracket ends it; state and parent follow.
    return Number(line.slice(line.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return undefined
  }
}

function parentsByPs(): (pid: number) => number | undefined {
  const parents = new Map<number, number>()
  try {
    const text = execFileSync(pathTo('ps'), psArgs(['-ax'], ['pid', 'ppid']), { encoding: 'utf8' })
    for (const line of text.split('\n')) {
      const [pid, parent] = line.trim().split(/\s+/).map(Number)
      if (pid && parent) parents.set(pid, parent)
    }
  } catch {
    // Then the session has to be named.
  }
  return (pid) => parents.get(pid)
}
