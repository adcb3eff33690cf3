import { hash } from 'node:crypto'
import { appendFileSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { AttachedSurface, SurfaceContext } from '../../client/surface-context.ts'
import type { Report } from '../../core/signal.ts'
import type { Arrival } from '../../sources/arrival.ts'
import { type Move, movedReport, type Tape } from './tape.ts'

/** SPEC IN31. Plays the tape into a daemon, from the present on, again and again. */
export class Player implements AttachedSurface {
  readonly #context: Pick<SurfaceContext, 'take' | 'complain'>
  readonly #tape: Tape
  readonly #speed: number
  readonly #files: string
  #timer: NodeJS.Timeout | undefined
  #next = 0
  #hooks = 0
  #at: number

  constructor(
    context: Pick<SurfaceContext, 'take' | 'complain'>,
    { tape, speed, files }: { readonly tape: Tape; readonly speed: number; readonly files: string },
  ) {
    this.#context = context
    this.#tape = tape
    this.#speed = speed
    this.#files = files
    this.#at = Date.now()
    this.#play()
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  /** All that is due, and an appointment for what comes next. */
  #play(): void {
    const move: Move = { at: this.#at, speed: this.#speed, files: this.#files }
    const { reports, beganAt, endedAt } = this.#tape
    const now = Date.now()
    const due: Report[] = []
    for (let report = reports[this.#next]; report; report = reports[++this.#next]) {
      if (this.#at + (report.t - beganAt) / this.#speed > now) break
      due.push(movedReport(report, this.#tape, move))
    }
    for (const report of due) this.#write(report)
    if (due.length > 0) this.#context.take(due.map((report) => this.#arrival(report)))
    const next = reports[this.#next]
    const dueAt = this.#at + ((next?.t ?? endedAt) - beganAt) / this.#speed
    if (!next) {
      this.#next = 0
      this.#at = dueAt
    }
    this.#timer = setTimeout(() => this.#play(), Math.max(1, dueAt - now))
  }

  /** A hook's report has a name in the spool, by which what it asks is known. */
  #arrival(report: Report): Arrival {
    if (report.source !== 'hook') return { report }
    this.#hooks += 1
    const name = `demo.${this.#hooks}`
    const digest = hash('sha256', JSON.stringify(report.payload ?? null))
    return { report, key: name, spooled: { name, digest } }
  }

  /** What an agent says is read from its transcript, here as anywhere. */
  #write({ source, path, entry }: Report): void {
    if (source !== 'transcript' || typeof path !== 'string' || !path.startsWith(this.#files)) return
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      appendFileSync(path, `${JSON.stringify(entry)}\n`, { mode: 0o600 })
    } catch (error) {
      this.#context.complain('a transcript was not written', { error: (error as Error).message })
    }
  }
}
