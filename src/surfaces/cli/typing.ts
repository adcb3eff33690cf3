import type { Command } from 'commander'
import { addressOf } from '../../protocol/address.ts'
import type { TypingView } from '../../protocol/pane.ts'
import type { Session } from '../../protocol/session.ts'
import { ageOf, nameOf, plain } from '../../view/session.ts'
import { asked, BadInput } from './bad-input.ts'
import { out } from './output.ts'
import { pickSession } from './pick.ts'
import { reach } from './reach.ts'

interface Options {
  readonly json?: boolean
}

export function addTyping(program: Command): void {
  program
    .command('typing')
    .description('whether a session in tmux may be typed into from vigil: by page and commands')
    .argument('<session>', 'the beginning of an id, a title or a folder')
    .argument('[on|off]', 'allow it, or end it; without, how it is')
    .option('--json', 'the answer as one JSON object')
    .addHelpText('after', HELP)
    .action((name: string, turn: string | undefined, options: Options) =>
      typing(name, turn, options),
    )
}

const HELP = `
Off until it is turned on for that session, and off again when the session ends or the daemon does.
While it is on: vigil say, vigil interrupt, the first prompt of a loop, and keys in the terminal
that the page shows.`

async function typing(name: string, turn: string | undefined, { json }: Options): Promise<void> {
  if (turn !== undefined && turn !== 'on' && turn !== 'off')
    throw new BadInput(`${plain(turn, 40)}: expected on or off`)
  const client = await reach()
  const { sessions, now } = await client.sessions({ all: true })
  const session = pickSession(sessions, name)
  const address = addressOf(session)
  const view = await asked(
    turn === undefined ? client.typing(address) : client.setTyping(address, turn === 'on'),
  )
  if (json) out.json(view)
  else out.line(lineOf(session, view, now))
}

function lineOf(session: Session, { on, since, by }: TypingView, now: number): string {
  const who = plain(nameOf(session), 60)
  if (!on) return `${who}: typing is off`
  const age = since === null || now - since < 1_000 ? '' : ` since ${ageOf(now - since)}`
  return `${who}: typing is on${age}, by ${plain(by ?? 'its user', 60)}`
}
