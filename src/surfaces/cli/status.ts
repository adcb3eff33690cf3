import type { Command } from 'commander'
import { LOCAL_OPTION, listedOf, NO_SESSIONS } from './listed.ts'
import { out } from './output.ts'
import { reach } from './reach.ts'
import { drawFleet } from './session-table.ts'

interface Options {
  readonly json?: boolean | undefined
  readonly all?: boolean | undefined
  readonly local?: boolean | undefined
  readonly vocabulary?: string
}

const VOCABULARIES = ['plates', 'notify-tmux', 'claude-state', 'claude-rpg']

export function addStatus(program: Command): void {
  program
    .command('status')
    .description('list every session and what it is doing, the most urgent first')
    .option('--json', 'print an array with one object for each session')
    .option('--all', 'also list closed sessions, including old and imported ones')
    .option(...LOCAL_OPTION)
    .addOption(
      program
        .createOption('--vocabulary <name>', 'use the words of another program')
        .choices(VOCABULARIES),
    )
    .addHelpText('after', HELP)
    .action((options: Options) => printStatus(options))
}

const HELP = `
Examples:
  vigil status
  vigil status --json | jq -r '.[] | select(.state == "waiting") | .cwd'
  vigil status --vocabulary plates    ids, states as plate-spinner names them, names

* marks sessions that you have not looked at since they began to need you. Below the list, vigil
counts the sessions closed in the last half hour; --all lists them.`

export async function printStatus({ json, all, local, vocabulary }: Options): Promise<void> {
  if (vocabulary !== undefined) return spoken(vocabulary, { json, all, local })
  const client = await reach()
  const { sessions: known, now } = await client.sessions({ all: all === true })
  const sessions = listedOf(known, local === true)
  if (json) {
    out.json(sessions)
    return
  }
  const lines = sessions.length > 0 ? [] : NO_SESSIONS
  const fleet = drawFleet(sessions, now, out.width, out.paint, { all: all === true })
  out.lines([...fleet, ...lines])
}

/** SPEC CM15. For scripts that were written for another program's words. */
async function spoken(vocabulary: string, { json, all, local }: Options): Promise<void> {
  const { wordsIn } = await import('./status-words.ts')
  const { sessions, now } = await (await reach()).sessions({ all: all === true })
  const words = wordsIn(vocabulary, listedOf(sessions, local === true), now)
  if (json) out.json(words)
  else out.lines(words.map(({ id, word, name }) => `${id}  ${(word ?? '-').padEnd(18)}  ${name}`))
}
