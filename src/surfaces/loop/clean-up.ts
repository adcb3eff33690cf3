import { existsSync } from 'node:fs'
import { sep } from 'node:path'
import { realPath } from '../../home/plain-file.ts'
import { whyNotOwn } from './contained.ts'
import { git, gitIn } from './git.ts'
import { BRANCHES, isOurs, type Repository, repositoryAt } from './repository.ts'
import { noted } from './worktree.ts'

export interface Cleaned {
  readonly path: string
  readonly branch: string
  readonly removed: boolean
  readonly why: string
}

export interface CleanUpOptions {
  /** Folders that a loop or a session works in: their worktrees stay, without a message. */
  readonly inUse: readonly string[]
  /** Also removes worktrees without commits. */
  readonly unused: boolean
  /** Only this worktree. */
  readonly only?: string
  /** SPEC LP90. Only the worktrees of this loop. */
  readonly loop?: string
}

/**
 * Removes each of vigil's worktrees, with its branch, that is merged and has no uncommitted
 * changes. Files that git ignores are removed too, as `git worktree remove` does.
 */
export async function cleanUp(
  cwd: string,
  { inUse, unused, only, loop }: CleanUpOptions,
): Promise<readonly Cleaned[]> {
  const repository = await repositoryAt(cwd)
  if ('none' in repository) return []
  const used = inUse.map(realPath)
  const cleaned: Cleaned[] = []
  for (const { path, branch } of repository.trees) {
    if (only !== undefined && path !== only) continue
    if (!branch?.startsWith(BRANCHES) || !isOurs(repository, path) || !existsSync(path)) continue
    // SPEC PF6. A link there leads to a folder that is not vigil's.
    if (whyNotOwn(repository, path) !== undefined) continue
    if (used.some((folder) => `${folder}${sep}`.startsWith(`${path}${sep}`))) continue
    if (loop !== undefined && (await noted(repository, branch, 'vigilLoop')) !== loop) continue
    const fate = await fateOf(repository, path, branch, unused)
    const undone = 'tip' in fate ? await remove(repository, path, branch, fate.tip) : undefined
    const removed = 'tip' in fate && undefined === undone
    cleaned.push({ path, branch, removed, why: undone ?? fate.why })
  }
  return cleaned
}

type Fate =
  | { readonly tip: string; readonly why: string }
  | { readonly keep: true; readonly why: string }

async function fateOf(
  repository: Repository,
  path: string,
  branch: string,
  unused: boolean,
): Promise<Fate> {
  const { main } = repository
  const keep = (why: string): Fate => ({ keep: true, why })
  // In a submodule git would start itself again without these settings; `worktree remove` refuses a
  // working tree with submodules.
  const dirty = ['--untracked-files=all', '--ignore-submodules=dirty']
  const status = await git(path, 'status', '--porcelain', ...dirty)
  if (!status.ok) return keep(status.why)
  if (status.out !== '') return keep('it holds uncommitted changes')
  const tip = await git(main, 'rev-parse', '--verify', '--quiet', `refs/heads/${branch}^{commit}`)
  if (!tip.ok) return keep('its branch is gone')
  if (tip.out === (await noted(repository, branch, 'vigilStart')))
    return unused ? { tip: tip.out, why: 'nothing was committed in it' } : keep(NOTHING_YET)
  const base = await noted(repository, branch, 'vigilBase')
  if (base === undefined) return keep('its base branch is unknown')
  // A pull request is merged on the server before its base is pulled.
  for (const into of [base, `${base}@{upstream}`])
    if (await isMerged(main, tip.out, into)) return { tip: tip.out, why: `merged into ${base}` }
  return keep(`not merged into ${base}`)
}

const NOTHING_YET = 'nothing was committed in it yet'

/** Its commits are there, or merging them would change nothing. */
async function isMerged(main: string, tip: string, into: string): Promise<boolean> {
  const base = await git(main, 'rev-parse', '--verify', '--quiet', `${into}^{commit}`)
  if (!base.ok) return false
  if ((await git(main, 'merge-base', '--is-ancestor', tip, base.out)).ok) return true
  const merged = await git(main, 'merge-tree', '--write-tree', base.out, tip)
  // git before 2.38 cannot merge like this; equal files are still recognised.
  if (!merged.ok) return (await git(main, 'diff', ...PLAIN_DIFF, base.out, tip)).ok
  const tree = await git(main, 'rev-parse', `${base.out}^{tree}`)
  return tree.ok && merged.out.split('\n')[0] === tree.out
}

const PLAIN_DIFF = ['--quiet', '--no-ext-diff', '--no-textconv']

/**
 * Returns why not. A worktree that changed since the first look stays: git checks again, and so
 * does vigil.
 */
async function remove(
  repository: Repository,
  path: string,
  branch: string,
  tip: string,
): Promise<string | undefined> {
  const { main } = repository
  const whyNot = whyNotOwn(repository, path)
  if (whyNot !== undefined) return whyNot
  const removed = await gitIn([main, path], 'worktree', 'remove', path)
  if (!removed.ok) return removed.why
  const gone = await git(main, 'update-ref', '-d', `refs/heads/${branch}`, tip)
  if (!gone.ok) return `its folder is removed, but its branch stays: ${gone.why}`
  await git(main, 'config', '--remove-section', `branch.${branch}`)
  return undefined
}
