/** `npm run lab:versions`: the same conversations with the newest client and older ones. */
import { join } from 'node:path'
import { Command } from 'commander'
import { EVENTS, knownEvents } from '../src/agents/claude/events.ts'
import { isAtLeast } from '../src/agents/version.ts'
import { BadInput } from '../src/surfaces/cli/bad-input.ts'
import { paintFor } from '../src/surfaces/cli/paint.ts'
import { CLIENTS } from './clients.ts'
import type { Conversation } from './conversation.ts'
import { playConversation } from './play.ts'
import { type Row, rowsAsJson, rowsAsMarkdown, rowsAsTable } from './report/versions.ts'
import { choose } from './run/choose.ts'
import { countOf } from './run/count.ts'
import { fetched } from './run/fetched.ts'
import { Folder, resultsIn, timeOf } from './run/folder.ts'
import { playAll } from './run/play-all.ts'
import type { Result } from './score/result.ts'
import { sumsOf } from './score/sums.ts'
import { CONVERSATIONS } from './scripts/all.ts'

/** What works with every client, one for each kind of event. */
const EVERYDAY = [
  ...['hello', 'readonly', 'tool_fail', 'two_prompts', 'think_long', 'silent_tool'],
  ...['bash_approve', 'bash_reject', 'edit', 'perm_left', 'plan_approve', 'ask_answer'],
  ...['esc_stream', 'esc_tool', 'queue', 'err400', 'clear', 'resume', 'kill9', 'sigterm'],
]

interface Options {
  readonly all?: true
  readonly json?: true
  readonly markdown?: true
  readonly out?: string
  readonly from?: string
  readonly jobs: number
}

const HELP = `
Examples:
  npm run lab:versions                 six clients, ${EVERYDAY.length} everyday conversations each
  npm run lab:versions -- 2.0.50       this one
  npm run lab:versions -- --all        every conversation that a client can be brought to
  npm run lab:versions -- --markdown   as it stands in docs/accuracy.md

Clients that are missing are installed first. What a client lacks is said in its row; what was true
of a client without a registry file is read off its screen, which vigil's daemon does not see.`

await new Command('npm run lab:versions --')
  .description('how right vigil is with each client, by source')
  .argument('[version...]', `clients; none: ${CLIENTS.map(({ version }) => version).join(', ')}`)
  .option('--all', 'not the everyday conversations alone')
  .option('--json', 'one object for each client')
  .option('--markdown', 'a table for a page')
  .option('--jobs <n>', 'play so many at a time', countOf('--jobs'), 1)
  .option('--from <dir>', 'play nothing: measure the recordings of an earlier run')
  .option('--out <dir>', 'where recordings and pages go')
  .addHelpText('after', HELP)
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .action(versions)
  .parseAsync()
  .catch((error) => {
    if (!(error instanceof BadInput)) throw error
    process.stderr.write(`lab: ${error.message}\n`)
    process.exitCode = error.exitCode
  })

async function versions(asked: string[], options: Options): Promise<void> {
  for (const version of asked)
    if (!/^\d+\.\d+\.\d+$/.test(version)) throw new BadInput(`${version}: expected e.g. 2.1.220`)
  const clients = asked.length > 0 ? asked : CLIENTS.map(({ version }) => version)
  const out = options.out ?? `.cache/lab/versions-${timeOf(new Date()).replaceAll(/[ :]/g, '-')}`
  const rows: Row[] = []
  for (const client of clients.toSorted((a, b) => (isAtLeast(a, b) ? -1 : 1))) {
    const missing = options.from === undefined ? await fetched(client, tell) : undefined
    if (missing) tell(`${client} is left out: ${missing}\n`)
    if (missing) continue
    const { play, skipped } = choose(CONVERSATIONS, {
      ...{ names: options.all ? [] : EVERYDAY, all: false, client },
    })
    const results = options.from
      ? resultsIn(join(options.from, client))
      : await playWith(client, play, options, join(out, client))
    rows.push(rowOf(client, results, skipped.length))
  }
  if (options.json) process.stdout.write(rowsAsJson(rows))
  else if (options.markdown) process.stdout.write(rowsAsMarkdown(rows))
  else if (rows.length > 0) process.stdout.write(`\n${rowsAsTable(rows, paintFor(process.stdout))}`)
  if (options.from === undefined) tell(`\npages: ${out}/*/index.html\n`)
}

async function playWith(
  client: string,
  conversations: readonly Conversation[],
  { jobs }: Options,
  out: string,
): Promise<readonly Result[]> {
  tell(`\nClaude Code ${client}\n`)
  const folder = new Folder(out)
  const results = await playAll(conversations, {
    ...{ playOne: playConversation, client, times: 1, jobs, tell },
    live: { hooks: true, restart: false },
    keep: (name, { text }) => folder.keep(name, text),
  })
  folder.report(results, sumsOf(results), `Claude Code ${client}: ${results.length} conversations.`)
  return results
}

function rowOf(client: string, results: readonly Result[], skipped: number): Row {
  const failed = results.filter((result) => result.failed !== undefined).map(({ name }) => name)
  return { client, sums: sumsOf(results), lacks: lacksOf(client, results), failed, skipped }
}

/** What this client lacks, in words. */
function lacksOf(client: string, results: readonly Result[]): readonly string[] {
  const known = new Set<string>(knownEvents(client))
  const lacking = EVENTS.filter((event) => !known.has(event))
  const byScreen = results.some(({ truthFrom }) => truthFrom === 'screen')
  return [
    ...(byScreen ? ['no status in a registry file'] : []),
    ...(lacking.length === 0
      ? []
      : [lacking.length === 1 ? '1 hook event' : `${lacking.length} hook events`]),
    ...(known.has('PermissionRequest') ? [] : ['no hook for a permission dialog']),
    ...(known.has('StopFailure') ? [] : ['no hook for an API error']),
  ]
}

function tell(text: string): void {
  process.stderr.write(text)
}
