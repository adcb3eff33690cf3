import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { Engine } from '../../daemon/engine.ts'
import { readRecording, reportsOf } from '../../recording/read.ts'
import { openStore } from '../../store/open.ts'
import { BadInput } from './bad-input.ts'
import { drawFleet } from './fleet.ts'
import { paintFor } from './paint.ts'
import { Picture } from './picture.ts'
import { COLUMNS_DEFAULT } from './status.ts'

const SPEED_DEFAULT = 2
const FRAME_MS = 100
/** How long the last picture goes on, in the recording's time: what idles should be seen idling. */
const TAIL_MS = 8_000

export function addDemo(program: Command): void {
  program
    .command('demo')
    .description('watch eight recorded agents at once, as if live, in a store of its own')
    .option('--speed <factor>', 'how many times faster than life', parseSpeed, SPEED_DEFAULT)
    .action(({ speed }: { speed: number }) => demo(speed))
}

/** On a terminal a picture that lives; elsewhere the last picture, at once. */
async function demo(speed: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-demo-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = new URL('../../../demo/fleet.jsonl', import.meta.url)
  const reports = reportsOf(readRecording('demo', readFileSync(file, 'utf8')))
  const clock = { now: reports[0]?.t ?? 0 }
  const engine = demoEngine(folder, clock)
  const endAt = (reports.at(-1)?.t ?? 0) + TAIL_MS
  const paint = paintFor(process.stdout)
  const picture = process.stdout.isTTY ? new Picture(process.stdout) : undefined
  const foot = `eight recorded agents, ${speed}× faster than life · Ctrl-C ends`
  const fleet = (columns: number) =>
    drawFleet(engine.sessions({ all: false }).sessions, clock.now, columns, paint)
  for (let next = 0; clock.now <= endAt; clock.now += FRAME_MS * speed) {
    for (let report = reports[next]; report && report.t <= clock.now; report = reports[++next]) {
      engine.take([{ report }])
      engine.intake.flush()
    }
    engine.intake.flush()
    if (!picture) continue
    picture.draw(fleet(picture.columns), paint('dim', foot.slice(0, picture.columns)))
    await sleep(FRAME_MS)
  }
  clock.now = endAt
  if (!picture) process.stdout.write(`${fleet(COLUMNS_DEFAULT).join('\n')}\n`)
  engine.intake.stop()
}

/** The real thing but for its sources and its clock: both are the recording's. */
function demoEngine(folder: string, clock: { readonly now: number }): Engine {
  const { store } = openStore(join(folder, 'vigil.db'))
  process.on('exit', () => store.close())
  return new Engine({
    store,
    host: 'demo',
    now: () => clock.now,
    onTouched: () => {},
    onTrouble: (error) => {
      if (error) throw error
    },
  })
}

function parseSpeed(value: string): number {
  const speed = Number(value)
  if (!Number.isFinite(speed) || speed < 0.1 || speed > 1000)
    throw new BadInput(`--speed ${value}: expected a factor from 0.1 to 1000`)
  return speed
}
