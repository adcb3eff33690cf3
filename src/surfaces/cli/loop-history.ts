import type { LoopStep } from '../../protocol/loop.ts'
import { dollars } from '../../view/loop.ts'
import { ageOf, plain } from '../../view/session.ts'
import { asked } from './bad-input.ts'
import { nameOfRow } from './loop-table.ts'
import { sessionKeyOf, whichLoop } from './loop-which.ts'
import { out } from './output.ts'
import type { Paint } from './paint.ts'
import { reach } from './reach.ts'

interface Options {
  readonly json?: boolean
}

/** One line for each event of a loop, oldest first. */
export async function printLoopHistory(name: string | undefined, { json }: Options): Promise<void> {
  const client = await reach()
  const loop = await whichLoop(client, name, { over: true })
  const { steps } = await asked(client.loopHistory(loop.id))
  if (json) return out.json(steps)
  const paint = out.paint
  const session = await client.session(sessionKeyOf(loop))
  const title = `${nameOfRow({ loop, session, last: '' })}  ${dayOf(loop.startedAt)}  ${loop.id}`
  const lines = steps.map((step) => lineOf(step, out.width, paint))
  out.lines([paint('bold', title), ...lines])
}

/** Columns before the last words: two spaces, time, event, duration, cost. */
const LEFT_COLUMNS = 46

function lineOf(step: LoopStep, columns: number, paint: Paint): string {
  const { at, kind, mode, iteration, max, why, said, costUsd, tookMs } = step
  const what = kind === 'iteration' ? `${mode} ${iteration}/${max}` : kind
  const time = new Date(at).toTimeString().slice(0, 8)
  const took = tookMs === null ? '' : ageOf(tookMs)
  const cost = costUsd === null ? '' : dollars(costUsd)
  const words = [why, said].filter((part) => part !== '').join(' · ')
  const left = `  ${time}  ${what.padEnd(15)} ${took.padStart(7)} ${cost.padStart(8)}  `
  return `${left}${paint('dim', plain(words, Math.max(20, columns - LEFT_COLUMNS)))}`.trimEnd()
}

function dayOf(at: number): string {
  const day = new Date(at)
  const two = (number: number) => String(number).padStart(2, '0')
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`
}
