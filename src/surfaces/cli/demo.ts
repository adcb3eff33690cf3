import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { translate } from '../../agents/claude/translate.ts'
import { Tracker } from '../../core/tracker.ts'
import { readRecording, reportsOf } from '../../recording/read.ts'
import { BadInput } from './bad-input.ts'
import { drawFleet } from './fleet.ts'
import { paintFor } from './paint.ts'

const SPEED_DEFAULT = 2
const FRAME_MS = 100
/** How long the last picture goes on, in the recording's time: what idles should be seen idling. */
const TAIL_MS = 8_000

export function addDemo(program: Command): void {
  program
    .command('demo')
    .description(
      'watch eight recorded agents at once: the verdicts vigil would give, as a live view',
    )
    .option('--speed <factor>', 'how many times faster than life', parseSpeed, SPEED_DEFAULT)
    .action(({ speed }: { speed: number }) => demo(speed))
}

/** On a terminal a picture that lives; elsewhere the last picture, at once. */
async function demo(speed: number): Promise<void> {
  const file = new URL('../../../demo/fleet.jsonl', import.meta.url)
  const recording = readRecording('demo', readFileSync(file, 'utf8'))
  const reports = reportsOf(recording)
  const endAt = (reports.at(-1)?.t ?? 0) + TAIL_MS
  const player = new Tracker(translate)
  const screen = new Picture(speed)
  let next = 0
  for (let now = reports[0]?.t ?? 0; now <= endAt; now += FRAME_MS * speed) {
    for (let report = reports[next]; report && report.t <= now; report = reports[next]) {
      player.runTo(report.t)
      player.take(report)
      next += 1
    }
    player.runTo(now)
    if (!process.stdout.isTTY) continue
    screen.draw(player, now)
    await sleep(FRAME_MS)
  }
  screen.finish(player, endAt)
}

class Picture {
  readonly #speed: number
  #height = 0

  constructor(speed: number) {
    this.#speed = speed
    if (!process.stdout.isTTY) return
    process.stdout.write('\u001b[?25l')
    // The cursor comes back however this ends.
    process.on('exit', () => process.stdout.write('\u001b[?25h'))
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))
  }

  draw(player: Tracker, now: number): void {
    const columns = process.stdout.columns ?? 80
    const rows = Math.max(8, (process.stdout.rows ?? 24) - 1)
    const lines = drawFleet(player.sessions, now, columns, paintFor(process.stdout)).slice(0, rows)
    const title = `eight recorded agents, ${this.#speed}× faster than life · Ctrl-C ends`
    const picture = [...lines, '', paintFor(process.stdout)('dim', title.slice(0, columns))]
    const up = this.#height > 0 ? `\u001b[${this.#height}A` : ''
    process.stdout.write(`${up}${picture.map((line) => `\r\u001b[K${line}\n`).join('')}`)
    this.#height = picture.length
  }

  finish(player: Tracker, now: number): void {
    if (process.stdout.isTTY) return
    const lines = drawFleet(player.sessions, now, 100, paintFor(process.stdout))
    process.stdout.write(`${lines.join('\n')}\n`)
  }
}

function parseSpeed(value: string): number {
  const speed = Number(value)
  if (!Number.isFinite(speed) || speed < 0.1 || speed > 1000)
    throw new BadInput(`--speed ${value}: expected a factor from 0.1 to 1000`)
  return speed
}
