import { ageOf, plain } from '../../view/session.ts'
import type { LoopStatusRow } from './loop-status.ts'
import { costOf, loopLook, nameOfRow, timeLeftOf } from './loop-table.ts'
import type { Paint } from './paint.ts'

const COLUMNS = 96

/** One loop in full. */
export function loopDetails(row: LoopStatusRow, now: number, paint: Paint): string[] {
  const { loop, last } = row
  const look = loopLook(row)
  const count = `[IT ${loop.iteration}/${loop.max}]`
  const how = paint(look.colour, plain(look.words, COLUMNS))
  const since = `started ${ageOf(now - loop.startedAt)} ago`
  const [inner] = loop.frames.slice(-1)
  const outer = loop.frames
    .slice(0, -1)
    .toReversed()
    .map(({ mode, iteration, max }) => `${mode} ${iteration}/${max}`)
  const tree = inner?.worktree
  return [
    `${paint('bold', nameOfRow(row))}  ${count}  ${loop.mode}  ${how}  ${since}`,
    paint('dim', `${plain(loop.session, 60)}  ${loop.id}`),
    ...facts([
      ['task', loop.prompt],
      ['item', loop.item],
      ['worktree', tree ? `${tree.path} (${tree.branch}, from ${tree.baseRef})` : null],
      ['within', outer.length > 0 ? outer.join(', within ') : null],
      ['until', loop.until && `${loop.until} exits 0`],
      ['cost', costOf(loop) === '–' ? null : costOf(loop)],
      ['time left', loop.deadlineAt === null ? null : timeLeftOf(loop, now)],
      ['last text', last || null],
    ]),
  ]
}

function facts(pairs: readonly (readonly [string, string | null])[]): string[] {
  return pairs.flatMap(([name, value]) =>
    value ? [`  ${name.padEnd(11)} ${plain(value, COLUMNS)}`] : [],
  )
}
