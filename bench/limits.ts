/** One or more figures, and their limits. */
export interface Bench {
  readonly name: string
  readonly limit: string
  readonly run: () => Promise<Figures> | Figures
  readonly holds: (figures: Figures) => boolean
}

type Figures = Readonly<Record<string, number>>

/** A figure that was not measured has no limit. */
export const at = (figures: Figures, name: string) => figures[name] ?? Number.NaN

/** Runs the named measurements, or all; prints each against its limit, or all as `--json`. */
export async function measure(benches: readonly Bench[]): Promise<void> {
  const json = process.argv.includes('--json')
  const wanted = process.argv.slice(2).filter((name) => !name.startsWith('-'))
  const width = Math.max(...benches.map(({ name }) => name.length))
  const results: Record<string, Figures> = {}
  for (const { name, limit, run, holds } of benches) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    const figures = await run()
    results[name] = figures
    if (!holds(figures)) process.exitCode = 1
    if (json) continue
    const shown = Object.entries(figures).map(([what, value]) => `${what} ${rounded(value)}`)
    const verdict = holds(figures) ? 'holds ' : 'MISSED'
    const indent = ' '.repeat(width + 1)
    process.stdout.write(
      `${name.padEnd(width)} ${verdict} ${limit}\n${indent}${shown.join(', ')}\n`,
    )
  }
  if (json) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`)
}

function rounded(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toPrecision(3)
}
