import type { AnswerFigures, Figures, HookFigures, Tokens } from '../protocol/insight.ts'
import { dollars, spanOf } from './loop.ts'
import { plain } from './session.ts'

/** Names and formats of figures, the same on every surface. */

export interface Figure {
  readonly name: string
  readonly value: string
  /** What the figure means, in a few words. */
  readonly note: string
}

const PROJECT_MAX_COLUMNS = 60

/**
 * SPEC IN14. The figures at the top; `waiting` is the number of sessions that wait now, if known.
 */
export function headlineOf(
  totals: Figures,
  answers: AnswerFigures,
  waiting = 0,
): readonly Figure[] {
  const { workedMs, waitedMs, sessions, turns, costUsd, tokens } = totals
  return [
    {
      name: 'worked',
      value: spanOf(workedMs),
      note: `${counted(turns, 'turn')} in ${counted(sessions, 'session')}`,
    },
    { name: 'waited for you', value: spanOf(waitedMs), note: shareOf(waitedMs, workedMs) },
    {
      name: 'your answer',
      value: quickOf(answers.medianMs),
      note: answers.count > 0 ? answersNote(answers) : unansweredNote(waitedMs, waiting),
    },
    {
      name: 'cost',
      value: costUsd === null ? '–' : dollars(costUsd),
      note: costUsd === null ? NO_COST : 'from the status line',
    },
    {
      name: 'tokens',
      value: tokens === null ? '–' : shortCount(tokens.input + tokens.output),
      note: tokens === null ? 'no transcript has any' : tokensNote(tokens),
    },
  ]
}

/** Only the client's status line knows what a session costs. */
const NO_COST = 'only a status line reports it: vigil install --statusline'

/** SPEC IN14. How reliable the hooks are, in one sentence. */
export function hooksWords(hooks: HookFigures): string {
  const { reports, expected, told, medianDelayMs, p99DelayMs } = hooks
  if (reports === 0) return 'no hook reported'
  if (expected === 0) return `${counted(reports, 'report')}; no transcript to compare them with`
  // Rounded down, so that 100 means all.
  const percent = Math.floor((100 * told) / expected)
  const delay =
    medianDelayMs === null || p99DelayMs === null
      ? ''
      : `, after ${delayOf(medianDelayMs)} (99 % within ${delayOf(p99DelayMs)})`
  return `${percent} % of ${counted(expected, 'event')} seen${delay}; ${counted(reports, 'report')}`
}

function delayOf(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : quickOf(ms)
}

/** A project's name is the name of a folder, which may contain anything. */
export function projectWords(project: string | null): string {
  return project === null ? 'no folder' : plain(project, PROJECT_MAX_COLUMNS)
}

/** `1.2 M`. */
export function shortCount(count: number): string {
  if (count < 1_000) return String(Math.round(count))
  const [unit, of] = count < 999_500 ? ['k', 1_000] : (['M', 1_000_000] as const)
  const value = count / (of as number)
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`
}

export function quickOf(ms: number | null): string {
  if (ms === null) return '–'
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : spanOf(ms)
}

function answersNote({ count, p90Ms }: AnswerFigures): string {
  return `median of ${counted(count, 'answer')}; 9 of 10 within ${quickOf(p90Ms)}`
}

function unansweredNote(waitedMs: number, waiting: number): string {
  if (waiting > 0) return `no answers yet; ${waiting} ${waiting === 1 ? 'waits' : 'wait'}`
  return waitedMs > 0 ? 'no answers' : 'no requests'
}

function tokensNote({ input, output, cacheRead, cacheWritten }: Tokens): string {
  const cached = shortCount(cacheRead + cacheWritten)
  return `${shortCount(input)} in, ${shortCount(output)} out; ${cached} through the cache`
}

/** The share of waiting in the time that agents worked or waited. */
function shareOf(waitedMs: number, workedMs: number): string {
  const all = waitedMs + workedMs
  return all === 0 ? 'no agent worked' : `${Math.round((100 * waitedMs) / all)} % of their time`
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
