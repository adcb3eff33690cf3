import { agentOf } from '../agents/index.ts'
import type { RecordedLine, Truth, TruthReader } from '../agents/truth-reader.ts'

/** The truth, as the recording's agent reports it; empty where the agent reports none. */
export function truthOf(lines: readonly RecordedLine[]): readonly Truth[] {
  return truthReaderOf(lines)?.truthOf(lines) ?? []
}

/** For the one agent of a recording; without a name it is the first. */
export function truthReaderOf(lines: readonly RecordedLine[]): TruthReader | undefined {
  return agentOf(lines.find(({ agent }) => agent !== undefined)?.agent)?.truthReader
}
