import type { Command } from 'commander'
import { BadInput } from './bad-input.ts'

/** Runs the command within `group` that the first word names or begins; `status` without words. */
export async function runShortened(
  group: Command,
  [name, ...words]: readonly string[],
): Promise<void> {
  const begun = group.commands.filter((one) => one.name().startsWith(name ?? 'status'))
  const [only] = begun
  const called = group.name()
  if (!only || name === '')
    throw new BadInput(
      `${called} ${name}: no such command (vigil ${called} --help shows what there is)`,
    )
  if (begun.length > 1)
    throw new BadInput(`${called} ${name}: could be ${begun.map((one) => one.name()).join(', ')}`)
  await only.parseAsync(words, { from: 'user' })
}
