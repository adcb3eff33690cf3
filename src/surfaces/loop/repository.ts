import { lstatSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { git } from './git.ts'

/** A repository as far as worktrees need it. */
export interface Repository {
  /** The folder the repository is at home in; a bare one has none, then the one asked from. */
  readonly main: string
  /** The folder asked from belongs to this working tree. */
  readonly here: string
  /** Where git keeps what all working trees share. */
  readonly common: string
  readonly trees: readonly Tree[]
}

/** A working tree as `git worktree list` tells it. */
interface Tree {
  readonly path: string
  readonly branch: string | undefined
  readonly bare: boolean
}

export const BRANCHES = 'vigil/'

/** Within the repository, so that an agent that may write there may write in them. */
export function treesFolderOf({ main }: Pick<Repository, 'main'>): string {
  return join(main, '.vigil', 'worktrees')
}

export function isOurs(repository: Pick<Repository, 'main'>, path: string): boolean {
  return path.startsWith(`${treesFolderOf(repository)}${sep}`)
}

/** Nothing where there is no repository, or only a bare one. */
export async function repositoryAt(cwd: string): Promise<Repository | { readonly none: string }> {
  const paths = await git(cwd, 'rev-parse', '--show-toplevel', '--git-common-dir')
  const [here, common] = paths.out.split('\n')
  if (!paths.ok || !here || !common) {
    const missing = paths.why.includes('no such command')
    return { none: missing ? 'git is not in PATH' : `${cwd} is in no git working tree` }
  }
  const listed = await git(here, 'worktree', 'list', '--porcelain')
  if (!listed.ok) return { none: listed.why }
  const trees = treesIn(listed.out)
  const [first] = trees
  const main = first && !first.bare ? first.path : here
  return { main, here, common: resolve(cwd, common), trees }
}

/** Blocks of lines: `worktree /path`, `branch refs/heads/x`, `bare`. */
function treesIn(text: string): readonly Tree[] {
  return text.split('\n\n').flatMap((block) => {
    const lines = block.split('\n')
    const given = (key: string) =>
      lines.find((line) => line.startsWith(`${key} `))?.slice(key.length + 1)
    const path = given('worktree')
    if (path === undefined) return []
    const branch = given('branch')?.replace(/^refs\/heads\//, '')
    return { path, branch, bare: lines.includes('bare') }
  })
}

/** Whoever made the repository may have put a link there, to have us write elsewhere. */
export function linkIn(repository: Pick<Repository, 'main'>): string | undefined {
  const folders = [join(repository.main, '.vigil'), treesFolderOf(repository)]
  return folders.find((path) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
}
