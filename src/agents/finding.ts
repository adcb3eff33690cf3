export type Level = 'ok' | 'warning' | 'problem'

/** One thing that `vigil doctor` looked at: how it is, and what to do about it. */
export interface Finding {
  readonly about: string
  readonly level: Level
  readonly what: string
  readonly todo?: string
  /** What belongs to it, a line each. */
  readonly notes?: readonly string[]
  /** The same in figures, for scripts. */
  readonly figures?: Readonly<Record<string, unknown>>
}

type More = Pick<Finding, 'figures' | 'notes'>

export function ok(about: string, what: string, more: More = {}): Finding {
  return { about, level: 'ok', what, ...more }
}

export function warning(about: string, what: string, todo: string, more: More = {}): Finding {
  return { about, level: 'warning', what, todo, ...more }
}

export function problem(about: string, what: string, todo: string, more: More = {}): Finding {
  return { about, level: 'problem', what, todo, ...more }
}
