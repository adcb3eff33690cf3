import type { Ground } from '../core/verdict.ts'

/** Stretches of time that figures are given for; all of them end now. */
export const PERIODS = ['today', 'week', 'month'] as const
export type Period = (typeof PERIODS)[number]

/** Figures of a stretch of time, from what was said of sessions in it. Times are milliseconds. */
export interface Insight {
  readonly period: Period
  readonly zone: string
  readonly from: number
  readonly to: number
  readonly totals: Figures
  /** Most time first, at most 50. */
  readonly byProject: readonly ProjectFigures[]
  /** Projects beyond those. */
  readonly projectsLeftOut: number
  /** 24 of them, by the hour of the day in the zone that was asked for. */
  readonly byHour: readonly HourFigures[]
  readonly byDay: readonly DayFigures[]
  readonly answers: Answers
  readonly longestWaits: readonly Wait[]
  /** How long the machine slept or nobody watched: such time counts nowhere. */
  readonly unwatchedMs: number
  readonly hooks: HookFigures
}

export interface Figures {
  /** Those that worked or waited. */
  readonly sessions: number
  readonly turns: number
  readonly workedMs: number
  readonly waitedMs: number
  /** None where no status line told of it. */
  readonly costUsd: number | null
  /** None where no transcript told of them. */
  readonly tokens: Tokens | null
}

export interface ProjectFigures extends Figures {
  /** None where nobody told of a folder. */
  readonly project: string | null
}

export interface HourFigures {
  readonly hour: number
  readonly workedMs: number
  readonly waitedMs: number
}

export interface DayFigures {
  /** `2026-11-15`, in the zone that was asked for. */
  readonly day: string
  readonly workedMs: number
  readonly waitedMs: number
  readonly costUsd: number | null
  readonly tokens: Tokens | null
}

export interface Tokens {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWritten: number
}

export interface Answers extends Quickness {
  readonly byKind: readonly (Quickness & { readonly kind: string })[]
}

/** Without an answer there is no figure. */
export interface Quickness {
  readonly count: number
  readonly medianMs: number | null
  readonly p90Ms: number | null
}

export interface Wait {
  readonly session: string
  readonly project: string | null
  readonly kind: string
  readonly at: number
  readonly ms: number
  /** Still open when the stretch ended. */
  readonly open: boolean
}

/** How much of what happened the hooks have told, and how soon. */
export interface HookFigures {
  readonly reports: number
  readonly lastAt: number | null
  /** What transcripts show of sessions with hooks, and what of it a hook told. */
  readonly expected: number
  readonly told: number
  /** From the transcript's own time until the hook's report was written. */
  readonly medianDelayMs: number | null
  readonly p99DelayMs: number | null
  /** Since when it was compared: a busy stretch has more than is read for this. */
  readonly comparedFrom: number | null
}

/** What one session did over time, for the eye. */
export interface Timeline {
  readonly session: string
  readonly from: number
  readonly to: number
  readonly lanes: readonly Lane[]
  /** Left out, the shortest first, because a lane had too many; a closer look brings them back. */
  readonly thinned: number
  /** Tools and subagents are told from here on: what lies before it was too much to read. */
  readonly stepsFrom: number | null
}

export interface Lane {
  readonly kind: 'state' | 'turn' | 'waiting' | 'tool' | 'subagent'
  readonly name: string
  /** By their beginning. Those of tools and subagents may overlap. */
  readonly spans: readonly Span[]
}

export interface Span {
  readonly from: number
  /** None while it goes on. */
  readonly to: number | null
  readonly word: string
  /** A state, or `tool`, `turn`, `task`. */
  readonly tone: string
  readonly detail: string | null
  /** Of a state: the change it came with, and what decided it. */
  readonly why: SpanWhy | null
}

interface SpanWhy {
  readonly change: number
  readonly rule: string
  readonly reason: string
  readonly grounds: readonly Ground[]
}
