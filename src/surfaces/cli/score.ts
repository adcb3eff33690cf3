import type { Command } from 'commander'
import { scoreRun } from '../../recording/client-runs.ts'
import { percent, type Score, type ScoreSum, sumOf } from '../../recording/meter.ts'
import { play } from '../../recording/play.ts'
import { type Recording, reportsOf } from '../../recording/read.ts'
import { err, out } from './output.ts'
import { openRecordings, parseTail, parseWithout, shortName, TAIL_DEFAULT_S } from './recordings.ts'

interface Options {
  readonly json?: boolean
  readonly without?: ReadonlySet<string>
  readonly tail: number
}

interface Scored {
  readonly name: string
  readonly score: Score
}

export function addScore(program: Command): void {
  program
    .command('score')
    .description('measure how accurate vigil is on recordings, against the client’s own status')
    .argument('<file...>', 'recordings of clients with a registry, which is the reference')
    .option('--without <source,…>', 'ignore these sources', parseWithout)
    .option('--tail <seconds>', 'continue this long after the last line', parseTail, TAIL_DEFAULT_S)
    .option('--json', 'print one JSON object for each file and one for the total')
    .addHelpText('after', HELP)
    .action((files: string[], options: Options) => {
      const { recordings, failed } = openRecordings(files, (line) => err.line(line))
      const scored = recordings.flatMap((recording) => measure(recording, options))
      if (options.json) printJson(scored)
      else printTable(scored)
      if (failed) process.exitCode = 2
    })
}

const HELP = `
Right: the share of time in which vigil shows the true state, from the first true state to the end
of the tail, without 0.3 s after each true change. Balanced: the mean of this share over the states.
Clients that ran at the same time are measured separately; a run's figures are their sum. The time
from the start of a client that resumes a session to its first report is left out, too.

Exit code 2: a file was missing, empty, incomplete or not a recording.`

function measure(recording: Recording, options: Options): Scored[] {
  const endAt = (recording.lines.at(-1)?.t ?? 0) + options.tail * 1000
  const changes = [...play(reportsOf(recording, options.without), endAt)]
  const score = scoreRun(recording.lines, changes, endAt)
  if (score) return [{ name: shortName(recording), score }]
  err.line(`vigil: ${recording.name}: cannot be measured, because it has no registry status`)
  return []
}

function printJson(scored: readonly Scored[]): void {
  for (const { name, score } of scored) {
    const { byState: _states, ...rest } = score
    const right = percent(score.rightMs, score.totalMs)
    out.jsonLine({ file: name, rightPercent: right, ...rest })
  }
  out.jsonLine({ sum: sumOf(scored) })
}

function printTable(scored: readonly Scored[]): void {
  const paint = out.paint
  const width = Math.max(12, ...scored.map(({ name }) => name.length))
  const head = ['run'.padEnd(width), '  right %', 'kind %', 'final', '  longest wrong']
  out.line(paint('bold', head.join('  ')))
  for (const { name, score } of scored) {
    const right = percent(score.rightMs, score.totalMs)
    const kind = percent(score.kindRightMs, score.kindTotalMs)
    const row = [
      name.padEnd(width),
      right.toFixed(2).padStart(9),
      kind.toFixed(1).padStart(6),
      score.finalRight ? 'right' : 'wrong',
      worst(score),
    ]
    const good = right >= 99.9 && score.finalRight
    out.line(paint(good ? 'green' : 'red', row.join('  ')))
  }
  if (scored.length > 0) out.lines(['', ...summary(sumOf(scored))])
}

function worst({ worst }: Score): string {
  if (!worst) return '  none'
  const at = (worst.atMs / 1000).toFixed(1)
  return `  ${worst.ms} ms at ${at} s: ${worst.truth}, said ${worst.said}`
}

function summary(sum: ScoreSum): string[] {
  const recalls = Object.entries(sum.recallPercent)
    .map(([state, recall]) => `${state} ${recall.toFixed(1)}`)
    .join(', ')
  const right = `right ${sum.rightPercent.toFixed(2)} %`
  const balanced = `balanced ${sum.balancedPercent.toFixed(2)} % (${recalls})`
  const final = `final state right in ${sum.finalRight} of ${sum.runs}`
  const kind = `kind of waiting right ${sum.kindPercent.toFixed(1)} %`
  const where = sum.worstIn ? ` in ${sum.worstIn}` : ''
  const longest = `longest wrong streak ${sum.worstMs} ms${where}`
  return [`${right}, ${balanced}`, `${final}, ${kind}`, longest]
}
