import { closeSync, openSync, readdirSync, readlinkSync, readSync, statSync } from 'node:fs'
import { readFile, readlink } from 'node:fs/promises'
import { configFolderOf } from '../agents/claude/files.ts'
import type { Glance, ProcessTable, Surroundings } from './process-table.ts'

/** Linux: one listing of /proc tells who lives; a process's own files tell the rest. */
export class ProcTable implements ProcessTable {
  readonly #uid = process.getuid?.()

  async list() {
    const pids = new Set<number>()
    for (const name of readdirSync('/proc', 'latin1')) {
      const first = name.charCodeAt(0)
      if (first >= ZERO && first <= NINE) pids.add(Number(name))
    }
    return { pids, whole: true }
  }

  /** A zombie works nowhere any more. A third of a glance's cost. */
  isSound(pid: number): boolean {
    try {
      readlinkSync(`/proc/${pid}/cwd`)
      return true
    } catch {
      return false
    }
  }

  glance(pid: number): Glance | undefined {
    return procStat(pid)
  }

  /** Read without stopping the loop: the memory of a process that hangs cannot be read at all. */
  async argsOf(pid: number): Promise<readonly string[] | undefined> {
    try {
      if (statSync(`/proc/${pid}`).uid !== this.#uid) return undefined
      return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0')
    } catch {
      return undefined
    }
  }

  /** Both may be refused, as for a process that changed its user; it is a client all the same. */
  async surroundingsOf(pid: number): Promise<Surroundings> {
    const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => undefined)
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')
    const valueOf = (name: string) =>
      new RegExp(`(?:^|\\0)${name}=([^\\0]+)`).exec(environment)?.[1]
    // A client started with another home keeps its files there.
    const [home = '', given] = [valueOf('HOME'), valueOf('CLAUDE_CONFIG_DIR')]
    const told = [home, given].some((path) => path?.startsWith('/'))
    const env = { CLAUDE_CONFIG_DIR: given }
    return { cwd, configFolder: told ? configFolderOf(env, home) : undefined }
  }

  sameStart(one: string, other: string): boolean {
    return one === other
  }
}

const ZERO = 48
const NINE = 57

/** A line of `stat` is about 350 bytes; a name in it has at most 64. */
const line = Buffer.alloc(1024)

/** One open, one read: with a thousand processes the cost of anything more shows. */
export function procStat(pid: number): Glance | undefined {
  let fd: number
  try {
    fd = openSync(`/proc/${pid}/stat`, 'r')
  } catch {
    return undefined
  }
  try {
    const text = line.toString('latin1', 0, readSync(fd, line, 0, line.length, 0))
    // A name may hold spaces and brackets: the last bracket ends it.
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

/** Field 22 of the line, counted from behind the name, which is the second. */
const START_FIELD = 19
