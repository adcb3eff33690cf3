import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { type Folders, foldersOf } from '../../home/folders.ts'
import { readSettings, writeSettings } from '../../home/settings.ts'
import { addressOf } from '../../protocol/address.ts'
import { ageOf, plain } from '../../view/session.ts'
import { BadInput } from './bad-input.ts'
import { out } from './output.ts'
import { pickSession } from './pick.ts'
import { reach, reachIfRunning } from './reach.ts'

interface Options {
  readonly always?: boolean
  readonly json?: boolean
  readonly limit?: number
}

export function addAnswers(program: Command): void {
  const answers = program
    .command('answers')
    .description('whether agents may be answered from elsewhere than their terminals')
    .addHelpText('after', HELP)
  answers
    .command('on')
    .description('they may, while somebody could answer')
    .option('--always', 'also while no page and no live view is open, for vigil answer alone')
    .action((options: Options) => turn(true, options))
  answers
    .command('off')
    .description('they may not; no hook waits for anything')
    .action(() => turn(false, {}))
  answers
    .command('status')
    .description('whether hooks wait for answers at present')
    .option('--json', 'for programs')
    .action((options: Options) => status(options))
  answers
    .command('log')
    .description('what was done to agents through vigil: who, where, when, what')
    .argument('[session]', 'the beginning of an id, a title or a folder')
    .option('--limit <number>', 'as many as these', toLimit)
    .option('--json', 'for programs')
    .action((name: string | undefined, options: Options) => log(name, options))
}

const HELP = `
A client shows its dialog as ever, and beside it asks the hook, which waits only while somebody
could answer: a signed-in page or a live view is open (or was a minute ago), a channel of
notifications leads to the page, or \`vigil answers on --always\` was said.

The log is of what was done to agents; vigil audit has sign-ins, settings and stops as well.`

async function turn(on: boolean, { always = false }: Options): Promise<void> {
  const folders = foldersOf()
  const { answers } = writeSettings(folders, { answers: { on, always: on && always } })
  out.line(`answers: ${wordsOf(answers)}`)
}

async function status({ json }: Options): Promise<void> {
  const folders = foldersOf()
  const { answers } = readSettings(folders)
  const daemon = await reachIfRunning(folders)
  const waits = daemon !== undefined && existsSync(markOf(folders))
  const { requests } = daemon ? await daemon.requests() : { requests: [] }
  const open = requests.filter(({ answerable }) => answerable).length
  if (json) return out.json({ ...answers, daemon: !!daemon, waits, open })
  const hooks = waits ? 'hooks wait for answers' : 'no hook waits: nobody could answer'
  out.lines([
    `answers: ${wordsOf(answers)}`,
    daemon ? hooks : 'no daemon runs',
    `${open} can be answered`,
  ])
}

function markOf({ run }: Folders): string {
  return join(run, 'answerable')
}

function wordsOf({ on, always }: { readonly on: boolean; readonly always: boolean }): string {
  return on ? (always ? 'on, always' : 'on, while somebody could answer') : 'off'
}

const SHOWN_MAX = 160
const ACTS_MAX = 1_000
const LISTED = 50

async function log(name: string | undefined, { json, limit = LISTED }: Options): Promise<void> {
  const client = await reach()
  const { sessions, now } = await client.sessions({ all: true })
  const session = name === undefined ? undefined : addressOf(pickSession(sessions, name))
  const { acts: all } = await client.acts({ session, limit: ACTS_MAX })
  // Sign-ins, settings and stops are done to no agent: `vigil audit` has them.
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
