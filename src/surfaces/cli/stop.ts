import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { holdHooksOff } from '../../home/daemon-files.ts'
import { foldersOf } from '../../home/folders.ts'
import { isThere } from '../../platform/is-there.ts'
import { processTable } from '../../platform/process-table.ts'
import { BadInput } from './bad-input.ts'
import { out } from './output.ts'
import { reachIfRunning } from './reach.ts'

export function addStop(program: Command): void {
  program
    .command('stop')
    .description('end the daemon; hooks go on writing, and the next daemon takes it up')
    .option('--release', 'also give up the page’s address, which signs its browsers out')
    .addHelpText('after', STOP_HELP)
    .action(stop)
}

const STOP_HELP = `
For half a minute no hook starts another; after that the next event of a session that has hooks
does, and so does any command. \`vigil uninstall\` takes the hooks out.

While browsers are signed in, a process of 1 MB stays and holds the page’s address, so that no other
user of this machine can take it; the next daemon has it again, and they stay signed in.`

const STOP_MAX_MS = 10_000

async function stop({ release }: { readonly release?: boolean }): Promise<void> {
  const folders = foldersOf()
  const client = await reachIfRunning(folders)
  if (client) {
    const { pid } = await client.health()
    holdHooksOff(folders)
    await client.stop('vigil stop')
    await ended(pid)
    out.line(`stopped (pid ${pid})`)
  } else out.line('no daemon runs')
  const { endHolder, holderOf } = await import('../../client/holder.ts')
  if (release) return out.line(endHolder(folders) ? RELEASED : NOT_HELD)
  if (holderOf(folders)) out.line(HELD)
}

const RELEASED = 'the page’s address is given up; browsers have to sign in again (vigil open)'
const NOT_HELD = 'no address was held'
const HELD =
  'the page’s address stays reserved for signed-in browsers; vigil stop --release gives it up'

async function ended(pid: number): Promise<void> {
  for (const giveUpAt = Date.now() + STOP_MAX_MS; Date.now() < giveUpAt; await sleep(20))
    if (hasEnded(pid)) return
  throw new BadInput(`the daemon (pid ${pid}) does not end; kill ${pid} if it must`, 1)
}

/** SPEC CM27. A container without an init leaves an ended process as a zombie. */
function hasEnded(pid: number): boolean {
  return !isThere(pid) || processTable().glance(pid)?.zombie === true
}
