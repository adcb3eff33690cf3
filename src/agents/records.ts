import type { Report } from '../core/signal.ts'

/** What an agent said last, and what it wants to do, from its log. */
export interface LastWords {
  /** The last messages, oldest first. */
  readonly said: readonly string[]
  readonly call: ToolCall | null
}

/** A call of a tool, with its whole input: what of it is shown is the view's to say. */
export interface ToolCall {
  readonly tool: string
  readonly input: unknown
}

/** Tokens of one message, as the API told them. */
export interface Usage {
  readonly message: string
  readonly t: number
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWritten: number
}

/** Of what logs show that a hook should have told, how much a hook has told. */
export interface Ratio {
  readonly expected: number
  readonly told: number
}

/** Counts both sides. Hooks and logs may be given in any order. */
export interface Deliveries {
  hook(report: Report): void
  transcript(report: Report): void
  /** By the agent's name of the event. What is younger than a hook's way is left out. */
  ratios(now: number): Readonly<Record<string, Ratio>>
  delaysMs(): readonly number[]
}
