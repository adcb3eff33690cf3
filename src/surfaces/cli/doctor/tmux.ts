import { execFile } from 'node:child_process'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type CheckFinding, finding } from '../../../agents/finding.ts'
import { fileNames } from '../../../home/plain-file.ts'
import { pathTo } from '../../../platform/programs.ts'
import { serverAt } from '../../../tmux/tmux.ts'
import type { CheckContext } from './context.ts'

const run = promisify(execFile)
const ANSWER_MAX_MS = 3_000

/** Checks tmux and its servers, because vigil finds and shows sessions by their panes. */
export async function checkTmux(context: CheckContext): Promise<CheckFinding[]> {
  const version = await said(context, ['-V'])
  if (version === undefined) return [finding.ok('tmux', 'not installed; needed for panes only')]
  const used = await usedSockets(context)
  const sockets = [...new Set([...socketsIn(context.env), ...used])]
  const reachable: string[] = []
  for (const socket of sockets)
    if ((await said(context, [...serverAt(socket), 'list-sessions'])) !== undefined)
      reachable.push(socket)
  // An agent may have ended meanwhile, and its server with it.
  const stillUsed = await usedSockets(context)
  const count = reachable.length === 1 ? '1 server' : `${reachable.length} servers`
  const figures = { version, reachable }
  return [
    finding.ok('tmux', `${version.trim()}, ${count} running`, { figures }),
    ...used
      .filter((socket) => !reachable.includes(socket) && stillUsed.includes(socket))
      .map((socket) =>
        finding.warning(
          'tmux',
          `the server at ${socket}, where vigil has seen sessions, does not answer`,
          'if it is running, check that your user may use its socket',
        ),
      ),
  ]
}

/** Servers of this machine with open sessions. */
async function usedSockets({ daemon }: CheckContext): Promise<string[]> {
  const listing = await daemon?.client.sessions().catch(() => undefined)
  const open = listing?.sessions.filter(({ own, state }) => own && state !== 'closed') ?? []
  return [...new Set(open.flatMap(({ tmuxSocket }) => tmuxSocket ?? []))]
}

/** Where tmux puts the sockets of its servers. */
function socketsIn({ TMUX_TMPDIR }: CheckContext['env']): string[] {
  const folder = join(TMUX_TMPDIR || '/tmp', `tmux-${userInfo().uid}`)
  return fileNames(folder).map((name) => join(folder, name))
}

async function said({ env }: CheckContext, args: readonly string[]): Promise<string | undefined> {
  try {
    const { TMUX: _inside, ...rest } = env
    return (await run(pathTo('tmux', env), args, { timeout: ANSWER_MAX_MS, env: rest })).stdout
  } catch {
    return undefined
  }
}
