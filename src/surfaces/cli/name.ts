import type { Command } from 'commander'
import { addressOf } from '../../protocol/address.ts'
import { plain } from '../../view/session.ts'
import { asked, BadInput } from './bad-input.ts'
import { out } from './output.ts'
import { pickSession } from './pick.ts'
import { reach } from './reach.ts'
import { SESSION_IS } from './session-is.ts'

interface Options {
  readonly clear?: boolean
  readonly json?: boolean
}

export function addName(program: Command): void {
  program
    .command('name')
    .description('call a session by a name of your own, on every surface')
    .argument('<session>', SESSION_IS)
    .argument('[name...]', 'what to call it; its words need no quotes')
    .option('--clear', 'take the name back')
    .option('--json', 'the session as one JSON object')
    .addHelpText('after', HELP)
    .action((session: string, words: string[], options: Options) => rename(session, words, options))
}

const HELP = `
Examples:
  vigil name 3f2a checkout rewrite
  vigil name . --clear

Without a name of yours a session is called by its own title, else by its folder, with a number
where several are.`

async function rename(which: string, words: string[], { clear, json }: Options): Promise<void> {
  const name = words.join(' ').trim()
  if (words.length === 0 && !clear) throw new BadInput('which name? --clear takes one back')
  if (clear && name !== '') throw new BadInput('a name, or --clear: not both')
  const client = await reach()
  const { sessions } = await client.sessions({ all: true })
  const session = pickSession(sessions, which)
  const named = await asked(client.name(addressOf(session), name))
  if (json) out.json(named)
  else out.line(`${plain(session.name, 60)} is called ${plain(named.name, 80)}`)
}
