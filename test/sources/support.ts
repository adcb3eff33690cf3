import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { claude } from '../../src/agents/claude/index.ts'
import type { Arrival, Complain, Sink } from '../../src/sources/arrival.ts'

/** Undone when the test has ended, the last first: also where files share this module. */
export function after(step: () => unknown): void {
  onTestFinished(async () => void (await step()))
}

export function folder(under = tmpdir()): string {
  const path = mkdtempSync(join(under, 'vigil-sources-'))
  after(() => rmSync(path, { recursive: true, force: true, maxRetries: 10 }))
  return path
}

/** For thousands of files: in memory where the system has such a place, else as any other. */
export function swiftFolder(): string {
  return folder(existsSync('/dev/shm') ? '/dev/shm' : tmpdir())
}

/** Waits for a condition, never for a time; fails with what it waited for. */
export async function until(what: string, holds: () => unknown, deadlineMs = 20_000) {
  const end = performance.now() + deadlineMs
  while (!holds()) {
    if (performance.now() > end) throw new Error(`waited ${deadlineMs} ms for: ${what}`)
    await sleep(2)
  }
}

/** Long enough for anything that should not happen to have happened by events. */
export function quiet(ms = 150): Promise<void> {
  return sleep(ms)
}

/** A sink that keeps what it is given, and commits at once or when told to. */
export class Collector {
  readonly arrivals: Arrival[] = []
  readonly batches: number[] = []
  readonly complaints: {
    readonly what: string
    readonly about: Readonly<Record<string, unknown>>
  }[] = []
  readonly #unsaved: (() => void)[] = []
  readonly #atOnce: boolean

  constructor({ commit = 'at once' }: { commit?: 'at once' | 'when told' } = {}) {
    this.#atOnce = commit === 'at once'
  }

  readonly sink: Sink = (arrivals, saved, learnt) => {
    this.arrivals.push(...arrivals)
    this.batches.push(arrivals.length)
    const done = () => {
      saved?.()
      learnt?.()
    }
    if (this.#atOnce) setImmediate(done)
    else this.#unsaved.push(done)
  }

  readonly complain: Complain = (what, about) => {
    this.complaints.push({ what, about })
  }

  commit(): void {
    for (const saved of this.#unsaved.splice(0)) saved()
  }

  get reports() {
    return this.arrivals.map(({ report }) => report)
  }
}

/** A spool file as the hook writes it. */
export function spoolText(payload: unknown, header: readonly string[] = ['ppid=7']): string {
  return ['vigil 1', ...header, '', JSON.stringify(payload), '.', ''].join('\n')
}

export function writeSpool(spool: string, name: string, payload: unknown = { name }): void {
  writeFileSync(join(spool, name), spoolText(payload))
}

const { id, logs, statusFiles } = claude
if (!logs || !statusFiles) throw new Error('expected an agent with logs and status files')

/** An agent as the sources of files take it. */
export const LOGGING = { id, logs }
export const REGISTERING = { id, statusFiles }
