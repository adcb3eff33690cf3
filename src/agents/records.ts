import type { Report } from '../core/signal.ts'

/** What an agent wrote last, and what it wants to do, from its log. */
export interface LastWords {
  /** The last messages, oldest first. */
  readonly said: readonly string[]
  readonly call: ToolCall | null
}

/** A tool call with its whole input: the view decides what to show. */
export interface ToolCall {
  readonly tool: string
  readonly input: unknown
}

/** Tokens of one message, as reported by the API. */
export interface Usage {
  readonly message: string
  readonly t: number
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWritten: number
}

/** Of the events in logs that have a hook, how many a hook reported. */
export interface Ratio {
  readonly expected: number
  readonly told: number
}

/** Counts both sides. Hooks and logs may be given in any order. */
export interface Deliveries {
  hook(report: Report): void
  transcript(report: Report): void
  /** By the agent's name of the event, without events younger than a hook's delay. */
  ratios(now: number): Readonly<Record<string, Ratio>>
  delaysMs(): readonly number[]
}
