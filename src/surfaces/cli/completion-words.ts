import { Command } from 'commander'
import { SOURCES } from '../../core/signal.ts'
import { STATES } from '../../core/verdict.ts'
import { type CommandEntry, resolveCommand } from './command-entry.ts'

/** The values that a shell can offer. */
export type Value =
  | { readonly of: 'words'; readonly words: readonly string[]; readonly several: boolean }
  | { readonly of: 'session' | 'file' | 'command' | 'text' }

export interface OptionWords {
  /** `-o`, `--output`. */
  readonly flags: readonly string[]
  readonly description: string
  readonly value: Value | undefined
}

export interface CommandWords {
  readonly name: string
  readonly summary: string
  /** Every way to type it: its name and its abbreviations. */
  readonly typed: readonly string[]
  readonly options: readonly OptionWords[]
  readonly argument: Value | undefined
  /** Words that may follow or replace the argument, as `allow` in `vigil answer`. */
  readonly acts: readonly string[]
  /** Subcommands, as `start` in `vigil loop start`. */
  readonly commands: readonly CommandWords[]
}

/** All commands as they define themselves, so that none can be missing here. */
export async function describeCommands(
  all: readonly CommandEntry[],
): Promise<readonly CommandWords[]> {
  const described: CommandWords[] = []
  for (const { name, summary, load } of all) {
    const program = new Command().enablePositionalOptions()
    const add = await load()
    add(program, all)
    const command = program.commands.find((one) => one.name() === name)
    if (!command) throw new Error(`vigil ${name}: does not add itself under its name`)
    described.push({ name, summary, typed: typedFor(all, name), ...wordsOf(command) })
  }
  return described
}

function within(command: Command): readonly CommandWords[] {
  const names = command.commands.map((one) => one.name())
  return command.commands.map((one) => {
    const name = one.name()
    const typed = beginningsOf(name).filter(
      (begun) => begun === name || names.filter((other) => other.startsWith(begun)).length === 1,
    )
    return { name, summary: one.description(), typed, ...wordsOf(one) }
  })
}

function typedFor(all: readonly CommandEntry[], name: string): string[] {
  return beginningsOf(name).filter((begun) => {
    const resolved = resolveCommand(all, begun)
    return 'entry' in resolved && resolved.entry.name === name
  })
}

function beginningsOf(name: string): string[] {
  return Array.from(name, (_, at) => name.slice(0, at + 1))
}

function wordsOf(command: Command): Omit<CommandWords, 'name' | 'summary' | 'typed'> {
  const options = command.createHelp().visibleOptions(command)
  const commands = within(command)
  // The argument of a command with subcommands is one of those.
  const [argument, act] = commands.length > 0 ? [] : command.registeredArguments
  return {
    commands,
    options: options.map(({ short, long, description, flags, argChoices }) => ({
      flags: [short, long].filter((flag) => flag !== undefined),
      description,
      value: taken(/[<[](.+)[>\]]/.exec(flags)?.[1], argChoices),
    })),
    argument: argument && taken(argument.name(), argument.argChoices),
    // `[on|off]`, as in the command's own help.
    acts: act?.name().includes('|') ? act.name().split('|') : [],
  }
}

/** By its placeholder in the command's own help. */
function taken(placeholder: string | undefined, choices?: readonly string[]): Value | undefined {
  if (choices) return { of: 'words', words: choices, several: false }
  switch (placeholder) {
    case undefined:
      return undefined
    case 'state,…':
      return { of: 'words', words: STATES, several: true }
    case 'source,…':
      return { of: 'words', words: SOURCES, several: true }
    case 'file':
    case 'dir':
    case 'path':
    case 'source':
      return { of: 'file' }
    case 'session':
    case 'command':
      return { of: placeholder }
    default:
      return { of: 'text' }
  }
}
