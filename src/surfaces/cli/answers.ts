import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { foldersOf, waitingFolder } from '../../home/folders.ts'
import { readSettings, writeSettings } from '../../home/settings.ts'
import { addressOf } from '../../protocol/address.ts'
import { ageOf, plain } from '../../view/session.ts'
import { SESSION_IS, wholeNumber } from './option-words.ts'
import { out } from './output.ts'
import { pickSession } from './pick.ts'
import { reach, reachIfRunning } from './reach.ts'
import { commandGroup } from './shortened.ts'

interface Options {
  readonly json?: boolean
  readonly limit?: number
}

export function addAnswers(program: Command): void {
  const answers = commandGroup(program, 'answers')
    .description('let vigil answer agents’ requests, or leave them to their terminals')
    .addHelpText('after', HELP)
  answers
    .command('on')
    .description('hooks wait for answers from vigil')
    .action(() => turn(true))
  answers
    .command('off')
    .description('requests are answered in their terminals only')
    .action(() => turn(false))
  answers
    .command('status')
    .description('show whether hooks wait for answers')
    .option('--json', 'print JSON')
    .action((options: Options) => status(options))
  answers
    .command('log')
    .description('list what was done to agents through vigil: when, by whom, what')
    .argument('[session]', SESSION_IS)
    .option('--limit <number>', 'how many lines to show', wholeNumber('--limit', 1, ACTS_MAX))
    .option('--json', 'print JSON')
    .action((name: string | undefined, options: Options) => log(name, options))
}

const HELP = `
Without a command, this is vigil answers status.

An agent shows its dialog as usual. At the same time its hook waits for an answer from vigil, until
the dialog closes. The first answer counts, whether it comes from the terminal or from vigil.

\`log\` lists what was done to agents; \`vigil audit\` also lists sign-ins, settings and stops.`

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
    daemon ? hooks : 'no daemon is running',
    `${open} can be answered here`,
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
  if (acts.length === 0) return out.line('nothing has been done to agents through vigil')
  const lines = acts.toReversed().map(({ at, session: id, who, where, words }) => {
    const of = sessions.find((one) => one.id === id)?.project ?? id
    const said = `${plain(words, SHOWN_MAX)}  (${plain(who, 60)}, ${where})`
    return `${ageOf(now - at).padStart(6)} ago  ${plain(of, 20).padEnd(20)}  ${said}`
  })
  out.lines(lines)
}
