import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { foldersOf, waitingFolder } from '../../home/folders.ts'
import { readSettings, writeSettings } from '../../home/settings.ts'
import { addressOf } from '../../protocol/address.ts'
import { ageOf, plain } from '../../view/session.ts'
import { BadInput } from './bad-input.ts'
import { out } from './output.ts'
import { pickSession } from './pick.ts'
import { reach, reachIfRunning } from './reach.ts'
import { SESSION_IS } from './session-is.ts'
import { commandGroup } from './shortened.ts'

interface Options {
  readonly json?: boolean
  readonly limit?: number
}

export function addAnswers(program: Command): void {
  const answers = commandGroup(program, 'answers')
    .description('whether agents may be answered from elsewhere than their terminals')
    .addHelpText('after', HELP)
  answers
    .command('on')
    .description('they may: hooks wait for answers')
    .action(() => turn(true))
  answers
    .command('off')
    .description('they may not; no hook waits for anything')
    .action(() => turn(false))
  answers
    .command('status')
    .description('whether hooks wait for answers at present')
    .option('--json', 'for programs')
    .action((options: Options) => status(options))
  answers
    .command('log')
    .description('what was done to agents through vigil: who, where, when, what')
    .argument('[session]', SESSION_IS)
    .option('--limit <number>', 'as many as these', toLimit)
    .option('--json', 'for programs')
    .action((name: string | undefined, options: Options) => log(name, options))
}

const HELP = `
Without a command: vigil answers status.

A client shows its dialog as ever, and runs a hook beside it, which waits for an answer from here
until the dialog is over. Whichever answers first, you in the terminal or vigil, has answered.

The log is of what was done to agents; vigil audit has sign-ins, settings and stops as well.`

function turn(on: boolean): void {
  writeSettings(foldersOf(), { answers: { on } })
  out.line(`answers: ${wordsOf(on)}`)
}

async function status({ json }: Options): Promise<void> {
  const folders = foldersOf()
  const { answers } = readSettings(folders)
  const daemon = await reachIfRunning(folders)
  const waits = daemon !== undefined && existsSync(waitingFolder(folders))
  const { requests } = daemon ? await daemon.requests() : { requests: [] }
  const open = requests.filter(({ answerable }) => answerable).length
  if (json) return out.json({ on: answers.on, daemon: !!daemon, waits, open })
  const hooks = waits ? 'hooks wait for answers' : 'no hook waits'
  out.lines([
    `answers: ${wordsOf(answers.on)}`,
    daemon ? hooks : 'no daemon runs',
    `${open} can be answered`,
  ])
}

function wordsOf(on: boolean): string {
  return on ? 'on' : 'off'
}

const SHOWN_MAX = 160
const ACTS_MAX = 1_000
const LISTED = 50

async function log(name: string | undefined, { json, limit = LISTED }: Options): Promise<void> {
  const client = await reach()
  const { sessions, now } = await client.sessions({ all: true })
  const session = name === undefined ? undefined : addressOf(pickSession(sessions, name))
  const { acts: all } = await client.acts({ session, limit: ACTS_MAX })
  // Sign-ins, settings and stops concern no agent: `vigil audit` lists them.
  const acts = all.filter((act) => act.session !== '').slice(0, limit)
  if (json) return out.json(acts)
  if (acts.length === 0) return out.line('nothing was done to any agent through vigil')
  const lines = acts.toReversed().map(({ at, session: id, who, where, words }) => {
    const of = sessions.find((one) => one.id === id)?.project ?? id
    const said = `${plain(words, SHOWN_MAX)}  (${plain(who, 60)}, ${where})`
    return `${ageOf(now - at).padStart(6)} ago  ${plain(of, 20).padEnd(20)}  ${said}`
  })
  out.lines(lines)
}

function toLimit(value: string): number {
  const limit = Number(value)
  if (!/^\d{1,4}$/.test(value) || limit < 1 || limit > ACTS_MAX)
    throw new BadInput(`--limit ${value}: expected a number from 1 to 1000`)
  return limit
}
