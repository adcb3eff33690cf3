import type { Command } from 'commander'
import { BadInput } from './bad-input.ts'
import { meant } from './command-entry.ts'

/** SPEC CM22. A command with subcommands: names may be shortened, and the default is `status`. */
export function commandGroup(program: Command, name: string): Command {
  const group = program
    .command(name)
    .usage('[command]')
    .helpCommand(false)
    .argument('[command...]')
    .passThroughOptions()
    .allowUnknownOption()
    .action((words: string[]) => runShortened(group, words))
  return group
}

async function runShortened(group: Command, [name, ...words]: readonly string[]): Promise<void> {
  const begun = group.commands.filter((one) => one.name().startsWith(name ?? 'status'))
  const [only] = begun
  const called = group.name()
  if (!only || name === '') {
    const all = group.commands.map((one) => one.name())
    const hint = meant(name ?? '', all) || `; run \`vigil ${called} --help\` for a list`
    throw new BadInput(`${called} ${name}: no such command${hint}`)
  }
  if (begun.length > 1)
    throw new BadInput(`${called} ${name}: could be ${begun.map((one) => one.name()).join(', ')}`)
  await only.parseAsync(words, { from: 'user' })
}
