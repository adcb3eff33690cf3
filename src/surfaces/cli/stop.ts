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
    .description('stop the daemon; hooks keep writing reports, and the next daemon reads them')
    .option('--release', 'also free the page’s port, which signs out its browsers')
    .addHelpText('after', STOP_HELP)
    .action(stop)
}

const STOP_HELP = `
For 30 seconds hooks do not start the daemon again; after that the next event of a session with
hooks does, and so does any command. \`vigil uninstall\` removes the hooks.

While browsers are signed in, a small process (1 MB) keeps the page’s port, so that no other user of
this machine can take it. The next daemon uses it again, and the browsers stay signed in.`

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
  } else out.line('no daemon is running')
  const { endHolder, holderOf } = await import('../../client/holder.ts')
  if (release) return out.line(endHolder(folders) ? RELEASED : NOT_HELD)
  if (holderOf(folders)) out.line(HELD)
}

const RELEASED = 'the page’s port is free again; browsers have to sign in again (vigil open)'
const NOT_HELD = 'no port was reserved'
const HELD =
  'the page’s port stays reserved for signed-in browsers; `vigil stop --release` frees it'

async function ended(pid: number): Promise<void> {
  for (const giveUpAt = Date.now() + STOP_MAX_MS; Date.now() < giveUpAt; await sleep(20))
    if (hasEnded(pid)) return
  throw new BadInput(`the daemon (pid ${pid}) does not stop; end it with \`kill ${pid}\``, 1)
}

/** SPEC CM27. A container without an init leaves an ended process as a zombie. */
function hasEnded(pid: number): boolean {
  return !isThere(pid) || processTable().glance(pid)?.zombie === true
}
