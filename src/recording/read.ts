import { agentOf } from '../agents/index.ts'
import type { RecordedLine } from '../agents/truth-reader.ts'
import { parseJson } from '../core/json.ts'
import { type Report, SOURCES, type Source } from '../core/signal.ts'

export interface Recording {
  readonly name: string
  readonly lines: readonly RecordedLine[]
  /** Lines that could not be read, by their number in the file. */
  readonly bad: readonly number[]
  /** The file ends in the middle of its last line. */
  readonly torn: boolean
}

/** A file that is no recording; the message is one line for its user. */
export class NotARecording extends Error {
  override readonly name = 'NotARecording'
}

const NOTES = new Set(['meta', 'action', 'vigil', 'osc', 'api', 'notify', 'model'])

/** Plays the readable lines and counts the rest; refuses only a file with nothing to play. */
export function readRecording(name: string, content: string): Recording {
  if (content.trim() === '')
    throw new NotARecording(`${name}: is empty; expected one JSON object on each line`)
  const lines: RecordedLine[] = []
  const bad: number[] = []
  content.split('\n').forEach((raw, index) => {
    if (raw.trim() === '') return
    const line = parseLine(raw)
    if (line) lines.push(line)
    else bad.push(index + 1)
  })
  if (!lines.some((line) => isSource(line.source))) throw new NotARecording(whyNot(name, bad))
  // Times decide, not the order of writing: two watchers may write in the same millisecond.
  lines.sort((a, b) => a.t - b.t)
  const torn =
    bad.length > 0 && !content.endsWith('\n') && bad.at(-1) === content.split('\n').length
  return { name, lines, bad, torn }
}

function isReport(line: RecordedLine): line is Report {
  return isSource(line.source)
}

function isSource(source: string): source is Source {
  return (SOURCES as readonly string[]).includes(source)
}

/** The reports of a run that vigil may see, with some sources left out. */
export function reportsOf(
  recording: Recording,
  without: ReadonlySet<string> = new Set(),
): Report[] {
  const agent = recording.lines.find((line) => line.agent !== undefined)?.agent
  const reportIn = agentOf(agent)?.truthReader?.reportIn ?? ((line: RecordedLine) => line)
  return recording.lines.flatMap((line) => {
    const report = reportIn(line)
    if (!report || !isReport(report) || without.has(report.source)) return []
    return [agent === undefined || report.agent !== undefined ? report : { ...report, agent }]
  })
}

function parseLine(raw: string): RecordedLine | undefined {
  const value = parseJson(raw)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const { t, source } = value as Record<string, unknown>
  if (typeof t !== 'number' || !Number.isFinite(t) || typeof source !== 'string') return undefined
  return isSource(source) || NOTES.has(source) ? (value as RecordedLine) : undefined
}

function whyNot(name: string, bad: readonly number[]): string {
  const what = bad.length > 0 ? `line ${bad[0]} is not a report like` : 'it has no report like'
  return `${name}: is not a recording (${what} {"t":…,"source":"hook",…})`
}
