import { readFileSync } from 'node:fs'
import { agentOf } from '../../agents/index.ts'
import type { Report } from '../../core/signal.ts'
import { readRecording, reportsOf } from '../../recording/read.ts'

/** The recorded fleet, as it was. */
export interface Tape {
  readonly reports: readonly Report[]
  /** Where its agents kept their files. */
  readonly homes: readonly string[]
  readonly beganAt: number
  readonly endedAt: number
}

/** How long the last picture goes on: what idles should be seen idling. */
const TAIL_MS = 12_000

/** Times in a recording lie this close to its beginning; other numbers do not. */
const NEAR_MS = 3_600_000

export function tape(): Tape {
  const file = new URL('../../../demo/fleet.jsonl', import.meta.url)
  const reports = reportsOf(readRecording('demo', readFileSync(file, 'utf8')))
  const beganAt = reports[0]?.t ?? 0
  const endedAt = (reports.at(-1)?.t ?? 0) + TAIL_MS
  return { reports, homes: [...new Set(reports.flatMap(homeOf))], beganAt, endedAt }
}

function homeOf({ agent, path }: Report): string | readonly [] {
  return (typeof path === 'string' && agentOf(agent)?.logs?.homeOf(path)) || []
}

export interface Move {
  /** When it begins, and how many times faster than life it is. */
  readonly at: number
  readonly speed: number
  /** Where its agents keep their files. */
  readonly files: string
}

/**
 * The same at another time, with every time in it moved alike. Panes and sockets are left out: the
 * machine it is shown on has such ones of its own.
 */
export function movedReport(report: Report, { beganAt, homes }: Tape, move: Move): Report {
  const time = (t: number) => Math.round(move.at + (t - beganAt) / move.speed)
  const text = (value: string) => {
    const home = homes.find((one) => value.includes(one))
    if (home !== undefined) return value.replaceAll(home, move.files)
    const t = ISO_TIME.test(value) ? Date.parse(value) : Number.NaN
    return Math.abs(t - beganAt) < NEAR_MS ? new Date(time(t)).toISOString() : value
  }
  const other = (value: unknown, key: string): unknown => {
    if (OF_THE_MACHINE.has(key)) return undefined
    if (typeof value === 'string') return text(value)
    if (typeof value === 'number') return Math.abs(value - beganAt) < NEAR_MS ? time(value) : value
    if (Array.isArray(value)) return value.map((entry) => other(entry, ''))
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).map(([name, entry]) => [name, other(entry, name)])
    return Object.fromEntries(entries.filter(([, entry]) => entry !== undefined))
  }
  return other(report, '') as Report
}

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
const OF_THE_MACHINE = new Set(['tmux', 'tmuxPane', 'tty', 'messagingSocketPath'])
