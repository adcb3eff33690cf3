import { realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { readRegular } from '../../home/regular-file.ts'
import { git } from './git.ts'

/** What worktrees need to know about a repository. */
export interface Repository {
  /** The main folder of the repository; for a bare one the folder of the caller. */
  readonly main: string
  /** The working tree of the caller's folder. */
  readonly here: string
  /** Where git keeps what all working trees share. */
  readonly common: string
  readonly trees: readonly Tree[]
}

/** An entry of `git worktree list`. */
interface Tree {
  readonly path: string
  readonly branch: string | undefined
  readonly bare: boolean
}

export const BRANCHES = 'vigil/'

/** Within the repository, so that an agent that may write there may write to the worktrees. */
export function treesFolderOf({ main }: Pick<Repository, 'main'>): string {
  return join(main, '.vigil', 'worktrees')
}

export function isOurs(repository: Pick<Repository, 'main'>, path: string): boolean {
  return dirname(path) === treesFolderOf(repository)
}

/** Undefined if there is no repository, or only a bare one. */
export async function repositoryAt(cwd: string): Promise<Repository | { readonly none: string }> {
  const paths = await git(cwd, 'rev-parse', '--show-toplevel', '--git-common-dir')
  const [here, common] = paths.out.split('\n')
  if (!paths.ok || !here || !common) {
    const missing = paths.why.includes('no such command')
    if (missing) return { none: 'git is not in PATH' }
    const isNone = paths.ok || paths.exitCode === 128
    return { none: isNone ? `${cwd} is not in a git working tree` : paths.why }
  }
  const listed = await git(here, 'worktree', 'list', '--porcelain')
  if (!listed.ok) return { none: listed.why }
  const trees = treesIn(listed.out)
  const [first] = trees
  const main = first && !first.bare ? first.path : here
  return checked({ main, here, common: resolve(cwd, common), trees })
}

/**
 * SPEC PF6. Resolves and checks the paths: a repository's settings may name any folder of the user
 * as its working tree (`core.worktree`).
 */
function checked(repository: Repository): Repository | { readonly none: string } {
  try {
    const [main, here, common] = [repository.main, repository.here, repository.common].map((path) =>
      realpathSync(path),
    ) as [string, string, string]
    for (const tree of new Set([main, here]))
      if (!belongs(gitFolderOf(tree), common))
        return {
          none: `${tree}: its .git does not point to ${common}; vigil makes no worktree here`,
        }
    return { ...repository, main, here, common }
  } catch (error) {
    return { none: (error as Error).message }
  }
}

function belongs(folder: string, common: string): boolean {
  return folder === common || dirname(folder) === join(common, 'worktrees')
}

/** One line with a path. */
const GIT_FILE_MAX_BYTES = 64 * 1024

/** In a linked working tree and in a submodule `.git` is a file that names the folder. */
function gitFolderOf(tree: string): string {
  const path = join(tree, '.git')
  if (statSync(path).isDirectory()) return realpathSync(path)
  const text = readRegular(path, GIT_FILE_MAX_BYTES).toString()
  const [, named] = /^gitdir: (.+)$/m.exec(text) ?? []
  return realpathSync(resolve(tree, named ?? ''))
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
