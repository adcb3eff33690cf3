import { readFileSync, readlinkSync } from 'node:fs'
import type { RecordedLine } from '../../../src/agents/truth-reader.ts'
import { startTimeOf } from '../../../src/platform/process-table.ts'
import type { Pane } from '../../drive/pane.ts'

interface Followed {
  readonly pane: string
  readonly root: number
  readonly cwd: string
  pid?: number
}

/**
 * The client in each terminal, from the first look to its death: npm's start script runs there, and
 * the client is its child.
 */
export class CodexProcesses {
  readonly #followed = new Set<Followed>()

  follow({ id, pid }: Pane, cwd: string): void {
    this.#followed.add({ pane: id, root: pid, cwd })
  }

  look(): RecordedLine[] {
    return [...this.#followed].flatMap((one) =>
      one.pid === undefined ? this.#find(one) : this.#dead(one, one.pid),
    )
  }

  #find(one: Followed): RecordedLine[] {
    const pid = clientBelow(one.root)
    if (pid === undefined) return []
    const command = wordsOf(pid)
    one.pid = pid
    const tty = Number(statOf(pid)?.[4] ?? 0)
    const about = { pid, alive: true, command, cwd: one.cwd, pane: one.pane, tty }
    return [{ t: Date.now(), source: 'process', ...about, start: startTimeOf(pid) }]
  }

  #dead(one: Followed, pid: number): RecordedLine[] {
    if (statOf(pid) !== undefined) return []
    this.#followed.delete(one)
    return [{ t: Date.now(), source: 'process', pid, alive: false, pane: one.pane }]
  }
}

function clientBelow(pid: number): number | undefined {
  if (programOf(pid) === 'codex' && wordsOf(pid).length > 0) return pid
  for (const child of childrenOf(pid)) {
    const found = clientBelow(child)
    if (found !== undefined) return found
  }
  return undefined
}

function programOf(pid: number): string {
  return readOr('', () => readlinkSync(`/proc/${pid}/exe`)).replace(/^.*\//, '')
}

function childrenOf(pid: number): number[] {
  const text = readOr('', () => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'))
  return text.trim().split(' ').filter(Boolean).map(Number)
}

function wordsOf(pid: number): string[] {
  const text = readOr('', () => readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
  return text.split('\0').slice(0, -1)
}

/** From its state on; undefined for one that has ended, collected or not. */
function statOf(pid: number): string[] | undefined {
  const text = readOr('', () => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  const stat = text.slice(text.lastIndexOf(')') + 2)
  return stat === '' || /^[ZX]/.test(stat) ? undefined : stat.split(' ')
}

function readOr<T>(otherwise: T, read: () => T): T {
  try {
    return read()
  } catch {
    return otherwise
  }
}
