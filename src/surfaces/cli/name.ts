import type { Command } from 'commander'
import { addressOf } from '../../protocol/address.ts'
import { plain } from '../../view/session.ts'
import { asked, BadInput } from './bad-input.ts'
import { SESSION_IS } from './option-words.ts'
import { out } from './output.ts'
import { pickSession } from './pick.ts'
import { reach } from './reach.ts'

interface Options {
  readonly clear?: boolean
  readonly json?: boolean
}

export function addName(program: Command): void {
  program
    .command('name')
    .description('give a session a name of your own, shown everywhere')
    .argument('<session>', SESSION_IS)
    .argument('[name...]', 'the new name; several words need no quotes')
    .option('--clear', 'remove your name for it')
    .option('--json', 'print the session as one JSON object')
    .addHelpText('after', HELP)
    .action((session: string, words: string[], options: Options) => rename(session, words, options))
}

const HELP = `
Examples:
  vigil name 3f2a checkout rewrite
  vigil name . --clear

Without your name, vigil uses the session's title, or its folder, with a number if several are the
same.`

async function rename(which: string, words: string[], { clear, json }: Options): Promise<void> {
  const name = words.join(' ').trim()
  if (words.length === 0 && !clear) throw new BadInput('expected a name, or --clear to remove one')
  if (clear && name !== '') throw new BadInput('expected a name or --clear, not both')
  const client = await reach()
  const { sessions } = await client.sessions({ all: true })
  const session = pickSession(sessions, which)
  const named = await asked(client.name(addressOf(session), name))
  if (json) out.json(named)
  else out.line(`${plain(session.name, 60)} is now called ${plain(named.name, 80)}`)
}
