import { readFileSync } from 'node:fs'
import type { RecordedLine } from '../../src/agents/truth-reader.ts'
import { startTimeOf } from '../../src/platform/process-table.ts'

/** The processes of the clients that were started, from the first look at each to its death. */
export class Processes {
  readonly #cwds = new Map<number, string>()
  readonly #seen = new Set<number>()

  follow(pid: number, cwd: string): void {
    this.#cwds.set(pid, cwd)
  }

  look(): RecordedLine[] {
    return [...this.#cwds].flatMap(([pid, cwd]) =>
      isAlive(pid) ? this.#first(pid, cwd) : this.#dead(pid),
    )
  }

  #first(pid: number, cwd: string): RecordedLine[] {
    if (this.#seen.has(pid)) return []
    this.#seen.add(pid)
    const start = startTimeOf(pid)
    return [{ t: Date.now(), source: 'process', pid, alive: true, command: 'claude', cwd, start }]
  }

  #dead(pid: number): RecordedLine[] {
    this.#cwds.delete(pid)
    return [{ t: Date.now(), source: 'process', pid, alive: false }]
  }
}

/** A process that has ended but was not collected (a zombie) is dead. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return process.platform !== 'linux' || !/^State:\s+[ZX]/m.test(statusOf(pid))
  } catch {
    return false
  }
}

function statusOf(pid: number): string {
  return readFileSync(`/proc/${pid}/status`, 'utf8')
}
