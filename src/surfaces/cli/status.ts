import type { Command } from 'commander'
import { NO_SESSIONS } from './no-sessions.ts'
import { out } from './output.ts'
import { reach } from './reach.ts'
import { drawFleet } from './session-table.ts'

interface Options {
  readonly json?: boolean | undefined
  readonly all?: boolean | undefined
  readonly vocabulary?: string
}

const VOCABULARIES = ['plates', 'notify-tmux', 'claude-state', 'claude-rpg']

export function addStatus(program: Command): void {
  program
    .command('status')
    .description('list every session on this machine and what it is doing, the most urgent first')
    .option('--json', 'print an array with one object for each session')
    .option('--all', 'also list closed sessions, including old and imported ones')
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

export async function printStatus({ json, all, vocabulary }: Options): Promise<void> {
  if (vocabulary !== undefined) return spoken(vocabulary, { json, all })
  const client = await reach()
  const { sessions, now } = await client.sessions({ all: all === true })
  if (json) {
    out.json(sessions)
    return
  }
  const lines = sessions.length > 0 ? [] : NO_SESSIONS
  const fleet = drawFleet(sessions, now, out.width, out.paint, { all: all === true })
  out.lines([...fleet, ...lines])
}

/** SPEC CM15. For scripts that were written for another program's words. */
async function spoken(vocabulary: string, { json, all }: Options): Promise<void> {
  const { wordsIn } = await import('./status-words.ts')
  const { sessions, now } = await (await reach()).sessions({ all: all === true })
  const words = wordsIn(vocabulary, sessions, now)
  if (json) out.json(words)
  else out.lines(words.map(({ id, word, name }) => `${id}  ${(word ?? '-').padEnd(18)}  ${name}`))
}
