import type { Command } from 'commander'
import { foldersOf } from '../../home/folders.ts'
import { out } from './output.ts'
import { fleetWords, shortLine } from './statusline-line.ts'
import { passThrough, readAll } from './statusline-pass.ts'
import { spoolStatusline } from './statusline-spool.ts'

export function addStatusline(program: Command): void {
  program
    .command('statusline')
    .description('Claude Code’s status line: tells vigil, then lets your own command speak')
    .argument('[command...]', 'your own status line, after --')
    .addHelpText('after', HELP)
    .action((command: string[]) => statusline(command))
}

const HELP = `
Examples, in settings.json:
  "statusLine": { "type": "command", "command": "vigil statusline" }
  "statusLine": { "type": "command", "command": "vigil statusline -- my-status --short" }

Your command gets what the client gives, and its output, errors and exit code are passed on as they
are. Without one: model, context used, and what the other sessions do, if the daemon runs. It never
starts the daemon and never fails.

vigil install --statusline does the same around the status line you have, without starting Node
each time.`

async function statusline([program, ...args]: readonly string[]): Promise<void> {
  const folders = foldersOf()
  const fleet = program === undefined ? fleetWords(folders) : ''
  const payload = await readAll(process.stdin)
  spoolStatusline(folders.spool, payload, process.env)
  if (program !== undefined) {
    await passThrough(program, args, payload)
    return
  }
  const line = shortLine(payload, await fleet)
  out.lines([line], () => process.exit(0))
}
