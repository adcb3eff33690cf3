import { percent, type ScoreSum } from '../../src/recording/meter.ts'
import type { Paint } from '../../src/surfaces/cli/paint.ts'
import { quantile } from '../score/delays.ts'
import type { Figures, Result } from '../score/result.ts'
import type { SumFigures, Sums } from '../score/sums.ts'
import { disputeWords, ghostWords, isWrong, longestWrongMs, sumNotes, wrongIn } from './order.ts'
import { msText, percentText, secondsText } from './words.ts'

/** Longer than that is more than a moment; see the gate. */
const WRONG_MAX_MS = 500
const NAME_MAX_COLUMNS = 26
/** Of one run; the page has them all. */
const WRONG_LINES_MAX = 3

/** One row for each run, then the sums: for a terminal of 100 columns. */
export function tableOf(results: readonly Result[], sums: Sums, paint: Paint): string {
  const live = results.some((result) => result.live)
  const names = results.map(({ name }) => name.length)
  const width = Math.min(NAME_MAX_COLUMNS, Math.max(12, ...names))
  const heads = FIGURES.join('  ')
  const over = live ? [`${''.padEnd(width)}  ${'core'.padEnd(heads.length)}  live`] : []
  const head = ['conversation'.padEnd(width), heads, ...(live ? [heads] : [])].join('  ')
  const rows = results.flatMap((result) => [
    paint(colourOf(result), rowOf(result, width, live)),
    ...notesOf(result).map((note) => paint('dim', `  ${note}`)),
  ])
  const lines = [...over, head].map((line) => paint('bold', line))
  return `${[...lines, ...rows, '', ...sumLines(sums, paint)].join('\n')}\n`
}

const FIGURES = ['right %', 'longest wrong', '  delay']

function rowOf({ name, core, live }: Result, width: number, hasLive: boolean): string {
  const shown = name.length > width ? `${name.slice(0, width - 1)}…` : name.padEnd(width)
  return [shown, ...cellsOf(core), ...(hasLive ? cellsOf(live) : [])].join('  ')
}

function cellsOf(figures: Figures | undefined): string[] {
  const { score, delays } = figures ?? {}
  const cells = [
    score ? percentText(percent(score.rightMs, score.totalMs)) : '–',
    msText(score?.worst?.ms),
    msText(delays && quantile(delays.ms, 0.5)),
  ]
  return cells.map((cell, index) => cell.padStart(FIGURES[index]?.length ?? 0))
}

function colourOf(result: Result): 'red' | 'yellow' | 'green' {
  const { failed, core, live } = result
  const endsWrong = core?.score.finalRight === false || live?.score.finalRight === false
  if (failed !== undefined || endsWrong || longestWrongMs(result) > WRONG_MAX_MS) return 'red'
  return isWrong(result) ? 'yellow' : 'green'
}

function notesOf(result: Result): string[] {
  const { failed, core, live, clients, beginAt, truthFrom } = result
  const wrong = wrongIn(clients).map(({ who, from, to, truth, said, rule }) => {
    const by = rule === '' ? '' : ` (${rule})`
    const when = `${to - from} ms at ${secondsText(from - beginAt)}`
    return `${who} wrong for ${when}: ${truth}, said ${said}${by}`
  })
  const more = wrong.length - WRONG_LINES_MAX
  const finals = Object.entries({ core, live }).flatMap(([who, figures]) =>
    figures && !figures.score.finalRight ? [`${who} ends wrong: ${figures.score.final}`] : [],
  )
  return [
    ...(failed === undefined ? [] : [`failed: ${failed.split('\n')[0]}`]),
    ...(core || failed !== undefined ? [] : ['nothing tells what was true']),
    ...(core && truthFrom === 'screen' ? ['what was true is read off the screen'] : []),
    ...wrong.slice(0, WRONG_LINES_MAX),
    ...(more > 0 ? [`and ${more} more`] : []),
    ...finals,
    ...ghostWords(result),
    ...disputeWords(result),
  ].map((note) => (note.length > 98 ? `${note.slice(0, 97)}…` : note))
}

const LABEL_COLUMNS = 25

function sumLines(sums: Sums, paint: Paint): string[] {
  const { runs, failed, core, live, without } = sums
  const head = ['right %', 'balanced %', 'longest wrong', 'ends right', 'kind %', 'delay', 'p99']
  const counted = `${runs - failed} of ${runs} runs`.padEnd(LABEL_COLUMNS)
  const row = (label: string, sum: ScoreSum | SumFigures): string => {
    const cells = [
      percentText(sum.rightPercent),
      percentText(sum.balancedPercent),
      msText(sum.worstMs),
      `${sum.finalRight} of ${sum.runs}`,
      percentText(sum.kindPercent, 1),
      ...('changes' in sum ? [msText(sum.delayMedianMs), msText(sum.delayP99Ms)] : []),
    ].map((cell, index) => cell.padStart(Math.max(7, head[index]?.length ?? 0)))
    return [label.padEnd(LABEL_COLUMNS), ...cells].join('  ')
  }
  const titles = head.map((title) => title.padStart(7))
  return [
    paint('bold', [counted, ...titles].join('  ')),
    ...(live ? [row('live', live)] : []),
    ...(core ? [row('core, all sources', core)] : []),
    ...Object.entries(without).map(([names, sum]) => row(`  without ${names}`, sum)),
    ...sumNotes(sums),
  ]
}
