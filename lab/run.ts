/** `npm run lab`: plays the conversations with the real client and measures vigil by them. */
import { Command, Option } from 'commander'
import { BadInput } from '../src/surfaces/cli/bad-input.ts'
import { paintFor } from '../src/surfaces/cli/paint.ts'
import { NEWEST } from './clients.ts'
import { againAlone, isAlone } from './drive/alone.ts'
import { jsonOf } from './report/json.ts'
import { tableOf } from './report/table.ts'
import { LAB_AGENTS, type LabAgent } from './run/agents.ts'
import { choose } from './run/choose.ts'
import { countOf } from './run/count.ts'
import { Folder, resultsIn, timeOf } from './run/folder.ts'
import { brokenIn, twoOfThree } from './run/gate.ts'
import { playAll } from './run/play-all.ts'
import { recordAll, recordedAs } from './run/record.ts'
import type { Result } from './score/result.ts'
import { type Sums, sumsOf } from './score/sums.ts'

interface Options {
  readonly agent: keyof typeof LAB_AGENTS
  readonly claude: string
  readonly live?: true
  readonly hooks: boolean
  readonly server: boolean
  readonly restart?: true
  readonly all?: true
  readonly times: number
  readonly jobs: number
  readonly from?: string
  readonly record?: true
  readonly json?: true
  readonly gate?: true
  readonly out?: string
  readonly list?: true
}

const HELP = `
Examples:
  npm run lab                            every conversation that is not long; the core is measured
  npm run lab -- --list                  what there is to play
  npm run lab -- bash_approve esc_tool   these two
  npm run lab -- --live                  with the daemon watching, through its hooks and sources
  npm run lab -- --live --no-hooks       what it knows where it is not installed
  npm run lab -- --live --restart        it is killed in the middle of each, and comes back
  npm run lab -- --live --gate           exit code 1 unless two of three runs keep the promises
  npm run lab -- --agent codex --live    another agent, in a network of its own
  npm run lab -- --claude 2.0.50         another client; it is installed where it is missing
  npm run lab -- queue --times 20        is it right every time?
  npm run lab -- --from .cache/lab/…     measure those recordings again, after a rule was changed
  npm run lab:record -- bash_approve     play it, with each client it is shipped of, and put what
                                         passes in the place of the recordings in test/recordings

Right: share of the time in which the verdict is the client's own word, leaving out 0.3 s after
each change of it. Delay: from the client's word to the verdict; below zero, vigil knew it first.

Exit code 1: a conversation failed, or the gate; 2: the command itself is wrong. Where tmux or the
client is missing the lab says so and is skipped (exit code 0; with CI_CLIENTS=1 it is 1).`

const program = new Command('npm run lab --')
  .description('plays conversations with the real client and measures how right vigil is')
  .argument('[name...]', 'conversations; none: all that are not long')
  .addOption(
    new Option('--agent <id>', 'whose client').choices(Object.keys(LAB_AGENTS)).default('claude'),
  )
  .option('--claude <version>', 'the client of Claude Code', NEWEST)
  .option('--live', 'the real daemon watches, and is measured too')
  .option('--no-hooks', 'with --live: vigil is not installed in the client')
  .option('--no-server', 'with --live: vigil cannot reach the server of the agent')
  .option('--restart', 'with --live: the daemon is killed in the middle of each')
  .option('--all', 'the long ones too')
  .option('--times <n>', 'play each so many times', countOf('--times'), 1)
  .option('--jobs <n>', 'play so many at a time', countOf('--jobs'), 1)
  .option('--from <dir>', 'play nothing: measure the recordings in this folder')
  .option('--record', 'write those that pass to test/recordings')
  .option('--gate', 'exit code 1 unless two of three runs keep every promise')
  .option('--json', 'one object for each run and one for the sum, instead of the table')
  .option('--out <dir>', 'where recordings, results.json and index.html go')
  .option('--list', 'what there is to play')
  .addHelpText('after', HELP)
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .action(lab)

await program.parseAsync().catch((error) => {
  if (!(error instanceof BadInput)) throw error
  process.stderr.write(`lab: ${error.message}\n`)
  process.exitCode = error.exitCode
})

async function lab(names: string[], options: Options): Promise<void> {
  refuse(names, options)
  const agent = LAB_AGENTS[options.agent]
  if (options.list) list(agent)
  else if (options.from !== undefined) measureAgain(options.from, options)
  else if (options.record) await record(agent, names, options.jobs)
  else await play(agent, names, options)
}

async function play(agent: LabAgent, names: readonly string[], options: Options): Promise<void> {
  const { all = false, times, jobs, hooks, server, restart = false } = options
  const client = agent.alone ? agent.newest : options.claude
  const chosen = choose(agent.conversations, { names, all, client })
  if (!(await canPlay(agent, client))) return
  for (const { name, why } of chosen.skipped) tell(`${name}: skipped, it ${why}\n`)
  const once = async (folder: Folder) => {
    const results = await playAll(chosen.play, {
      ...{ playOne: agent.playOne, client, times, jobs, tell },
      live: options.live && { hooks, server, restart },
      keep: (name, { text }) => folder.keep(name, text),
    })
    return { results, sums: report(results, options, folder) }
  }
  if (options.gate) await gate(once, options)
  else done((await once(folderOf(options))).results)
}

async function gate(
  once: (folder: Folder) => Promise<{ results: readonly Result[]; sums: Sums }>,
  options: Options,
): Promise<void> {
  const isKept = await twoOfThree(async (number) => {
    const { results, sums } = await once(folderOf(options, number))
    return brokenIn(results, sums, LAB_AGENTS[options.agent].gates)
  }, tell)
  if (!isKept) process.exitCode = 1
}

function measureAgain(from: string, options: Options): void {
  const results = resultsIn(from)
  const sums = report(results, options, folderOf(options))
  const broken = brokenIn(results, sums, LAB_AGENTS[options.agent].gates)
  if (!options.gate) return
  for (const promise of broken) tell(`gate: ${promise}\n`)
  if (broken.length > 0) process.exitCode = 1
}

async function record(agent: LabAgent, names: readonly string[], jobs: number): Promise<void> {
  const recorded = recordedAs(agent, names)
  if (await canPlay(agent, agent.newest)) done(await recordAll(agent, recorded, jobs, tell))
}

/** Fetches what is missing. Another process plays a client that needs a network of its own. */
async function canPlay(agent: LabAgent, client: string): Promise<boolean> {
  const isPlayer = !agent.alone || isAlone()
  const missing = isPlayer && agent.alone ? agent.missing(client) : await agent.fetch(client, tell)
  if (missing) skip(missing)
  if (missing || isPlayer) return !missing
  const ended = againAlone()
  if (typeof ended === 'string') skip(ended)
  else process.exitCode = ended
  return false
}

/** The name sorts by time, and is valid on every file system; each run of the gate has its own. */
function folderOf({ out }: Options, run = 1): Folder {
  const time = timeOf(new Date()).replace(' ', 'T').replaceAll(':', '-')
  const place = out ?? `.cache/lab/${time}`
  return new Folder(run === 1 ? place : `${place}-run-${run}`)
}

/** Options that would otherwise be ignored silently. */
function refuse(names: readonly string[], options: Options): void {
  const { live, hooks, server, restart, from, record } = options
  if (!live && !hooks) throw new BadInput('--no-hooks is about the daemon: add --live')
  if (!live && !server) throw new BadInput('--no-server is about the daemon: add --live')
  if (!live && restart) throw new BadInput('--restart is about the daemon: add --live')
  if (live && record) throw new BadInput('--record and --live do not go together')
  if (record && options.claude !== NEWEST)
    throw new BadInput('--record plays each with the client it is shipped of: no --claude with it')
  if (options.agent !== 'claude' && options.claude !== NEWEST)
    throw new BadInput('--claude is about Claude Code: no --agent with it')
  if (from !== undefined && (live || record || names.length > 0))
    throw new BadInput('--from plays nothing: no names, no --live, no --record with it')
}

function report(results: readonly Result[], options: Options, folder: Folder): Sums {
  const sums = sumsOf(results)
  if (options.json) for (const line of [...results.map(jsonOf), { sum: sums }]) print(line)
  else process.stdout.write(`\n${tableOf(results, sums, paintFor(process.stdout))}`)
  const page = folder.report(results, sums, aboutOf(results, options))
  tell(`\npage: ${page}\n`)
  return sums
}

function aboutOf(results: readonly Result[], options: Options): string {
  const { live, hooks, server, restart, from } = options
  const clients = [...new Set(results.map(({ client }) => client))].join(', ')
  const what = `${results.length} conversations with ${LAB_AGENTS[options.agent].name} ${clients}`
  const when = timeOf(new Date()).slice(0, 16)
  if (from !== undefined) return `${what}, measured again ${when}.`
  if (!live) return `${what}, ${when}; no daemon watched.`
  const how = `${hooks ? 'with its hooks' : 'without hooks'}${server ? '' : ' and server'}`
  return `${what}, ${when}; the daemon watched, ${how}${restart ? ', and was killed in each' : ''}.`
}

function list({ conversations }: LabAgent): void {
  const width = Math.max(...conversations.map(({ name }) => name.length))
  for (const { name, shows, since, long } of conversations) {
    const notes = [
      ...(since ? [`from client ${since} on`] : []),
      ...(long ? [`long: ${long}`] : []),
    ]
    const more = notes.length > 0 ? ` (${notes.join('; ')})` : ''
    process.stdout.write(`${name.padEnd(width)}  ${shows}${more}\n`)
  }
}

function skip(missing: string): void {
  tell(`the lab is skipped: ${missing}\n`)
  if (process.env.CI_CLIENTS === '1') process.exitCode = 1
}

function done(results: readonly Result[]): void {
  const failed = results.filter((result) => result.failed !== undefined)
  if (failed.length === 0) return
  tell(`${failed.length} failed: ${failed.map(({ name }) => name).join(', ')}\n`)
  process.exitCode = 1
}

function tell(text: string): void {
  process.stderr.write(text)
}

function print(value: object): void {
  process.stdout.write(`${JSON.stringify(value)}\n`)
}
