import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHECK_OUTPUT_MAX_CHARS } from '../../core/limits.ts'
import { check } from './check.ts'
import { doChore } from './pending-checks.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'vigil-chores-')))
const repo = join(folder, 'repo')
const git = (...args: string[]) => execFileSync('git', args, { cwd: repo, stdio: 'pipe' })

beforeAll(() => {
  mkdirSync(repo)
  git('init', '-q', '-b', 'trunk')
  const ada = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org']
  git(...ada, 'commit', '-q', '--allow-empty', '-m', 'first')
})
afterAll(() => rmSync(folder, { recursive: true, maxRetries: 10 }))

const NEXT = { kind: 'next', taken: [], timeoutMs: 30_000, loop: 'l1' } as const

describe('[LP58] the command that says whether it is done', () => {
  const run = (command: string, timeoutMs = 30_000) => check(command, folder, timeoutMs)

  it('reports its exit code, with both outputs in their order', async () => {
    const { exitCode, output } = await run('echo a; echo b >&2; echo c; exit 3')
    expect({ exitCode, output }).toEqual({ exitCode: 3, output: 'a\nb\nc' })
    expect(await run('true')).toEqual({ exitCode: 0, output: '' })
  })

  it('runs in a shell, and reports its errors, too', async () => {
    expect(await run('x="a b"; test "$x" = "a b" && echo "$x" | tr a-z A-Z')).toMatchObject({
      exitCode: 0,
      output: 'A B',
    })
    expect((await run('if then')).exitCode).not.toBe(0)
    expect((await run('no-such-command')).output).toMatch(/not found/)
  })

  it('gives the end of a long output, whole lines, harmless', async () => {
    const { output } = await run('i=0; while [ $i -lt 3000 ]; do echo "line $i"; i=$((i+1)); done')
    expect(output.length).toBeLessThanOrEqual(CHECK_OUTPUT_MAX_CHARS)
    expect(output).toMatch(/^…\nline \d+\n(.*\n)*line 2999$/)
    expect((await run("printf '\\033[31mred\\033[0m\\r\\n\\007'")).output).toBe('red')
    const wide = (await run('head -c 100000 /dev/zero | tr "\\0" x')).output
    expect(wide.length).toBe(CHECK_OUTPUT_MAX_CHARS)
  })

  it('that takes too long is ended, and says so', async () => {
    expect(await run('echo begun; sleep 60', 300)).toEqual({
      exitCode: null,
      output: 'begun',
      timedOut: true,
    })
  })
})

describe('[LP59] a chore', () => {
  it('runs the command where the work is done', async () => {
    const command = 'pwd'
    const chore = { kind: 'check', command, timeoutMs: 30_000 } as const
    expect(await doChore(chore, folder)).toEqual({ check: { exitCode: 0, output: folder } })
    expect(await doChore({ ...chore, cwd: repo }, folder)).toMatchObject({
      check: { output: repo },
    })
    const gone = join(folder, 'gone')
    expect(await doChore({ ...chore, cwd: gone }, folder)).toEqual({
      check: { exitCode: null, output: `${gone}: no such folder` },
    })
  })

  it('takes the next item, with a worktree where git has one to give', async () => {
    const path = join(folder, 'list.md')
    writeFileSync(path, '- [ ] Fix a\n- [ ] Fix b\n')
    const source = { kind: 'checklist', path } as const
    const first = await doChore({ ...NEXT, source }, repo)
    expect(first).toMatchObject({
      next: {
        item: { title: 'Fix a', text: expect.stringContaining(`tick it off in ${path}`) },
        worktree: { baseRef: 'trunk', branch: expect.stringMatching(/^vigil\/.*-fix-a$/) },
      },
    })
    const second = await doChore({ ...NEXT, source }, folder)
    expect(second).toEqual({ next: { item: expect.objectContaining({ title: 'Fix a' }) } })
  })

  it('that takes too long is ended, and says so', async () => {
    const source = { kind: 'command', command: 'sleep 60; echo []' } as const
    expect(await doChore({ ...NEXT, source, timeoutMs: 200 }, folder)).toEqual({
      next: { error: 'the source did not give the next item within 0.2 s' },
    })
  })

  it('says that there is none, and why there can be none', async () => {
    const next = (command: string) =>
      doChore({ ...NEXT, source: { kind: 'command', command } }, repo)
    expect(await next('echo []')).toEqual({ next: { none: true } })
    expect(await next('exit 7')).toEqual({ next: { error: 'exit 7: exit code 7' } })
  })
})
