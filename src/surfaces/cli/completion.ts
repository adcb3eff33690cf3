import { Argument, type Command } from 'commander'
import { connect } from '../../client/client.ts'
import { foldersOf } from '../../home/folders.ts'
import type { CommandEntry } from './command-entry.ts'
import { out } from './output.ts'

interface Options {
  readonly sessions?: string | true
}

const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]

/**
 * Users do not wait longer for a completion; without the daemon's answer there is just less to
 * offer.
 */
const ANSWER_MAX_MS = 500

export function addCompletion(program: Command, all: readonly CommandEntry[]): void {
  const command = program
    .command('completion')
    .description('print a completion script for your shell: commands, options, states and sessions')
    .addArgument(new Argument('[shell]', 'which shell').choices(SHELLS))
    .addHelpText('after', HELP)
    .action(async (shell: Shell | undefined, { sessions }: Options) => {
      if (sessions !== undefined) await printSessions(sessions === true ? '' : sessions)
      else if (shell) out.text(await scriptFor(shell, all))
      else command.help({ error: true })
    })
  // For the scripts only: names with this prefix, each with its state.
  command.addOption(command.createOption('--sessions [begun]').hideHelp())
}

const HELP = `
Where to put it:
  bash   vigil completion bash > ~/.local/share/bash-completion/completions/vigil
         or in ~/.bashrc: eval "$(vigil completion bash)"
  zsh    vigil completion zsh > ~/.zfunc/_vigil
         with fpath=(~/.zfunc $fpath) before compinit in ~/.zshrc
  fish   vigil completion fish > ~/.config/fish/completions/vigil.fish

Sessions are completed by title, folder or id while the daemon runs; it is never started for that.`

async function scriptFor(shell: Shell, all: readonly CommandEntry[]): Promise<string> {
  const { describeCommands } = await import('./completion-words.ts')
  const commands = await describeCommands(all)
  if (shell === 'bash') return (await import('./completion-bash.ts')).bashScript(commands)
  if (shell === 'zsh') return (await import('./completion-zsh.ts')).zshScript(commands)
  return (await import('./completion-fish.ts')).fishScript(commands)
}

/** Never prints an error: the output appears in the line that the user is typing. */
async function printSessions(begun: string): Promise<void> {
  const { sessionNames } = await import('./completion-sessions.ts')
  try {
    const client = connect(foldersOf(), { silenceMaxMs: ANSWER_MAX_MS })
    const { sessions } = await client.sessions()
    for (const { name, what } of sessionNames(sessions, begun)) out.line(`${name}\t${what}`)
  } catch {
    // No daemon runs, or it is ending.
  }
}
