import type { Command } from 'commander'

/** A command is loaded when it is used: `vigil status` must not wait for the rest. */
export interface CommandEntry {
  readonly name: string
  readonly summary: string
  readonly group: string
  readonly load: () => Promise<AddCommand>
}

/** `all`: every command there is, for the one that describes them. */
type AddCommand = (program: Command, all: readonly CommandEntry[]) => void

export type ResolvedCommand =
  | { readonly entry: CommandEntry }
  | { readonly among: readonly string[] }
  | { readonly unknown: true }

/** A name may be shortened as far as it stays clear which is meant. */
export function resolveCommand(all: readonly CommandEntry[], name: string): ResolvedCommand {
  const exact = all.find((entry) => entry.name === name)
  if (exact) return { entry: exact }
  const begun = all.filter((entry) => entry.name.startsWith(name))
  const [entry] = begun
  if (!entry || name === '') return { unknown: true }
  return begun.length === 1 ? { entry } : { among: begun.map(({ name: full }) => full) }
}
