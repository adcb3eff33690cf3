import type { Command, CommanderError } from 'commander'
import { whyDenied } from '../home/denied.ts'
import { foldersOf } from '../home/folders.ts'
import { ownVersion } from '../home/version.ts'
import { whyNotHere } from '../platform/system.ts'
import { BadInput } from '../surfaces/cli/bad-input.ts'
import { meant, resolveCommand } from '../surfaces/cli/command-entry.ts'
import { SESSION_IS } from '../surfaces/cli/option-words.ts'
import { endWithReader, err, out } from '../surfaces/cli/output.ts'
import { COMMANDS } from './commands.ts'

const HELP = `
Without a command, vigil shows the terminal view. You can shorten command names as long as they
stay unique: \`vigil wh\` is \`vigil why\`.
SESSION is ${SESSION_IS}.

Examples:
  vigil                          every agent on this machine, live
  vigil run                      start an agent with vigil's hooks; installs nothing
  vigil install                  let every session of your agents report to vigil
  vigil why payments             why the session in …/payments is waiting
  vigil wait payments --until idle && make deploy`

/** Errors of other layers whose message is written for the user. */
const SAID_PLAINLY = new Set([
  'Refused',
  'EditRefused',
  'DaemonGone',
  'StoreError',
  'SettingsError',
  'UnsafeSocket',
  'ForeignFolder',
])

endWithReader()
// The message of an unexpected error may contain data that is not safe for a terminal; Node would
// print it as it is.
process.on('uncaughtException', (error) => {
  // The daemon has its own handler.
  if (process.listenerCount('uncaughtException') > 1) return
  err.lines(traceOf(error))
  process.exit(1)
})

try {
  await main(process.argv.slice(2))
} catch (error) {
  process.exitCode = exitCodeOf(error)
}

async function main(args: string[]): Promise<void> {
  const why = whyNotHere()
  if (why !== undefined) throw new BadInput(why, 1)
  if (await quickStatus(args)) return
  const commander = await import('commander')
  const program = new commander.Command('vigil')
    .description('Knows what every coding agent is doing, and is never wrong for long.')
    .helpOption('-h, --help', 'show this help')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => out.text(text),
      writeErr: (text) => err.text(text),
      // The message repeats user input: it stays one line, except for commander's own suggestion.
      outputError: (text) => err.lines(prefixed(text).split(/\n(?=\(Did you mean )/)),
    })
    .hook('preAction', async (_, command) =>
      (await import('../surfaces/cli/no-agent.ts')).refuseAgents(command),
    )
  const [name] = args
  if (name !== undefined && !name.startsWith('-') && name !== 'help') {
    const add = await loaded(name)
    add.to(program, COMMANDS)
    await program.parseAsync([add.name, ...args.slice(1)], { from: 'user' })
  } else if (name === 'help' && args[1] !== undefined) await main([...args.slice(1), '--help'])
  else await overview(program, args)
}

/**
 * Prompts and status bars call `vigil status` again and again. Loading an argument parser takes a
 * third of its time, so its plain options are parsed here.
 */
async function quickStatus([name, ...options]: readonly string[]): Promise<boolean> {
  if (name !== 'status' || !options.every((option) => /^--(json|all|local)$/.test(option)))
    return false
  const { printStatus: status } = await import('../surfaces/cli/status.ts')
  const has = (name: string) => options.includes(`--${name}`)
  await status({ json: has('json'), all: has('all'), local: has('local') })
  return true
}

async function loaded(name: string) {
  const resolved = resolveCommand(COMMANDS, name)
  if ('entry' in resolved) return { name: resolved.entry.name, to: await resolved.entry.load() }
  if ('among' in resolved)
    throw new BadInput(`${name}: could be ${resolved.among.join(', ')}; type more letters`)
  const names = COMMANDS.map((command) => command.name)
  const hint = meant(name, names) || '; run `vigil --help` for a list'
  throw new BadInput(`${name}: no such command${hint}`)
}

/** `vigil` alone, `vigil --help`, `vigil --version`, and unknown commands. */
async function overview(program: Command, args: string[]): Promise<void> {
  program
    .version(ownVersion(), '-V, --version', 'print the version')
    .showHelpAfterError('Run `vigil --help` for a list of commands.')
    .addHelpText('after', HELP)
    .option('--local', 'show only sessions of this machine')
    .action(async ({ local }: { readonly local?: boolean }) =>
      (await import('../surfaces/cli/live.ts')).live({ local: local === true }),
    )
  for (const { name, summary, group } of COMMANDS)
    program.command(name).description(summary).helpGroup(group)
  await program.parseAsync(args[0] === 'help' ? ['--help'] : args, { from: 'user' })
}

/** SPEC CM21. The parser's errors begin with `error: `; all errors get one prefix. */
function prefixed(text: string): string {
  return `vigil: ${text.trimEnd().replace(/^error: /, '')}`
}

/** Bad input exits with 2, as in most commands. Commander has printed its own errors already. */
function exitCodeOf(error: unknown): number {
  const { name, message } = error as Error
  // By name: `instanceof` would load the module.
  if (name === 'CommanderError') return (error as CommanderError).exitCode === 0 ? 0 : 2
  if (error instanceof BadInput) {
    const [first, ...choices] = error.lines
    err.lines([`vigil: ${first}`, ...choices])
    return error.exitCode
  }
  const plain = SAID_PLAINLY.has(name) ? message : whyDenied(error, foldersOf())
  err.lines(plain === undefined ? traceOf(error) : [`vigil: ${plain}`])
  return 1
}

/** The message in one line, and where it was thrown. */
function traceOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [`vigil: ${String(error)}`]
  const { name, message, stack = '' } = error
  const places = stack.replace(message, () => '').split('\n')
  return [`vigil: ${name}: ${message}`, ...places.filter((line) => /^ {4}at /.test(line))]
}
