import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Item, Worktree } from '../../core/loop/run.ts'
import { git } from './git.ts'
import {
  BRANCHES,
  isOurs,
  linkIn,
  type Repository,
  repositoryAt,
  treesFolderOf,
} from './repository.ts'
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
  const link = linkIn(repository)
  if (link) return { error: `${link} is a link: vigil makes no worktree behind it` }
  const base = await baseOf(repository)
  if (!base) return { none: `${repository.main}: no commit yet to branch from` }
  const branch = BRANCHES + slugOf(item)
  const tree = repository.trees.find((one) => one.branch === branch)
  if (tree && existsSync(tree.path)) {
    const baseRef = (await noted(repository, branch, 'vigilBase')) ?? base.ref
    return { worktree: { path: tree.path, branch, baseRef }, again: true, from: base.from }
  }
  exclude(repository)
  return add(repository, branch, base)
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

async function add(repository: Repository, branch: string, base: Base): Promise<Made> {
  const path = freePath(join(treesFolderOf(repository), branch.slice(BRANCHES.length)))
  const there = await git(repository.main, 'rev-parse', '--verify', '--quiet', `${branch}^{commit}`)
  // Forced only where git still knows the branch in a folder that is gone.
  const args = there.ok
    ? ['--force', path, branch]
    : ['--no-track', '-b', branch, path, base.commit]
  const added = await git(repository.main, 'worktree', 'add', ...args)
  if (!added.ok) return { error: added.why }
  if (there.ok) {
    const baseRef = (await noted(repository, branch, 'vigilBase')) ?? base.ref
    return { worktree: { path, branch, baseRef }, again: true, from: base.from }
  }
  // Kept with the branch, and gone with it: whether it was merged is asked when no loop is left.
  await git(repository.main, 'config', `branch.${branch}.vigilBase`, base.ref)
  await git(repository.main, 'config', `branch.${branch}.vigilStart`, base.commit)
  return { worktree: { path, branch, baseRef: base.ref }, again: false, from: base.from }
}

/** What was noted of a branch when it was made. */
export async function noted(
  { main }: Pick<Repository, 'main'>,
  branch: string,
  what: 'vigilBase' | 'vigilStart',
): Promise<string | undefined> {
  const { ok, out } = await git(main, 'config', '--get', `branch.${branch}.${what}`)
  return ok && out !== '' ? out : undefined
}

function freePath(wanted: string): string {
  const paths = [wanted, ...Array.from({ length: 98 }, (_, n) => `${wanted}-${n + 2}`)]
  const isFree = (path: string) => !existsSync(path) || readdirSync(path).length === 0
  return paths.find(isFree) ?? wanted
}

/** The worktrees are no change of the repository they stand in, and no file of it says so. */
function exclude({ common }: Repository): void {
  const folder = join(common, 'info')
  const path = join(folder, 'exclude')
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  if (/^\/?\.vigil\/?$/m.test(text)) return
  mkdirSync(folder, { recursive: true })
  appendFileSync(path, `${text === '' || text.endsWith('\n') ? '' : '\n'}/.vigil/\n`)
}
