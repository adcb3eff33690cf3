/** How one test of a vitest run ended. */
export interface Outcome {
  /** Relative to the folder of the run. */
  readonly file: string
  /** Its titles, outermost first; a failed hook is named by the block it belongs to. */
  readonly name: string
  readonly state: 'passed' | 'failed' | 'skipped'
  /** The first line of its error, or the reason why it was skipped. */
  readonly why?: string
}

/** `failed (expected 1 to be 2)`. */
export function wordsFor({ state, why }: Outcome): string {
  return why === undefined ? state : `${state} (${why})`
}

/** `(skipped: tmux is not installed)`, as `test/support/needs.ts` puts it into titles. */
const REASON = /\(skipped: (.+?)\)(?: > |$)/

export function reasonIn(name: string): string | undefined {
  return REASON.exec(name)?.[1]
}

/** An error in one line of bounded length: the whole error is printed where the test failed. */
export function firstLine(message: string | undefined): string {
  const line = message?.split('\n').find((text) => text.trim() !== '') ?? 'no message'
  return line.trim().slice(0, LINE_CHARACTERS_MAX)
}

const LINE_CHARACTERS_MAX = 160
