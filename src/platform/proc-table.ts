import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  statSync,
} from 'node:fs'
import { readFile, readlink } from 'node:fs/promises'
import type { PidListing, ProcessEntry, ProcessTable, Surroundings } from './process-table.ts'

/** Linux: one listing of /proc shows which processes live; their own files have the rest. */
export class ProcTable implements ProcessTable {
  readonly #uid = process.getuid?.()
  readonly #lastPidGiven: () => string | undefined
  #lastPid: string | undefined
  #looks = 0

  constructor(lastPid: () => string | undefined = lastPidGiven) {
    this.#lastPidGiven = lastPid
  }

  async list(): Promise<PidListing | undefined> {
    const [before, last] = [this.#lastPid, this.#lastPidGiven()]
    this.#lastPid = last
    this.#looks += 1
    const begun = this.#looks < LIST_EVERY_LOOKS ? pidsBetween(before, last) : undefined
    if (begun) return begun.length > 0 ? { pids: new Set(begun), isWhole: false } : undefined
    this.#looks = 0
    return { pids: allPids(), isWhole: true }
  }

  /** A zombie has no working folder. A third of a glance's cost. */
  isRunning(pid: number): boolean {
    try {
      readlinkSync(`/proc/${pid}/cwd`)
      return true
    } catch {
      return false
    }
  }

  glance(pid: number): ProcessEntry | undefined {
    return procStat(pid)
  }

  /** Asynchronous: the memory of a hung process may never be readable. */
  async argsOf(pid: number): Promise<readonly string[] | undefined> {
    try {
      if (statSync(`/proc/${pid}`).uid !== this.#uid) return undefined
      return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0')
    } catch {
      return undefined
    }
  }

  /** Both may be refused, as for a process that changed its user; it may still be a client. */
  async surroundingsOf(pid: number, variables: readonly string[]): Promise<Surroundings> {
    const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => undefined)
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')
    const variable = (name: string) =>
      new RegExp(`(?:^|\\0)${name}=([^\\0]+)`).exec(environment)?.[1]
    const env = Object.fromEntries(variables.map((name) => [name, variable(name)]))
    return { cwd, env }
  }
}

/** A process may have become another program, or have got its pid in another way. */
const LIST_EVERY_LOOKS = 10

/** Some 15 µs each; the listing takes a microsecond or two for each process of the machine. */
const BEGUN_MAX = 40

/**
 * Pids are assigned in order: processes that have begun meanwhile have one of these. Undefined
 * when there are too many, or the order has begun again.
 */
function pidsBetween(before: string | undefined, last: string | undefined) {
  const [from, to] = [Number(before), Number(last)]
  if (!(to - from >= 0 && to - from <= BEGUN_MAX)) return undefined
  return Array.from({ length: to - from }, (_, i) => from + 1 + i).filter(isProcessId)
}

/** Threads have pids, too. */
function isProcessId(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/status`, 'latin1').includes(`\nTgid:\t${pid}\n`)
  } catch {
    return false
  }
}

/**
 * The last pid assigned, from `0.00 0.01 0.05 1/123 4711`: while unchanged, nothing was started.
 */
function lastPidGiven(): string | undefined {
  try {
    return readFileSync('/proc/loadavg', 'latin1').trim().split(' ').at(-1)
  } catch {
    return undefined
  }
}

/** A microsecond or two each. */
function allPids(): Set<number> {
  const pids = new Set<number>()
  for (const name of readdirSync('/proc', 'latin1')) {
    const first = name.charCodeAt(0)
    if (first >= ZERO && first <= NINE) pids.add(Number(name))
  }
  return pids
}

const ZERO = 48
const NINE = 57

/** A line of `stat` is about 350 bytes; a name in it has at most 64. */
const line = Buffer.alloc(1024)

/** One open, one read: with a thousand processes anything more is noticeable. */
export function procStat(pid: number): ProcessEntry | undefined {
  let fd: number
  try {
    fd = openSync(`/proc/${pid}/stat`, 'r')
  } catch {
    return undefined
  }
  try {
    const text = line.toString('latin1', 0, readSync(fd, line, 0, line.length, 0))
    // A name may have spaces and brackets: the last bracket ends it.
    const end = text.lastIndexOf(')')
    const fields = text.slice(end + 2).split(' ')
    const [state = ''] = fields
    const start = fields[START_FIELD]
    if (end < 0 || !start) return undefined
    const isKernels = (Number(fields[FLAGS_FIELD]) & KERNEL_THREAD) !== 0
    const name = isKernels ? KERNELS : text.slice(text.indexOf('(') + 1, end)
    return { start, name, zombie: state === 'Z' || state === 'X' }
  } catch {
    // It ended between the two.
    return undefined
  } finally {
    closeSync(fd)
  }
}

/** Fields 22 and 9 of the line, counted from after the name, which is the second. */
const START_FIELD = 19
const FLAGS_FIELD = 6
const KERNEL_THREAD = 0x00200000
/** A kernel thread is renamed with each of its tasks, and would look like another program. */
const KERNELS = 'kernel thread'
