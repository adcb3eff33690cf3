import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { programFolder } from '../../../test/support/program-folder.ts'
import { commandItems } from './command-items.ts'
import { githubItems } from './github.ts'
import { findNextItem, itemsOf } from './next-item.ts'

const cwd = mkdtempSync(join(tmpdir(), 'vigil-sources-'))
const bin = programFolder()

afterEach(() => vi.unstubAllEnvs())
afterAll(() => {
  for (const one of [cwd, bin]) rmSync(one, { recursive: true, maxRetries: 10 })
})

/** Prints what the real gh prints, and records its arguments. */
function fakeGh({ out = '', err = '', code = 0 }): void {
  writeFileSync(join(cwd, 'out'), out)
  writeFileSync(join(cwd, 'err'), err)
  const script = `#!/bin/sh
    printf '%s\\n' "$@" > '${cwd}/asked'
    env > '${cwd}/env'
    cat '${cwd}/out'; cat '${cwd}/err' >&2; exit ${code}\n`
  writeFileSync(join(bin, 'gh'), script)
  chmodSync(join(bin, 'gh'), 0o755)
  vi.stubEnv('PATH', `${bin}${delimiter}${process.env.PATH}`)
}

describe('[LP51] issues of GitHub', () => {
  const two = JSON.stringify([
    { body: 'It **breaks**.\r\n\r\nAlways.', number: 12, title: 'Parser fails' },
    { body: '', number: 7, title: 'No colours\u001b[31m' },
  ])

  it('are those that gh lists, in its order', async () => {
    fakeGh({ out: `${two}\n` })
    expect(await githubItems(undefined, cwd)).toEqual([
      { id: '12', title: 'Parser fails', text: 'It **breaks**.\n\nAlways.' },
      { id: '7', title: 'No colours' },
    ])
    const asked = readFileSync(join(cwd, 'asked'), 'utf8').trim().split('\n')
    expect(asked.join(' ')).toBe('issue list --json number,title,body --state open --limit 100')
    expect(readFileSync(join(cwd, 'env'), 'utf8')).toMatch(/^GH_PROMPT_DISABLED=1$/m)
  })

  it('are asked for by a filter in GitHub’s own words, as one word', async () => {
    fakeGh({ out: '[]' })
    expect(await githubItems('label:bug $(touch bad) sort:created-asc', cwd)).toEqual([])
    expect(readFileSync(join(cwd, 'asked'), 'utf8')).toMatch(
      /^--search\nlabel:bug \$\(touch bad\) sort:created-asc$/m,
    )
  })

  it('are asked for further down when a hundred were handed out', async () => {
    fakeGh({ out: '[]' })
    await githubItems(undefined, cwd, 100)
    expect(readFileSync(join(cwd, 'asked'), 'utf8')).toMatch(/^1000$/m)
  })

  it.each([
    ['its failure', { err: 'none of the git remotes configured\n', code: 1 }, /git remotes/],
    ['its failure without words', { code: 4 }, /exit code 4/],
    ['its failure behind a list', { out: '[]', err: 'rate limit', code: 1 }, /rate limit/],
    ['an error after which it exits 0', { err: 'HTTP 401: Bad credentials' }, /HTTP 401/],
    ['what is no list', { out: '{"message":"x"}' }, /no list of issues/],
  ])('say %s', async (_, said, expected) => {
    fakeGh(said)
    await expect(githubItems(undefined, cwd)).rejects.toThrow(expected)
  })

  it('say that gh is not there', async () => {
    vi.stubEnv('PATH', bin)
    rmSync(join(bin, 'gh'), { force: true })
    await expect(githubItems(undefined, cwd)).rejects.toThrow(/gh is not in PATH/)
  })
})

describe('[LP52] items of any command', () => {
  it('are texts, or objects with id, title and text', async () => {
    const list = JSON.stringify([
      'fix a\nat once',
      { id: 3, title: 'fix b', text: 'c' },
      { title: 'fix d' },
    ])
    writeFileSync(join(cwd, 'list.json'), list)
    const items = await commandItems('cat list.json', cwd)
    expect(items).toMatchObject([
      { title: 'fix a', text: 'at once' },
      { id: '3', title: 'fix b', text: 'c' },
      { title: 'fix d' },
    ])
    expect(new Set(items.map(({ id }) => id)).size).toBe(3)
    expect(await commandItems('cat list.json', cwd)).toEqual(items)
  })

  it.each([
    ['echo no >&2; exit 3', /exit code 3 \(no\)/],
    ['echo hello', /expected a JSON array on its output, got hello/],
    ['true', /got nothing/],
    ['echo "{}"', /expected a JSON array/],
    ['echo "[1]"', /entry 1 is neither text nor object/],
    [`echo '["a", {"id": 1}]'`, /entry 2 is an object without a title/],
    [`echo '[" "]'`, /entry 1 is an empty text/],
    ['yes | head -c 5000000', /more than 4 MB/],
  ])('%s is refused', async (command, expected) => {
    await expect(commandItems(command, cwd)).rejects.toThrow(expected)
  })
})

describe('[LP54] the next item', () => {
  const source = { kind: 'command', command: `echo '["a", "b"]'` } as const

  it('is the first that was not handed out before', async () => {
    const [a, b] = await itemsOf(source, cwd)
    if (!a || !b) throw new Error('two items expected')
    expect(await findNextItem(source, [], cwd)).toEqual({ item: a })
    expect(await findNextItem(source, [a.id], cwd)).toEqual({ item: b })
    expect(await findNextItem(source, [b.id, a.id], cwd)).toEqual({ none: true })
  })

  it('of a source that fails is the reason', async () => {
    const broken = { kind: 'checklist', path: join(cwd, 'none.md') } as const
    expect(await findNextItem(broken, [], cwd)).toEqual({
      error: `${join(cwd, 'none.md')}: no such file`,
    })
  })

  it('is asked of each kind of source', async () => {
    writeFileSync(join(cwd, 'list.md'), '- [ ] tick me\n')
    const path = join(cwd, 'list.md')
    expect(await findNextItem({ kind: 'checklist', path }, [], cwd)).toMatchObject({
      item: { title: 'tick me' },
    })
    fakeGh({ out: '[{"number":1,"title":"x","body":""}]' })
    expect(await findNextItem({ kind: 'github' }, [], cwd)).toEqual({
      item: { id: '1', title: 'x' },
    })
  })
})
