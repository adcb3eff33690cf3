import type { Command } from 'commander'

/** A command is loaded when it is used: `vigil status` must not wait for the others. */
export interface CommandEntry {
  readonly name: string
  readonly summary: string
  readonly group: string
  readonly load: () => Promise<AddCommand>
}

/** `all`: every command, for the command that describes them. */
type AddCommand = (program: Command, all: readonly CommandEntry[]) => void

export type ResolvedCommand =
  | { readonly entry: CommandEntry }
  | { readonly among: readonly string[] }
  | { readonly unknown: true }

/** A name may be shortened as long as it is unambiguous. */
export function resolveCommand(all: readonly CommandEntry[], name: string): ResolvedCommand {
  const exact = all.find((entry) => entry.name === name)
  if (exact) return { entry: exact }
  const begun = all.filter((entry) => entry.name.startsWith(name))
  const [entry] = begun
  if (!entry || name === '') return { unknown: true }
  return begun.length === 1 ? { entry } : { among: begun.map(({ name: full }) => full) }
}

/** One or two wrong letters; in a short name two would make another word. */
const SLIPS_MAX = 2

/** SPEC CM20. ` (did you mean status?)` for `statsu`; empty if no name is similar. */
export function meant(typed: string, names: readonly string[]): string {
  const near = names
    .map((name) => ({ name, slips: slipsBetween(typed, name) }))
    .filter(({ name, slips }) => slips <= SLIPS_MAX && slips * 2 < name.length)
    .toSorted((a, b) => a.slips - b.slips)
  const likely = near.filter(({ slips }) => slips === near[0]?.slips).map(({ name }) => name)
  return likely.length === 0 ? '' : ` (did you mean ${likely.join(' or ')}?)`
}

/** Letters omitted, added or replaced, or two neighbours swapped. */
function slipsBetween(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > SLIPS_MAX) return Number.POSITIVE_INFINITY
  const rows = [Array.from({ length: b.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= a.length; i++) {
    const [above = [], before = []] = [rows[i - 1], rows[i - 2]]
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const other = a[i - 1] === b[j - 1] ? 0 : 1
      const one = Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + other)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row.push(swapped ? Math.min(one, (before[j - 2] ?? 0) + 1) : one)
    }
    rows.push(row)
  }
  return rows[a.length]?.[b.length] ?? 0
}
