import { agentOf } from '../agents/index.ts'
import type { RecordedLine, Truth, TruthReader } from '../agents/truth-reader.ts'

/** What was true, as the agent of the recording tells it; nothing where that has no word for it. */
export function truthOf(lines: readonly RecordedLine[]): readonly Truth[] {
  return witnessOf(lines)?.truthOf(lines) ?? []
}

/** Of the one agent that a recording is about; without a name it is the first. */
export function witnessOf(lines: readonly RecordedLine[]): TruthReader | undefined {
  return agentOf(lines.find(({ agent }) => agent !== undefined)?.agent)?.witness
}
