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
import type { ProcessEntry, ProcessTable, Surroundings } from './process-table.ts'

/** Linux: one listing of /proc shows which processes live; their own files have the rest. */
export class ProcTable implements ProcessTable {
  readonly #uid = process.getuid?.()
  readonly #lastPidGiven: () => string | undefined
  #lastPid: string | undefined
  #looks = 0

  constructor(lastPid: () => string | undefined = lastPidGiven) {
    this.#lastPidGiven = lastPid
  }

  async list(): Promise<ReadonlySet<number> | undefined> {
    const lastPid = this.#lastPidGiven()
    const same = lastPid !== undefined && lastPid === this.#lastPid
    this.#lastPid = lastPid
    this.#looks = same ? this.#looks + 1 : 0
    return this.#looks % LIST_EVERY_LOOKS === 0 ? allPids() : undefined
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

/**
 * Without new processes there is nothing to find; but a process may have become another program.
 */
const LIST_EVERY_LOOKS = 10

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
    const name = text.slice(text.indexOf('(') + 1, end)
    return { start, name, zombie: state === 'Z' || state === 'X' }
  } catch {
    // It ended between the two.
    return undefined
  } finally {
    closeSync(fd)
  }
}

/** Field 22 of the line, counted from after the name, which is the second. */
const START_FIELD = 19
