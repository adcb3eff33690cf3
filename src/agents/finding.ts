export type Level = 'ok' | 'warning' | 'problem'

/** One thing that `vigil doctor` looked at: how it is, and what to do about it. */
export interface CheckFinding {
  readonly about: string
  readonly level: Level
  readonly what: string
  readonly todo?: string
  /** What belongs to it, a line each. */
  readonly notes?: readonly string[]
  /** The same in figures, for scripts. */
  readonly figures?: Readonly<Record<string, unknown>>
}

type More = Pick<CheckFinding, 'figures' | 'notes'>

/** A finding of each level. */
export const finding = {
  ok: (about: string, what: string, more: More = {}): CheckFinding => {
    return { about, level: 'ok', what, ...more }
  },
  warning: (about: string, what: string, todo: string, more: More = {}): CheckFinding => {
    return { about, level: 'warning', what, todo, ...more }
  },
  problem: (about: string, what: string, todo: string, more: More = {}): CheckFinding => {
    return { about, level: 'problem', what, todo, ...more }
  },
}
