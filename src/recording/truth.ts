import { agentOf } from '../agents/index.ts'
import type { Line, Truth, Witness } from '../agents/witness.ts'

/** What was true, as the agent of the recording tells it; nothing where that has no word for it. */
export function truthOf(lines: readonly Line[]): readonly Truth[] {
  return witnessOf(lines)?.truthOf(lines) ?? []
}

/** Of the one agent that a recording is about; without a name it is the first. */
export function witnessOf(lines: readonly Line[]): Witness | undefined {
  return agentOf(lines.find(({ agent }) => agent !== undefined)?.agent)?.witness
}
