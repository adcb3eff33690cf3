import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { modeOf, sourceOf, workOf } from './loop-work.ts'

const folder = mkdtempSync(join(tmpdir(), 'vigil-work-'))
const list = join(folder, 'my list.md')

beforeAll(() => writeFileSync(list, '- [ ] Fix a\n- [x] Fix b\n- [ ] Fix c\n'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('[LP65] the mode', () => {
  it('is an issue’s for an item, a grind’s for a source, else a loop’s', () => {
    expect(modeOf({})).toBe('loop')
    expect(modeOf({ item: 'x' })).toBe('issue')
    expect(modeOf({ from: 'github' })).toBe('grind')
    expect(modeOf({ from: 'github', item: '12' })).toBe('issue')
    expect(modeOf({ from: 'github', mode: 'issue' })).toBe('issue')
    expect(modeOf({ mode: 'grind' })).toBe('grind')
  })

  it.each([
    [{ mode: 'loop', item: 'x' }, /--mode loop/],
    [{ mode: 'loop', from: 'github' }, /--mode loop/],
    [{ mode: 'grind', item: 'x' }, /--mode grind/],
    [{ mode: 'issue' }, /expected an item/],
    [{ filter: 'label:x' }, /--filter: works only with --from github/],
    [{ filter: 'label:x', from: 'a.md' }, /--filter: works only with --from github/],
  ] as const)('%o does not fit together', (options, expected) => {
    expect(() => modeOf(options)).toThrow(expected)
  })
})

describe('[LP65] a source', () => {
  it.each([
    ['github', { kind: 'github' }],
    ['cat list.md', { kind: 'command', command: 'cat list.md' }],
    ['./list.sh', { kind: 'command', command: './list.sh' }],
    [list, { kind: 'checklist', path: list }],
  ])('%s is %o', (from, source) => {
    expect(sourceOf(from)).toEqual(source)
  })

  it('of GitHub may have a filter', () => {
    expect(sourceOf('github', 'label:x')).toEqual({ kind: 'github', filter: 'label:x' })
  })

  it('that is a file which is not there is refused', () => {
    expect(() => sourceOf('none.md')).toThrow(/--from none\.md: no such file/)
    mkdirSync(join(folder, 'folder.md'))
    expect(() => sourceOf(join(folder, 'folder.md'))).toThrow(/no such file/)
    expect(() => sourceOf(' ')).toThrow(/expected github/)
  })
})

describe('[LP65] what a loop works on', () => {
  it('is nothing but its prompt', async () => {
    expect(await workOf({}, 'loop', folder)).toMatchObject({ item: null, source: null, note: '' })
  })

  it('is a source that was asked once, so that it is known to work', async () => {
    const from = list
    expect(await workOf({ from }, 'grind', folder)).toMatchObject({
      source: { kind: 'checklist', path: list },
      item: null,
      worktree: null,
      note: '2 items there now',
    })
    await expect(workOf({ from: 'false' }, 'grind', folder)).rejects.toThrow(/exit code 1/)
    await expect(workOf({ from: 'echo []' }, 'grind', folder)).rejects.toThrow(/no open item/)
  })

  it('is one item of it, by id or title, or the first', async () => {
    const titleOf = async (item?: string) =>
      (await workOf({ from: list, ...(item && { item }) }, 'issue', folder)).item?.title
    expect(await titleOf()).toBe('Fix a')
    expect(await titleOf('fix C')).toBe('Fix c')
    const { item } = await workOf({ from: list, item: 'Fix c' }, 'issue', folder)
    expect(await titleOf(item?.id)).toBe('Fix c')
    await expect(titleOf('Fix b')).rejects.toThrow(/no open item has this id or title/)
  })

  it('has a worktree that goes again where nothing comes of it', async () => {
    const repo = join(folder, 'repo')
    const git = (...args: string[]) => execFileSync('git', args, { cwd: repo, stdio: 'pipe' })
    mkdirSync(repo)
    git('init', '-q', '-b', 'trunk')
    const ada = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org']
    git(...ada, 'commit', '-q', '--allow-empty', '-m', 'first')
    const other = await workOf({ item: 'Fix y' }, 'issue', repo)
    const work = await workOf({ item: 'Fix x' }, 'issue', repo)
    expect(work.note).toMatch(/^worktree .*-fix-x, branch vigil\/.*-fix-x, from trunk$/)
    await work.undo()
    expect(existsSync(work.worktree?.path ?? '')).toBe(false)
    expect(existsSync(other.worktree?.path ?? '')).toBe(true)
    const again = await workOf({ item: 'Fix y' }, 'issue', repo)
    expect(again.note).toMatch(/continued$/)
    await again.undo()
    expect(existsSync(other.worktree?.path ?? '')).toBe(true)
  })

  it('is any words at all without a source, in the folder itself where git has none', async () => {
    const work = await workOf({ item: 'Fix\u001b[31m it' }, 'issue', folder)
    expect(work).toMatchObject({ item: { title: 'Fix it' }, source: null, worktree: null })
    expect(work.note).toMatch(/^no worktree: .* not in a git working tree$/)
    await expect(workOf({ item: ' ' }, 'issue', folder)).rejects.toThrow(/--item: is empty/)
  })
})
