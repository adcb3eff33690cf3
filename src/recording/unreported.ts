import type { RecordedLine, Truth } from '../agents/truth-reader.ts'
import type { TimeSpan } from './meter.ts'

/**
 * From the start of a client that continues another's session to its first report: the previous one
 * is closed, this one is not, and no source has reported its state.
 */
export function unreportedIn(
  { pids }: { readonly pids: ReadonlySet<number> },
  lines: readonly RecordedLine[],
  truths: readonly Truth[],
): readonly TimeSpan[] {
  const [, ...later] = pids
  return later.flatMap((pid) => {
    const isBirth = (line: RecordedLine) =>
      line.source === 'process' && line.pid === pid && line.alive
    const born = lines.find(isBirth)?.t
    const spoken = born === undefined ? undefined : truths.find(({ t }) => t >= born)?.t
    return born !== undefined && spoken !== undefined ? [{ from: born, to: spoken }] : []
  })
}
