import type { Span } from './meter.ts'
import type { Line } from './read.ts'

/**
 * From the birth of a client that goes on with another's session to its first word: the one before
 * is closed, this one is not, and nobody has said yet what it is.
 */
export function speechlessIn(
  { pids }: { readonly pids: ReadonlySet<number> },
  lines: readonly Line[],
): readonly Span[] {
  const [, ...later] = pids
  return later.flatMap((pid) => {
    const own = lines.filter((line) => line.pid === pid)
    const born = own.find(({ source, alive }) => source === 'process' && alive === true)
    const spoken = own.find(({ file }) => (file as { status?: unknown } | null)?.status)
    return born && spoken ? [{ from: born.t, to: spoken.t }] : []
  })
}
