import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { cleanUp } from './clean-up.ts'
import { makeWorktree } from './worktree.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'vigil-hostile-')))
afterAll(() => rmSync(folder, { recursive: true, maxRetries: 10 }))

const item = { id: '12', title: 'Fix it' }
let count = 0
let repo = ''
let marks = ''

function git(cwd: string, ...args: string[]): string {
  const as = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org']
  const env = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_GLOBAL: '/dev/null' }
  return execFileSync('git', [...as, ...args], { cwd, env, encoding: 'utf8', stdio: 'pipe' }).trim()
}

beforeEach(() => {
  vi.unstubAllEnvs()
  repo = join(folder, `repo ${++count}`)
  marks = join(folder, `marks ${count}`)
  for (const path of [repo, marks]) mkdirSync(path)
  git(repo, 'init', '-q', '-b', 'trunk')
  commit(repo, 'first')
})

function commit(cwd: string, name: string, text = `${name}\n`): void {
  writeFileSync(join(cwd, name), text)
  git(cwd, '-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', 'add', '-A')
  git(cwd, '-c', 'core.hooksPath=/dev/null', 'commit', '-q', '-m', name)
}

/** A program that leaves a mark when it runs. */
function program(name: string): string {
  const path = join(folder, `${name}-${count}.sh`)
  writeFileSync(path, `#!/bin/sh\necho >'${marks}/${name}'\ncat\n`, { mode: 0o755 })
  return `'${path}'`
}

const ran = () => readdirSync(marks).toSorted()

async function made() {
  const result = await makeWorktree(item, repo)
  if (!('worktree' in result)) throw new Error(JSON.stringify(result))
  return result.worktree.path
}

const unused = { inUse: [], unused: true }

/** Makes a worktree, works in it, inspects it, merges it and cleans it up. */
async function wholeLife(): Promise<void> {
  const path = await made()
  expect(readFileSync(join(path, 'first'), 'utf8')).toBe('first\n')
  await cleanUp(repo, { inUse: [], unused: false })
  writeFileSync(join(path, 'first'), 'changed\n')
  expect((await cleanUp(repo, unused))[0]).toMatchObject({ removed: false })
  writeFileSync(join(path, 'first'), 'first\n')
  expect((await cleanUp(repo, unused))[0]).toMatchObject({ removed: true })
}

describe('[PF8] git runs no program that the repository names', () => {
  it('no monitor, no hook, no filter, over the whole life of a worktree', async () => {
    commit(repo, '.gitattributes', '* filter=evil diff=evil merge=evil\n')
    git(repo, 'config', 'core.fsmonitor', program('fsmonitor'))
    for (const way of ['smudge', 'clean', 'process'])
      git(repo, 'config', `filter.evil.${way}`, program(way))
    git(repo, 'config', 'filter.evil.required', 'true')
    for (const [key, name] of [
      ['diff.external', 'external'],
      ['diff.evil.command', 'command'],
      ['diff.evil.textconv', 'textconv'],
      ['merge.evil.driver', 'driver'],
      ['core.pager', 'pager'],
      ['core.sshCommand', 'ssh'],
      ['credential.helper', 'helper'],
    ] as const)
      git(repo, 'config', key, program(name))
    for (const hook of ['post-checkout', 'reference-transaction', 'post-index-change'])
      writeFileSync(join(repo, '.git/hooks', hook), `#!/bin/sh\necho >'${marks}/${hook}'\n`, {
        mode: 0o755,
      })
    await wholeLife()
    expect(ran()).toEqual([])
  })

  it('none of settings that hold on vigil’s branches alone', async () => {
    commit(repo, '.gitattributes', '* filter=evil\n')
    const more = join(folder, `more-${count}`)
    writeFileSync(more, `[filter "evil"]\n\tsmudge = ${program('smudge')}\n`)
    appendFileSync(join(more), `\tclean = ${program('clean')}\n`)
    git(repo, 'config', 'includeIf.onbranch:vigil/**.path', more)
    await wholeLife()
    expect(ran()).toEqual([])
  })

  it('no merge driver when it is asked whether the work is merged, which it is not', async () => {
    commit(repo, '.gitattributes', 'first merge=evil\n')
    const path = await made()
    commit(path, 'first', 'theirs\n')
    commit(repo, 'first', 'ours\n')
    git(repo, 'config', 'merge.evil.driver', `${program('driver')} </dev/null`)
    expect((await cleanUp(repo, unused))[0]).toMatchObject({ removed: false })
    expect(existsSync(path)).toBe(true)
    expect(ran()).toEqual([])
  })

  it('nothing by variables of the environment', async () => {
    vi.stubEnv('GIT_CONFIG_COUNT', '1')
    vi.stubEnv('GIT_CONFIG_KEY_0', 'filter.evil.smudge')
    vi.stubEnv('GIT_CONFIG_VALUE_0', program('variable'))
    vi.stubEnv('GIT_EXTERNAL_DIFF', program('external'))
    vi.stubEnv('GIT_EXEC_PATH', folder)
    commit(repo, '.gitattributes', '* filter=evil\n')
    await wholeLife()
    expect(ran()).toEqual([])
  })

  it('nothing where a name cannot be turned off: then git is not run at all', async () => {
    git(repo, 'config', 'filter.a=b.smudge', program('odd'))
    commit(repo, '.gitattributes', '* filter=a=b\n')
    expect(await makeWorktree(item, repo)).toEqual({
      none: expect.stringMatching(/in a way vigil cannot turn off$/),
    })
    expect(ran()).toEqual([])
  })

  it('but a filter of the user’s own runs, also where the repository has another', async () => {
    const home = mkdtempSync(join(folder, 'home-'))
    vi.stubEnv('HOME', home)
    vi.stubEnv('XDG_CONFIG_HOME', home)
    writeFileSync(join(home, '.gitconfig'), `[filter "mine"]\n\tsmudge = sed s/first/mine/\n`)
    commit(repo, '.gitattributes', 'first filter=mine\n')
    git(repo, 'config', 'filter.mine.smudge', program('smudge'))
    expect(readFileSync(join(await made(), 'first'), 'utf8')).toBe('mine\n')
    expect(ran()).toEqual([])
  })

  it('the programs of this test do run where git is called without vigil’s care', () => {
    git(repo, 'config', 'core.fsmonitor', program('fsmonitor'))
    git(repo, 'status')
    expect(ran()).toEqual(['fsmonitor'])
  })
})

describe('[PF6] a worktree is made within the repository alone', () => {
  const refused = (what: RegExp) => ({ error: expect.stringMatching(what) })

  it.each([
    ['.vigil', '.vigil'],
    ['.vigil/worktrees', '.vigil/worktrees'],
    ['the folder of the item', '.vigil/worktrees/12-fix-it'],
  ])('not behind a link that the repository tracks in place of %s', async (_, link) => {
    const elsewhere = mkdtempSync(join(folder, 'elsewhere-'))
    mkdirSync(join(repo, link, '..'), { recursive: true })
    symlinkSync(elsewhere, join(repo, link))
    git(repo, 'add', '-A')
    git(repo, 'commit', '-q', '-m', 'a link')
    expect(await makeWorktree(item, repo)).toEqual(refused(/is a link, .*; remove the link/))
    expect(readdirSync(elsewhere)).toEqual([])
  })

  it('not where a link leads to nothing yet', async () => {
    mkdirSync(join(repo, '.vigil/worktrees'), { recursive: true })
    symlinkSync(join(folder, `new ${count}`), join(repo, '.vigil/worktrees/12-fix-it'))
    expect(await makeWorktree(item, repo)).toEqual(refused(/is a link/))
    expect(existsSync(join(folder, `new ${count}`))).toBe(false)
  })

  it('not in a folder that the repository’s settings call its working tree', async () => {
    const other = mkdtempSync(join(folder, 'other-'))
    // The repository around it is the user's own.
    git(other, 'init', '-q')
    commit(other, 'first')
    const inner = join(other, 'inner')
    git(folder, 'clone', '-q', repo, inner)
    git(inner, 'config', 'core.worktree', other)
    expect(await makeWorktree(item, inner)).not.toHaveProperty('worktree')
    expect(readdirSync(other).toSorted()).toEqual(['.git', 'first', 'inner'])
  })

  it('an item’s working tree that git lists elsewhere is refused', async () => {
    const path = await made()
    const other = join(folder, `moved ${count}`)
    git(repo, 'worktree', 'move', path, other)
    expect(await makeWorktree(item, repo)).toEqual(refused(/is not in .*: move it there$/))
  })

  it('cleaning up removes nothing behind a link', async () => {
    const path = await made()
    const other = join(folder, `kept ${count}`)
    execFileSync('mv', [path, other])
    symlinkSync(other, path)
    expect(await cleanUp(repo, unused)).toEqual([])
    expect(existsSync(join(other, 'first'))).toBe(true)
  })
})

describe('[PF7] the list of what git ignores', () => {
  it('is not written behind a link', async () => {
    const target = join(folder, `bashrc ${count}`)
    rmSync(join(repo, '.git/info/exclude'), { force: true })
    symlinkSync(target, join(repo, '.git/info/exclude'))
    const why = /info\/exclude is a link/
    expect(await makeWorktree(item, repo)).toEqual({ error: expect.stringMatching(why) })
    expect(existsSync(target)).toBe(false)
  })

  it('is not written in a folder behind a link', async () => {
    const elsewhere = mkdtempSync(join(folder, 'info-'))
    rmSync(join(repo, '.git/info'), { recursive: true })
    symlinkSync(elsewhere, join(repo, '.git/info'))
    expect(await makeWorktree(item, repo)).toHaveProperty('error')
    expect(readdirSync(elsewhere)).toEqual([])
  })

  it('is not waited for where it is a pipe', async () => {
    rmSync(join(repo, '.git/info/exclude'), { force: true })
    execFileSync('mkfifo', [join(repo, '.git/info/exclude')])
    onTestFinished(() => rmSync(join(repo, '.git/info/exclude')))
    expect(await makeWorktree(item, repo)).toHaveProperty('error')
  })
})
