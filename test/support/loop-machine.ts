import { decide } from '../../src/core/loop/decide.ts'
import type { LoopRun, RunFrame } from '../../src/core/loop/run.ts'
import { startRun } from '../../src/core/loop/stack.ts'
import type { Stop, StopDecision } from '../../src/core/loop/stop.ts'

/** Runs, frames and Stops for tests of the loop machine. */

export const NOW = 1_800_000_000_000
/** The document's words to the agent, word for word. */
export const SENTENCE = [
  'Continue working on the task.',
  'Check your progress and either complete the task or keep iterating.',
].join(' ')

export const COMPLETE = '<loop-done>COMPLETE</loop-done>'

/** A frame without patience, as in the document: repetition is allowed. */
export function frame(over: Partial<RunFrame> = {}): RunFrame {
  return { id: 'f1', mode: 'loop', iter: 0, max: 10, startedAt: NOW, patience: 0, ...over }
}

/** Running: its agent got the prompt a moment ago. */
export function run(...frames: readonly Partial<RunFrame>[]): LoopRun {
  const stack = frames.map((over, i) => frame({ id: `f${i + 1}`, ...over }))
  return { ...startRun('run-1', frame(), NOW), stack, unsaid: false }
}

export function stop(over: Partial<Stop> | string = {}): Stop {
  const given = typeof over === 'string' ? { message: over } : over
  return { message: 'I have done a part of it.', disabled: false, changed: true, ...given }
}

type Of<Act> = Extract<StopDecision, { readonly act: Act }>

/** The decision, which must be of this kind. */
export function decided<Act extends StopDecision['act']>(
  act: Act,
  before: LoopRun | undefined,
  over: Partial<Stop> | string = {},
  now = NOW,
): Of<Act> {
  const decision = decide(before, stop(over), now)
  if (decision.act !== act) throw new Error(`expected ${act}: ${JSON.stringify(decision)}`)
  return decision as Of<Act>
}

/** The agent's messages, Stop after Stop, until it may stop. */
export function played(
  before: LoopRun,
  messages: readonly (Partial<Stop> | string)[],
): StopDecision[] {
  const decisions: StopDecision[] = []
  let present: LoopRun | undefined = before
  for (const message of messages) {
    const decision = decide(present, stop(message), NOW)
    decisions.push(decision)
    if (decision.act !== 'chore') present = decision.run
  }
  return decisions
}
