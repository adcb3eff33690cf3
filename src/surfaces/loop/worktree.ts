import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Item, Worktree } from '../../core/loop/run.ts'
import { exclude, makeContained, whyNotOwn } from './contained.ts'
import { git } from './git.ts'
import { BRANCHES, isOurs, type Repository, repositoryAt, treesFolderOf } from './repository.ts'
import { slugOf } from './slug.ts'

export type Made =
  /** `again`: the item was worked on before. `from`: the folder that it is another copy of. */
  | { readonly worktree: Worktree; readonly again: boolean; readonly from: string }
  /** Why there can be none: the work is done in the folder itself. */
  | { readonly none: string }
  | { readonly error: string }

/** A branch and a folder of its own for one item, from what is checked out where it is asked. */
export async function makeWorktree(item: Item, cwd: string): Promise<Made> {
  const repository = await repositoryAt(cwd)
  if ('none' in repository) return repository
  const base = await baseOf(repository)
  if (!base) return { none: `${repository.main}: no commit yet to branch from` }
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

/** Git knows the branch in a working tree that a repository may have named as it likes. */
function whyNotOurs(repository: Repository, path: string): string | undefined {
  if (isOurs(repository, path)) return whyNotOwn(repository, path)
  const place = treesFolderOf(repository)
  return `${path}, where the item was worked on, is not in ${place}: move it there`
}

interface Base {
  readonly ref: string
  readonly commit: string
  readonly from: string
}

/** An agent that has gone into one item's worktree must not build the next item on it. */
async function baseOf(repository: Repository): Promise<Base | undefined> {
  const from = isOurs(repository, repository.here) ? repository.main : repository.here
  const commit = await git(from, 'rev-parse', '--verify', '--quiet', 'HEAD^{commit}')
  if (!commit.ok) return undefined
  const name = await git(from, 'symbolic-ref', '--quiet', '--short', 'HEAD')
  return { ref: name.ok ? name.out : commit.out, commit: commit.out, from }
}

/** SPEC PF6. Its files come last: first it is seen that git made it where it was to be. */
async function add(
  repository: Repository,
  branch: string,
  base: Base,
  path: string,
): Promise<Made> {
  const there = await git(repository.main, 'rev-parse', '--verify', '--quiet', `${branch}^{commit}`)
  // Forced only where git still knows the branch in a folder that is gone.
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
  // Kept with the branch, and gone with it: whether it was merged is asked when no loop is left.
  await git(repository.main, 'config', `branch.${branch}.vigilBase`, base.ref)
  await git(repository.main, 'config', `branch.${branch}.vigilStart`, base.commit)
  return { worktree: { path, branch, baseRef: base.ref }, again: false, from: base.from }
}

/** SPEC LP90. Whose it is: the loop that works in it, or did last. */
export async function noteLoop({ path, branch }: Worktree, loop: string): Promise<void> {
  await git(path, 'config', `branch.${branch}.vigilLoop`, loop)
}

/** What was noted of a branch when it was made. */
export async function noted(
  { main }: Pick<Repository, 'main'>,
  branch: string,
  what: 'vigilBase' | 'vigilStart' | 'vigilLoop',
): Promise<string | undefined> {
  const { ok, out } = await git(main, 'config', '--get', `branch.${branch}.${what}`)
  return ok && out !== '' ? out : undefined
}

/** What stands there already is not taken, but an empty folder; a link is refused later. */
function freePath(wanted: string): string {
  const paths = [wanted, ...Array.from({ length: 98 }, (_, n) => `${wanted}-${n + 2}`)]
  const isFree = (path: string) => {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (!stats || stats.isSymbolicLink()) return true
    return stats.isDirectory() && readdirSync(path).length === 0
  }
  return paths.find(isFree) ?? wanted
}
