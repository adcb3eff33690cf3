import type { Command } from 'commander'
import { addressOf } from '../../protocol/address.ts'
import type { TypingView } from '../../protocol/pane.ts'
import type { Session } from '../../protocol/session.ts'
import { ageOf, plain } from '../../view/session.ts'
import { asked, BadInput } from './bad-input.ts'
import { SESSION_IS } from './option-words.ts'
import { err, out } from './output.ts'
import { pickSession } from './pick.ts'
import { reach } from './reach.ts'

interface Options {
  readonly all?: boolean
  readonly json?: boolean
}

export function addTyping(program: Command): void {
  program
    .command('typing')
    .description('let vigil type into a session in tmux (page and commands), or stop it')
    .usage('SESSION|--all [on|off] [options]')
    .argument('[session]', SESSION_IS)
    .argument('[on|off]', 'turn typing on or off; left out: show whether it is on')
    .option('--all', 'all sessions that are open in tmux now, instead of one')
    .option('--json', 'print the result as one JSON object, with --all as an array')
    .addHelpText('after', HELP)
    .action((...given: [string | undefined, string | undefined, Options]) => typing(...given))
}

const HELP = `
Typing is off until you turn it on for a session, and off again when the session or the daemon ends.
It is needed for vigil say, vigil interrupt, the first prompt of a loop, answers to dialogs that no
hook waits for, and keys in the terminal on the page.

Examples:
  vigil typing payments on
  vigil typing --all on          without sessions that start later`

async function typing(
  first: string | undefined,
  second: string | undefined,
  { all, json }: Options,
): Promise<void> {
  const [name, turn] = all ? [undefined, first] : [first, second]
  if (all ? second !== undefined : name === undefined)
    throw new BadInput('expected a session or --all')
  if (turn !== undefined && turn !== 'on' && turn !== 'off')
    throw new BadInput(`${plain(turn, 40)}: expected on or off`)
  const client = await reach()
  const { sessions, now } = await client.sessions({ all: !all })
  const view = (session: Session) => {
    const address = addressOf(session)
    return asked(
      turn === undefined ? client.typing(address) : client.setTyping(address, turn === 'on'),
    )
  }
  if (name === undefined) return every(sessions.filter(canBeTypedInto), view, json, now)
  const session = pickSession(sessions, name)
  // SPEC FL91. Its own machine's user decides what may be typed there.
  if (!session.own)
    throw new BadInput(`${name}: runs on ${plain(session.host, 40)}; run \`vigil typing\` there`, 1)
  const typed = await view(session)
  if (json) out.json(typed)
  else out.line(lineOf(session, typed, now))
}

function canBeTypedInto({ own, state, tmuxPane }: Session): boolean {
  return own && state !== 'closed' && tmuxPane !== null
}

/** SPEC PA21. One session after the other; a failure is printed and does not stop the others. */
async function every(
  sessions: readonly Session[],
  view: (session: Session) => Promise<TypingView>,
  json: boolean | undefined,
  now: number,
): Promise<void> {
  const views: TypingView[] = []
  for (const session of sessions) {
    try {
      const typed = await view(session)
      views.push(typed)
      if (!json) out.line(lineOf(session, typed, now))
    } catch (error) {
      if (!(error instanceof BadInput)) throw error
      err.line(`vigil: ${plain(session.name, 60)}: ${error.message}`)
      process.exitCode = 1
    }
  }
  if (json) out.json(views)
  else if (sessions.length === 0) out.line('no session is open in tmux')
}

function lineOf(session: Session, { on, since, by }: TypingView, now: number): string {
  const who = plain(session.name, 60)
  if (!on) return `${who}: typing is off`
  const age = since === null || now - since < 1_000 ? '' : ` since ${ageOf(now - since)}`
  return `${who}: typing is on${age}, by ${plain(by ?? 'its user', 60)}`
}
