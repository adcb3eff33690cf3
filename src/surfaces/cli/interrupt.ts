import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import type { Client } from '../../client/client.ts'
import { addressOf } from '../../protocol/address.ts'
import { plain } from '../../view/session.ts'
import { asked } from './bad-input.ts'
import { SESSION_IS } from './option-words.ts'
import { out } from './output.ts'
import { pickSession } from './pick.ts'
import { reach } from './reach.ts'

interface Options {
  readonly json?: boolean
}

/** A client reports an interrupt within a tenth of a second; a busy machine is slower. */
const TOLD_WITHIN_MS = 4_000
const LOOK_MS = 50

export function addInterrupt(program: Command): void {
  program
    .command('interrupt')
    .description('interrupt a working session in tmux, with the agent’s own key')
    .argument('<session>', SESSION_IS)
    .option('--json', 'print the result as one JSON object')
    .addHelpText('after', HELP)
    .action((name: string, options: Options) => interrupt(name, options))
}

const HELP = `
Typing into the session must be on: vigil typing SESSION on
If the session is in a loop, this also pauses the loop, as the agent’s own key does.`

async function interrupt(name: string, { json }: Options): Promise<void> {
  const client = await reach()
  const { sessions } = await client.sessions({ all: true })
  const session = pickSession(sessions, name)
  await asked(client.interrupt(addressOf(session)))
  const state = await stateAfter(client, addressOf(session))
  const who = plain(session.name, 60)
  const line =
    state === 'working' ? `${who}: interrupt sent, but it is still working` : `${who}: interrupted`
  if (json) out.jsonLine({ session: session.id, done: true, state })
  else out.line(line)
}

async function stateAfter(client: Client, address: string): Promise<string> {
  const giveUpAt = performance.now() + TOLD_WITHIN_MS
  for (;;) {
    const state = (await client.session(address))?.state ?? 'closed'
    if (state !== 'working' || performance.now() > giveUpAt) return state
    await sleep(LOOK_MS)
  }
}
