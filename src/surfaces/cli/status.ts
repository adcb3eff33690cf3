import type { Command } from 'commander'
import { drawFleet } from './fleet.ts'
import { NOBODY } from './nobody.ts'
import { out } from './output.ts'
import { reach } from './reach.ts'

interface Options {
  readonly json?: boolean
  readonly all?: boolean
}

/** Where there is no terminal to measure. */
export const COLUMNS_DEFAULT = 100

export function addStatus(program: Command): void {
  program
    .command('status')
    .description('every session on this machine and what it is doing, the neediest first')
    .option('--json', 'an array with one object for each session')
    .option('--all', 'those that ended long ago and imported ones, too')
    .addHelpText('after', HELP)
    .action((options: Options) => status(options))
}

const HELP = `
Examples:
  vigil status
  vigil status --json | jq -r '.[] | select(.state == "waiting") | .cwd'

* marks what has not been looked at since it began to need you. Closed sessions are shown for half
an hour.`

export async function status({ json, all }: Options): Promise<void> {
  const client = await reach()
  const { sessions, now } = await client.sessions({ all: all === true })
  if (json) {
    out.json(sessions)
    return
  }
  const columns = out.columns ?? COLUMNS_DEFAULT
  const lines = sessions.length > 0 ? [] : NOBODY
  const fleet = drawFleet(sessions, now, columns, out.paint)
  out.lines([...fleet, ...lines])
}
