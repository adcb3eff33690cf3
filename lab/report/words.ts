/** Rounded down, so that 100 means all. */
export function percentText(percent: number, digits = 2): string {
  const scale = 10 ** digits
  // A sum of shares may be slightly below its whole number.
  return (Math.floor(percent * scale + 1e-6) / scale).toFixed(digits)
}

export function msText(ms: number | undefined): string {
  if (ms === undefined) return '–'
  return Math.abs(ms) < 10_000 ? `${Math.round(ms)} ms` : secondsText(ms, 1)
}

export function secondsText(ms: number, digits = 2): string {
  return `${(ms / 1000).toFixed(digits)} s`
}

interface Stated {
  readonly state: string
  readonly for?: string | undefined
}

/** `waiting for permission`. */
export function stateText({ state, for: kind }: Stated): string {
  return kind ? `${state} for ${kind}` : state
}
