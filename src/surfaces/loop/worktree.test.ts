import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { cleanUp } from './clean-up.ts'
import { slugOf } from './slug.ts'
import { makeWorktree } from './worktree.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'vigil-worktree-')))
afterAll(() => rmSync(folder, { recursive: true, maxRetries: 10 }))

let repo = ''
let count = 0

function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8', stdio: 'pipe' }).trim()
}

function commit(cwd: string, name: string, text = name): void {
  writeFileSync(join(cwd, name), text)
  git(cwd, 'add', '.')
  git(cwd, 'commit', '-q', '-m', `adds ${name}`)
}

beforeEach(() => {
  vi.unstubAllEnvs()
  vi.stubEnv('GIT_CONFIG_GLOBAL', '/dev/null')
  for (const who of ['AUTHOR', 'COMMITTER']) {
    vi.stubEnv(`GIT_${who}_NAME`, 'Ada')
    vi.stubEnv(`GIT_${who}_EMAIL`, 'ada@example.org')
  }
  repo = join(folder, `repo ${++count}`)
  mkdirSync(repo)
  git(repo, 'init', '-q', '-b', 'trunk')
  commit(repo, 'first')
})

const item = { id: '12', title: 'Fix the parser' }
const none = { inUse: [], unused: false }

async function made(cwd = repo, of = item) {
  const result = await makeWorktree(of, cwd)
  if (!('worktree' in result)) throw new Error(JSON.stringify(result))
  return result
}

describe('[LP55] a worktree', () => {
  it('is a branch and a folder within the repository, which shows no change by it', async () => {
    const { worktree, again } = await made()
    const path = join(repo, '.vigil/worktrees/12-fix-the-parser')
    expect(worktree).toEqual({ path, branch: 'vigil/12-fix-the-parser', baseRef: 'trunk' })
    expect(again).toBe(false)
    expect(git(path, 'symbolic-ref', '--short', 'HEAD')).toBe('vigil/12-fix-the-parser')
    expect(existsSync(join(path, 'first'))).toBe(true)
    expect(git(repo, 'status', '--porcelain')).toBe('')
    await made(repo, { id: '13', title: 'x' })
    const excluded = readFileSync(join(repo, '.git/info/exclude'), 'utf8')
    expect(excluded.match(/\.vigil/g)).toHaveLength(1)
  })

  it('is the same when the item is taken up again, whatever has become of its folder', async () => {
    const { worktree } = await made()
    commit(worktree.path, 'second')
    git(repo, 'checkout', '-q', '-b', 'other')
    expect(await made()).toMatchObject({ worktree, again: true })
    rmSync(worktree.path, { recursive: true })
    expect(await made()).toMatchObject({ worktree, again: true })
    expect(existsSync(join(worktree.path, 'second'))).toBe(true)
    git(repo, 'worktree', 'remove', worktree.path)
    expect(await made()).toMatchObject({ worktree, again: true })
    expect(existsSync(join(worktree.path, 'second'))).toBe(true)
  })

  it('leaves alone what stands in its place', async () => {
    const taken = join(repo, '.vigil/worktrees/12-fix-the-parser')
    mkdirSync(taken, { recursive: true })
    writeFileSync(join(taken, 'mine'), 'x')
    expect((await made()).worktree.path).toBe(`${taken}-2`)
    expect(readFileSync(join(taken, 'mine'), 'utf8')).toBe('x')
  })

  it('comes from what is checked out where it is asked for', async () => {
    git(repo, 'checkout', '-q', '-b', 'topic')
    commit(repo, 'second')
    mkdirSync(join(repo, 'deep/down'), { recursive: true })
    const { worktree } = await made(join(repo, 'deep/down'))
    expect(worktree.baseRef).toBe('topic')
    expect(existsSync(join(worktree.path, 'second'))).toBe(true)
    const linked = join(folder, `linked ${count}`)
    git(repo, 'worktree', 'add', '-q', '-b', 'side', linked)
    const beside = await made(linked, { id: '13', title: 'x' })
    expect(beside.worktree.baseRef).toBe('side')
    expect(beside.worktree.path).toBe(join(repo, '.vigil/worktrees/13-x'))
  })

  it('is never built on another item’s, though the agent stands in that', async () => {
    const first = await made()
    commit(first.worktree.path, 'second')
    const { worktree } = await made(first.worktree.path, { id: '13', title: 'x' })
    expect(worktree.baseRef).toBe('trunk')
    expect(existsSync(join(worktree.path, 'second'))).toBe(false)
    expect(worktree.path).toBe(join(repo, '.vigil/worktrees/13-x'))
  })

  it('comes from a commit where no branch is checked out', async () => {
    git(repo, 'checkout', '-q', '--detach')
    expect((await made()).worktree.baseRef).toBe(git(repo, 'rev-parse', 'HEAD'))
  })

  it('is none where there is no repository, no commit, or no working tree', async () => {
    expect(await makeWorktree(item, folder)).toEqual({
      none: `${folder} is not in a git working tree`,
    })
    const empty = join(folder, `empty ${count}`)
    mkdirSync(empty)
    git(empty, 'init', '-q')
    expect(await makeWorktree(item, empty)).toMatchObject({ none: expect.stringMatching('commit') })
    const bare = join(folder, `bare ${count}.git`)
    git(folder, 'clone', '-q', '--bare', repo, bare)
    expect(await makeWorktree(item, bare)).toHaveProperty('none')
    vi.stubEnv('PATH', folder)
    expect(await makeWorktree(item, repo)).toEqual({ none: 'git is not in PATH' })
  })

  it('is not made behind a link that the repository brought along', async () => {
    symlinkSync(folder, join(repo, '.vigil'))
    expect(await makeWorktree(item, repo)).toMatchObject({
      error: expect.stringMatching('is a link'),
    })
    expect(existsSync(join(folder, 'worktrees'))).toBe(false)
  })

  it('is not misled by another repository in the environment', async () => {
    vi.stubEnv('GIT_DIR', join(folder, 'elsewhere'))
    expect((await made()).worktree.path.startsWith(repo)).toBe(true)
  })
})

describe('[LP56] the name of an item’s branch', () => {
  it.each([
    [{ id: '12', title: 'Fix the Parser!' }, '12-fix-the-parser'],
    [{ id: '3f2a9c', title: 'Überprüfe  façade' }, '3f2a9c-uberprufe-facade'],
    [{ id: '1', title: '../../etc/passwd; rm -rf ~ `x` $(y)' }, '1-etc-passwd-rm-rf-x-y'],
    [{ id: '1', title: '--force' }, '1-force'],
    [{ id: '1', title: '日本語' }, '1'],
    [{ id: '1', title: 'a'.repeat(300) }, `1-${'a'.repeat(40)}`],
    [{ id: '1', title: `${'a'.repeat(39)} b` }, `1-${'a'.repeat(39)}`],
  ])('of %o is %s', (of, slug) => {
    expect(slugOf(of)).toBe(slug)
  })

  it('is a name to git and a safe one, whatever the item is called', async () => {
    for (const id of [
      'a/b',
      'a b',
      '-',
      '..',
      'x.lock',
      '@{',
      '日本語',
      '\u001b[2J',
      'A'.repeat(99),
    ]) {
      const slug = slugOf({ id, title: id })
      expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
      expect(git(repo, 'check-ref-format', '--branch', `vigil/${slug}`)).toBe(`vigil/${slug}`)
    }
    expect(slugOf({ id: 'a/b', title: 'x' })).not.toBe(slugOf({ id: 'a b', title: 'x' }))
  })
})

describe('[LP57] cleaning up', () => {
  const branches = () => git(repo, 'branch', '--format=%(refname:short)').split('\n').toSorted()

  it('removes a merged worktree with its branch and what was noted of it', async () => {
    const { worktree } = await made()
    commit(worktree.path, 'second')
    expect(await cleanUp(repo, none)).toMatchObject([
      { removed: false, why: 'not merged into trunk' },
    ])
    git(repo, 'merge', '-q', '--no-ff', '-m', 'merges', worktree.branch)
    commit(repo, 'third')
    expect(await cleanUp(repo, none)).toEqual([
      { path: worktree.path, branch: worktree.branch, removed: true, why: 'merged into trunk' },
    ])
    expect(existsSync(worktree.path)).toBe(false)
    expect(branches()).toEqual(['trunk'])
    expect(readFileSync(join(repo, '.git/config'), 'utf8')).not.toContain('vigil')
    expect(await cleanUp(repo, none)).toEqual([])
  })

  it('knows a squashed merge, also when its base has gone on', async () => {
    const { worktree } = await made()
    commit(worktree.path, 'second')
    commit(worktree.path, 'third')
    git(repo, 'merge', '-q', '--squash', worktree.branch)
    git(repo, 'commit', '-q', '-m', 'squashed')
    commit(repo, 'fourth')
    expect(await cleanUp(repo, none)).toMatchObject([{ removed: true }])
  })

  it('knows what was merged where it was pushed to', async () => {
    const origin = join(folder, `origin ${count}.git`)
    git(folder, 'clone', '-q', '--bare', repo, origin)
    git(repo, 'remote', 'add', 'origin', origin)
    git(repo, 'fetch', '-q')
    git(repo, 'branch', '-q', '-u', 'origin/trunk')
    const { worktree } = await made()
    commit(worktree.path, 'second')
    git(repo, 'push', '-q', 'origin', `${worktree.branch}:trunk`)
    expect(await cleanUp(repo, none)).toMatchObject([{ removed: true }])
  })

  it.each([
    ['changes', (path: string) => writeFileSync(join(path, 'first'), 'changed')],
    ['new files', (path: string) => writeFileSync(join(path, 'new'), 'x')],
    [
      'staged files',
      (path: string) => {
        writeFileSync(join(path, 'new'), 'x')
        git(path, 'add', '.')
      },
    ],
  ])('keeps %s that are not committed, merged or not', async (_, change) => {
    const { worktree } = await made()
    commit(worktree.path, 'second')
    git(repo, 'merge', '-q', worktree.branch)
    change(worktree.path)
    const kept = [{ removed: false, why: 'it holds uncommitted changes' }]
    expect(await cleanUp(repo, { inUse: [], unused: true })).toMatchObject(kept)
    expect(existsSync(worktree.path)).toBe(true)
    expect(branches()).toContain(worktree.branch)
  })

  it('keeps what git will not remove, and says so', async () => {
    const { worktree } = await made()
    commit(worktree.path, 'second')
    git(repo, 'merge', '-q', worktree.branch)
    git(repo, 'worktree', 'lock', worktree.path)
    expect(await cleanUp(repo, none)).toMatchObject([
      { removed: false, why: expect.stringMatching('locked') },
    ])
    expect(branches()).toContain(worktree.branch)
  })

  it('leaves one that is in use alone, and says nothing of it', async () => {
    const { worktree } = await made()
    commit(worktree.path, 'second')
    git(repo, 'merge', '-q', worktree.branch)
    const inUse = [join(worktree.path, 'deep')]
    expect(await cleanUp(repo, { inUse, unused: true })).toEqual([])
    expect(await cleanUp(repo, { inUse: [`${worktree.path}-2`], unused: true })).toHaveLength(1)
  })

  it('removes one in which nothing was committed only when told so', async () => {
    const { worktree } = await made()
    expect(await cleanUp(repo, none)).toMatchObject([
      { removed: false, why: 'nothing was committed in it yet' },
    ])
    expect(existsSync(worktree.path)).toBe(true)
    expect(await cleanUp(repo, { inUse: [], unused: true })).toMatchObject([{ removed: true }])
    expect(branches()).toEqual(['trunk'])
  })

  it('touches no worktree and no branch that is not vigil’s', async () => {
    const mine = join(repo, '.vigil/worktrees/mine')
    git(repo, 'worktree', 'add', '-q', '-b', 'mine', mine)
    const elsewhere = join(folder, `elsewhere ${count}`)
    git(repo, 'worktree', 'add', '-q', '-b', 'vigil/elsewhere', elsewhere)
    git(repo, 'branch', 'vigil/plain')
    expect(await cleanUp(repo, { inUse: [], unused: true })).toEqual([])
    expect(existsSync(mine) && existsSync(elsewhere)).toBe(true)
    expect(branches()).toContain('vigil/plain')
    expect(await cleanUp(folder, none)).toEqual([])
  })
})
