import type { Command } from 'commander'
import type { Change } from '../../core/tracker.ts'
import { play } from '../../recording/play.ts'
import { type Recording, reportsOf } from '../../recording/read.ts'
import { plain } from '../../view/session.ts'
import { lookOf } from '../../view/shape.ts'
import { changeLine } from './change-line.ts'
import { err, out } from './output.ts'
import type { Paint } from './paint.ts'
import { openRecordings, parseTail, parseWithout, shortName, TAIL_DEFAULT_S } from './recordings.ts'

interface Options {
  readonly json?: boolean
  readonly without?: ReadonlySet<string>
  readonly tail: number
}

export function addReplay(program: Command): void {
  program
    .command('replay')
    .description('replay recordings and print every change of state, with its reason')
    .argument('<file...>', 'recordings: one JSON object per line, each {"t":…,"source":…}')
    .option('--json', 'print one JSON object per line for each change of state')
    .option('--without <source,…>', 'ignore these sources', parseWithout)
    .option('--tail <seconds>', 'continue this long after the last line', parseTail, TAIL_DEFAULT_S)
    .addHelpText('after', HELP)
    .action((files: string[], options: Options) => {
      const { recordings, failed } = openRecordings(files, (line) => err.line(line))
      for (const recording of recordings) print(recording, options, recordings.length > 1)
      if (failed) process.exitCode = 2
    })
}

const HELP = `
Examples:
  vigil replay run.jsonl                        the states that vigil would have shown, and why
  vigil replay --without registry run.jsonl     … for a client without a registry
  vigil replay --json run.jsonl | jq .state     … for scripts

Exit code 2: a file was missing, empty, incomplete or not a recording.`

function print(recording: Recording, options: Options, several: boolean): void {
  const endAt = (recording.lines.at(-1)?.t ?? 0) + options.tail * 1000
  const changes = play(reportsOf(recording, options.without), endAt)
  if (options.json) {
    const file = several ? { file: recording.name } : {}
    for (const { t, verdict } of changes) out.jsonLine({ ...file, ...changeLine(t, verdict) })
    return
  }
  const paint = out.paint
  out.line(paint('bold', heading(recording)))
  const begin = recording.lines[0]?.t ?? 0
  for (const change of changes) out.line(row(change, begin, paint))
}

function heading(recording: Recording): string {
  const [first, last] = [recording.lines[0], recording.lines.at(-1)]
  const seconds = (((last?.t ?? 0) - (first?.t ?? 0)) / 1000).toFixed(1)
  const version = typeof first?.version === 'string' ? ` · client ${plain(first.version, 20)}` : ''
  return `${shortName(recording)} · ${recording.lines.length} lines, ${seconds} s${version}`
}

function row({ t, verdict }: Change, begin: number, paint: Paint): string {
  const time = ((t - begin) / 1000).toFixed(2).padStart(8)
  const who = plain(verdict.session, 8).padEnd(8)
  const mark = verdict.unread ? '*' : ' '
  const { glyph, word, colour } = lookOf(verdict)
  const words = `${glyph} ${word}`.padEnd(26)
  const why = paint('dim', `${verdict.rule.padEnd(3)} ${plain(verdict.reason, 90)}`)
  return `${time}  ${paint('dim', who)} ${mark} ${paint(colour, words)} ${why}`
}
