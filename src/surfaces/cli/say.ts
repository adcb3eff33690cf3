import type { Command } from 'commander'
import { addressOf } from '../../protocol/address.ts'
import { plain } from '../../view/session.ts'
import { asked } from './bad-input.ts'
import { checkedPrompt } from './loop-prompt.ts'
import { SESSION_IS } from './option-words.ts'
import { out } from './output.ts'
import { pickSession } from './pick.ts'
import { reach } from './reach.ts'

interface Options {
  readonly json?: boolean
}

export function addSay(program: Command): void {
  program
    .command('say')
    .description('send a prompt to a session; while it works, the prompt is queued')
    .argument('<session>', SESSION_IS)
    .argument('<text...>', 'the prompt')
    .option('--json', 'print the result as one JSON object')
    .addHelpText('after', HELP)
    .action((name: string, words: string[], options: Options) => say(name, words, options))
}

const HELP = `
vigil types the prompt into the session's terminal and sends it, but only if the input line is
empty, so that it never mixes with your own typing. Where the agent's own server holds the session,
vigil sends the prompt to that server, and the session needs no tmux. While the session works, the
agent queues the prompt, if it can. Typing into the session must be on: vigil typing SESSION on

Examples:
  vigil typing payments on
  vigil say payments "run the tests again, and tell me which fail"
  vigil wait payments --until idle && vigil say payments /compact`

async function say(name: string, words: readonly string[], { json }: Options): Promise<void> {
  const text = checkedPrompt('the prompt', words.join(' '))
  const client = await reach()
  const { sessions } = await client.sessions({ all: true })
  const session = pickSession(sessions, name)
  const { queued } = await asked(client.say(addressOf(session), text))
  if (json) out.jsonLine({ session: session.id, done: true, queued })
  else out.line(`${plain(session.name, 60)}: ${queued ? 'queued' : 'told'}`)
}
