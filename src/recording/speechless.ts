import type { RecordedLine, Truth } from '../agents/truth-reader.ts'
import type { TimeSpan } from './meter.ts'

/**
 * From the birth of a client that goes on with another's session to its first word: the one before
 * is closed, this one is not, and nobody has said yet what it is.
 */
export function speechlessIn(
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
