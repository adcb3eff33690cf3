import type { Client } from '../../client/client.ts'
import { keyOf } from '../../protocol/address.ts'
import type { LoopView } from '../../protocol/loop.ts'
import type { Session } from '../../protocol/session.ts'
import { plain } from '../../view/session.ts'
import { type Cleaned, cleanUp } from '../loop/clean-up.ts'
import { sessionKeyOf } from './loop-which.ts'

/** Each folder costs a few calls of git. */
const FOLDERS_MAX = 20

/**
 * Removes merged worktrees in the folders of these loops, and reports on all of them. `loop`: only
 * the worktrees of this loop.
 */
export async function cleanUpAfter(
  client: Client,
  sessions: readonly Session[],
  loops: readonly LoopView[],
  { unused = false, loop }: { readonly unused?: boolean; readonly loop?: string } = {},
): Promise<readonly string[]> {
  // SPEC FL201. A folder of another machine's session may be one of this machine, too.
  const keys = new Set(loops.map(sessionKeyOf))
  const mine = sessions.filter((session) => session.own && keys.has(keyOf(session)))
  const folders = mine.flatMap(({ cwd }) => cwd ?? [])
  if (folders.length === 0) return []
  const { loops: open } = await client.loops({ all: false })
  const inUse = [
    ...open.flatMap(({ frames }) => frames.flatMap(({ worktree }) => worktree?.path ?? [])),
    ...sessions.flatMap(({ state, cwd }) => (state !== 'closed' && cwd !== null ? [cwd] : [])),
  ]
  const cleaned: Cleaned[] = []
  for (const folder of [...new Set(folders)].slice(0, FOLDERS_MAX))
    cleaned.push(...(await cleanUp(folder, { inUse, unused, ...(loop !== undefined && { loop }) })))
  const once = cleaned.filter(
    ({ path }, at) => cleaned.findIndex((other) => other.path === path) === at,
  )
  return once.length === 0 ? [] : ['', ...once.map(lineOf)]
}

function lineOf({ path, branch, removed, why }: Cleaned): string {
  const what = removed ? 'worktree and branch removed' : 'worktree kept'
  return `${what}: ${plain(path, 120)} (${branch}): ${plain(why, 200)}`
}
