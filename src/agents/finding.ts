export type Level = 'ok' | 'warning' | 'problem'

/** One check of `vigil doctor`: its result, and what to do about it. */
export interface CheckFinding {
  readonly about: string
  readonly level: Level
  readonly what: string
  readonly todo?: string
  /** Details, one per line. */
  readonly notes?: readonly string[]
  /** The same in figures, for scripts. */
  readonly figures?: Readonly<Record<string, unknown>>
}

type More = Pick<CheckFinding, 'figures' | 'notes'>

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
