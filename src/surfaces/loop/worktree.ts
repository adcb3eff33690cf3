import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Item, Worktree } from '../../core/loop/run.ts'
import { exclude, makeContained, whyNotOwn } from './contained.ts'
import { git } from './git.ts'
import { BRANCHES, isOurs, type Repository, repositoryAt, treesFolderOf } from './repository.ts'
import { slugOf } from './slug.ts'

export type Made =
  /** `again`: the item was worked on before. `from`: the folder that was copied. */
  | { readonly worktree: Worktree; readonly again: boolean; readonly from: string }
  /** Why there is none: the agent works in the folder itself. */
  | { readonly none: string }
  | { readonly error: string }

/** A branch and a folder for one item, from what is checked out in the caller's folder. */
export async function makeWorktree(item: Item, cwd: string): Promise<Made> {
  const repository = await repositoryAt(cwd)
  if ('none' in repository) return repository
  const base = await baseOf(repository)
  if (!base) return { none: `${repository.main}: the repository has no commit yet to branch from` }
  const branch = BRANCHES + slugOf(item)
  const tree = repository.trees.find((one) => one.branch === branch)
  if (tree && existsSync(tree.path)) {
    const whyNot = tree.path === repository.main ? undefined : whyNotOurs(repository, tree.path)
    if (whyNot !== undefined) return { error: whyNot }
    const baseRef = (await noted(repository, branch, 'vigilBase')) ?? base.ref
    return { worktree: { path: tree.path, branch, baseRef }, again: true, from: base.from }
  }
  const path = freePath(join(treesFolderOf(repository), branch.slice(BRANCHES.length)))
  try {
    makeContained(repository.main, path)
    exclude(repository)
  } catch (error) {
    return { error: (error as Error).message }
  }
  return add(repository, branch, base, path)
}

/** Git may know the branch in a working tree at a path that the repository chose. */
function whyNotOurs(repository: Repository, path: string): string | undefined {
  if (isOurs(repository, path)) return whyNotOwn(repository, path)
  const place = treesFolderOf(repository)
  return `${path}, the item’s former worktree, is not in ${place}: move it there`
}

interface Base {
  readonly ref: string
  readonly commit: string
  readonly from: string
}

/** An agent that works in one item's worktree must not build the next item on it. */
async function baseOf(repository: Repository): Promise<Base | undefined> {
  const from = isOurs(repository, repository.here) ? repository.main : repository.here
  const commit = await git(from, 'rev-parse', '--verify', '--quiet', 'HEAD^{commit}')
  if (!commit.ok) return undefined
  const name = await git(from, 'symbolic-ref', '--quiet', '--short', 'HEAD')
  return { ref: name.ok ? name.out : commit.out, commit: commit.out, from }
}

/** SPEC PF6. The files come last, after a check that git made the worktree at the right place. */
async function add(
  repository: Repository,
  branch: string,
  base: Base,
  path: string,
): Promise<Made> {
  const there = await git(repository.main, 'rev-parse', '--verify', '--quiet', `${branch}^{commit}`)
  // Forced only if git still lists the branch in a folder that is gone.
  const args = there.ok
    ? ['--force', path, branch]
    : ['--no-track', '-b', branch, path, base.commit]
  const added = await git(repository.main, 'worktree', 'add', '--no-checkout', ...args)
  if (!added.ok) return { error: added.why }
  const whyNot = whyNotOurs(repository, path)
  if (whyNot !== undefined) return { error: whyNot }
  const filled = await git(path, 'reset', '--hard', '--quiet', '--no-recurse-submodules')
  if (!filled.ok) return { error: filled.why }
  if (there.ok) {
    const baseRef = (await noted(repository, branch, 'vigilBase')) ?? base.ref
    return { worktree: { path, branch, baseRef }, again: true, from: base.from }
  }
  // Stored with the branch and removed with it, because the merge is checked when no loop is left.
  await git(repository.main, 'config', `branch.${branch}.vigilBase`, base.ref)
  await git(repository.main, 'config', `branch.${branch}.vigilStart`, base.commit)
  return { worktree: { path, branch, baseRef: base.ref }, again: false, from: base.from }
}

/** SPEC LP90. The loop that works in it, or did last. */
export async function noteLoop({ path, branch }: Worktree, loop: string): Promise<void> {
  await git(path, 'config', `branch.${branch}.vigilLoop`, loop)
}

/** What was stored with a branch when it was made. */
export async function noted(
  { main }: Pick<Repository, 'main'>,
  branch: string,
  what: 'vigilBase' | 'vigilStart' | 'vigilLoop',
): Promise<string | undefined> {
  const { ok, out } = await git(main, 'config', '--get', `branch.${branch}.${what}`)
  return ok && out !== '' ? out : undefined
}

/** Uses only a path that is free or an empty folder; a link is refused later. */
function freePath(wanted: string): string {
  const paths = [wanted, ...Array.from({ length: 98 }, (_, n) => `${wanted}-${n + 2}`)]
  const isFree = (path: string) => {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (!stats || stats.isSymbolicLink()) return true
    return stats.isDirectory() && readdirSync(path).length === 0
  }
  return paths.find(isFree) ?? wanted
}
