/** Figures of a stretch of time, from what was said of sessions in it. Times are milliseconds. */
export interface Insight {
  readonly from: number
  readonly to: number
  readonly totals: Figures
  readonly byProject: readonly (Figures & { readonly project: string })[]
  /** 24 of them, by the hour of the day in the zone that was asked for. */
  readonly byHour: readonly {
    readonly hour: number
    readonly workedMs: number
    readonly waitedMs: number
  }[]
  readonly byDay: readonly {
    readonly day: string
    readonly workedMs: number
    readonly waitedMs: number
    readonly costUsd: number
  }[]
  readonly answers: {
    readonly count: number
    readonly medianMs: number | null
    readonly p90Ms: number | null
    readonly byKind: readonly {
      readonly kind: string
      readonly count: number
      readonly medianMs: number
      readonly p90Ms: number
    }[]
  }
  readonly longestWaits: readonly Wait[]
  readonly hooks: {
    readonly reports: number
    readonly lastAt: number | null
    readonly medianDelayMs: number | null
    readonly p99DelayMs: number | null
  }
}

export interface Figures {
  readonly sessions: number
  readonly turns: number
  readonly workedMs: number
  readonly waitedMs: number
  readonly costUsd: number
  /** None where nobody told of them. */
  readonly tokens: number | null
}

export interface Wait {
  readonly session: string
  readonly project: string
  readonly kind: string
  readonly at: number
  readonly ms: number
  /** Still open when the stretch ended. */
  readonly open: boolean
}

/** What one session did over time, for the eye. */
export interface Timeline {
  readonly session: string
  readonly from: number
  readonly to: number
  readonly lanes: readonly Lane[]
  /** Left out because there were too many, by the rule that is stated with it. */
  readonly thinned: number
}

export interface Lane {
  readonly kind: 'state' | 'turn' | 'tool' | 'waiting' | 'subagent'
  readonly name: string
  readonly spans: readonly Span[]
}

export interface Span {
  readonly from: number
  readonly to: number | null
  readonly word: string
  /** A state of the view's palette, or `tool`, `turn`. */
  readonly tone: string
  readonly detail: string | null
  /** The change it came with, to ask why. */
  readonly change: number | null
}
