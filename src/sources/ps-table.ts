import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { pathTo } from '../home/programs.ts'
import { isThere } from './is-there.ts'
import type { ProcessEntry, ProcessTable, Surroundings } from './process-table.ts'

/** A listing costs 30 ms of a core; between two of them known processes are asked by a signal. */
const LISTING_EVERY_MS = 10_000
/** `lstart` has whole seconds and may be reckoned from the time since boot: it wavers by one. */
const START_SLACK_MS = 2_000
/** A machine with 100,000 processes of long command lines. */
const OUTPUT_MAX_BYTES = 64 * 1024 * 1024
const ANSWER_MAX_MS = 10_000

/** Dates in English, as the client has them in its registry file. */
export const PS_ENV = { PATH: process.env.PATH, TZ: process.env.TZ, LC_ALL: 'C' }

interface Row extends ProcessEntry {
  readonly uid: number
  readonly command: string
}

/** macOS, and wherever there is no /proc: the `ps` and `lsof` that every system has. */
export class PsTable implements ProcessTable {
  readonly #monotonicMs: () => number
  #rows = new Map<number, Row>()
  #listedAt = Number.NEGATIVE_INFINITY

  constructor(monotonicMs: () => number = () => performance.now()) {
    this.#monotonicMs = monotonicMs
  }

  async list(known: readonly number[]) {
    if (this.#monotonicMs() - this.#listedAt < LISTING_EVERY_MS)
      return { pids: new Set(known.filter(isThere)), whole: false }
    const text = await run('ps', ['-axww', '-o', 'pid=,lstart=,state=,uid=,command='])
    this.#listedAt = this.#monotonicMs()
    const rows = parsePs(text)
    // A `ps` that says nothing says nothing about anybody's death either.
    if (rows.size === 0) return { pids: new Set(known.filter(isThere)), whole: false }
    this.#rows = rows
    return { pids: new Set(rows.keys()), whole: true }
  }

  isSound(): boolean {
    return false
  }

  glance(pid: number): ProcessEntry | undefined {
    return this.#rows.get(pid)
  }

  async argsOf(pid: number): Promise<readonly string[] | undefined> {
    const row = this.#rows.get(pid)
    return row?.uid === process.getuid?.() ? row?.command.split(' ') : undefined
  }

  /** An environment cannot be told from arguments here: hooks tell of their config folder. */
  async surroundingsOf(pid: number): Promise<Surroundings> {
    const text = await run('lsof', ['-a', '-d', 'cwd', '-p', String(pid), '-Fn'])
    return { cwd: /^n(\/.*)$/m.exec(text)?.[1], env: {} }
  }

  /** What another source told in another form proves nothing. */
  sameStart(one: string, other: string): boolean {
    if (one === other || !DATE.test(one) || !DATE.test(other)) return true
    return Math.abs(Date.parse(one) - Date.parse(other)) <= START_SLACK_MS
  }
}

const DATE = /^\w{3}\s+\w{3}\s+\d+\s+[\d:]{8}\s+\d{4}$/

/** `  4711 Sun Nov  1 10:00:00 2026 Ss    501 /opt/bin/agent --resume x`. */
function parsePs(text: string): Map<number, Row> {
  const rows = new Map<number, Row>()
  for (const line of text.split('\n')) {
    const [, pid, start, state, uid, command = ''] = ROW.exec(line) ?? []
    if (!pid || !start || !state) continue
    const name = command.split(' ', 1)[0] ?? ''
    const zombie = state.startsWith('Z')
    rows.set(Number(pid), { start, name, zombie, uid: Number(uid), command })
  }
  return rows
}

const ROW = /^\s*(\d+)\s+(\w{3}\s+\w{3}\s+\d+\s+[\d:]{8}\s+\d{4})\s+(\S+)\s+(\d+)\s*(.*)$/

/** What a program says; nothing when it is not there or fails, as lsof does beside its answer. */
async function run(program: string, args: readonly string[]): Promise<string> {
  const options = { env: PS_ENV, maxBuffer: OUTPUT_MAX_BYTES, timeout: ANSWER_MAX_MS }
  try {
    return (await promisify(execFile)(pathTo(program), [...args], options)).stdout
  } catch (error) {
    return String((error as { stdout?: unknown }).stdout ?? '')
  }
}
