import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { ProcessEntry, ProcessTable, Surroundings } from './process-table.ts'
import { pathTo } from './programs.ts'

/**
 * SPEC PT3. A listing costs about 10 ms of a core, with many processes 30. So known processes are
 * checked by a signal in between, except one that was named since and is not yet seen.
 */
const LISTING_MS = 10_000
const LISTING_NEW_MS = 1_000
/**
 * A signal cannot detect a zombie. While an agent is busy `ps` checks all known processes at once:
 * an end should then show within a second.
 */
const LOOK_BUSY_MS = 500
/** A machine with 100,000 processes of long command lines. */
const OUTPUT_MAX_BYTES = 64 * 1024 * 1024
const ANSWER_MAX_MS = 10_000

/** Dates in English and in UTC, as in the client's registry file. */
export const PS_ENV = { PATH: process.env.PATH, TZ: 'UTC', LC_ALL: 'C' }

interface Row extends ProcessEntry {
  readonly uid: number
  readonly command: string
}

/** macOS, and all systems without /proc: uses the `ps` and `lsof` of every system. */
export class PsTable implements ProcessTable {
  readonly #monotonicMs: () => number
  readonly #run: typeof answerOf
  #rows = new Map<number, Row>()
  #listedAt = Number.NEGATIVE_INFINITY
  #lookedAt = Number.NEGATIVE_INFINITY
  /** To be checked closely: empty while no agent is busy. */
  #busy: readonly number[] = []

  constructor(monotonicMs: () => number = () => performance.now(), run = answerOf) {
    this.#monotonicMs = monotonicMs
    this.#run = run
  }

  async list(known: Iterable<number>, isBusy: boolean) {
    const pids = [...known]
    this.#busy = isBusy ? pids : []
    const everyMs = pids.some((pid) => !this.#rows.has(pid)) ? LISTING_NEW_MS : LISTING_MS
    if (!isDue(this.#monotonicMs() - this.#listedAt, everyMs)) return undefined
    const text = await this.#run('ps', psArgs(['-axww'], COLUMNS))
    this.#listedAt = this.#monotonicMs()
    const rows = parsePs(text)
    // A `ps` without output proves no death.
    if (rows.size === 0) return undefined
    this.#rows = rows
    return { pids: new Set(rows.keys()), isWhole: true }
  }

  /** The next glance uses the result of `ps`. */
  isRunning(): boolean {
    if (this.#busy.length > 0 && isDue(this.#monotonicMs() - this.#lookedAt, LOOK_BUSY_MS)) {
      this.#lookedAt = this.#monotonicMs()
      void this.#lookAt(this.#busy)
    }
    return false
  }

  async #lookAt(pids: readonly number[]): Promise<void> {
    const text = await this.#run('ps', psArgs(['-ww', '-p', pids.join(',')], COLUMNS))
    for (const [pid, row] of parsePs(text)) this.#rows.set(pid, row)
  }

  glance(pid: number): ProcessEntry | undefined {
    return this.#rows.get(pid)
  }

  async argsOf(pid: number): Promise<readonly string[] | undefined> {
    const row = this.#rows.get(pid)
    return row?.uid === process.getuid?.() ? row?.command.split(' ') : undefined
  }

  /** Environment and arguments look alike here: hooks report their config folder. */
  async surroundingsOf(pid: number): Promise<Surroundings> {
    const text = await this.#run('lsof', ['-a', '-d', 'cwd', '-p', String(pid), '-Fn'])
    return { cwd: /^n(\/.*)$/m.exec(text)?.[1], env: {} }
  }
}

/**
 * SPEC PT2. Each column in a separate option and without a heading: POSIX reads everything after an
 * equals sign as the heading, also the names of further columns.
 */
export function psArgs(which: readonly string[], columns: readonly string[]): string[] {
  return [...which, ...columns.flatMap((column) => ['-o', `${column}=`])]
}

/** A timer may fire slightly early. */
const EARLY_MS = 50

function isDue(passedMs: number, everyMs: number): boolean {
  return passedMs >= everyMs - EARLY_MS
}

const COLUMNS = ['pid', 'lstart', 'state', 'uid', 'command']

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

/** A program's output; empty when it is missing or fails, as lsof does despite its output. */
async function answerOf(program: string, args: readonly string[]): Promise<string> {
  const options = { env: PS_ENV, maxBuffer: OUTPUT_MAX_BYTES, timeout: ANSWER_MAX_MS }
  try {
    return (await promisify(execFile)(pathTo(program), [...args], options)).stdout
  } catch (error) {
    return String((error as { stdout?: unknown }).stdout ?? '')
  }
}
