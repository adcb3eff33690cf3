import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { unifiedDiff } from './diff.ts'

const folder = mkdtempSync(join(tmpdir(), 'vigil-diff-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('shows what changes, with three lines around it', () => {
  const lines = [...'abcdefghij'].map((line) => `${line}\n`)
  const before = lines.join('')
  const after = before.replace('e\n', 'E\nnext\n')
  expect(unifiedDiff('f', before, after)).toBe(
    '--- f\n+++ f\n@@ -2,7 +2,8 @@\n b\n c\n d\n-e\n+E\n+next\n f\n g\n h\n',
  )
  expect(unifiedDiff('f', before, before)).toBe('')
})

it('says when a file does not end with its line', () => {
  expect(unifiedDiff('f', 'a', 'a\n')).toBe(
    '--- f\n+++ f\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n',
  )
})

it('is what git can apply, whatever the texts', () => {
  const text = fc
    .tuple(fc.array(fc.constantFrom('a', 'b', '', '{', '}'), { maxLength: 30 }), fc.boolean())
    .map(([lines, ended]) => lines.join('\n') + (ended ? '\n' : ''))
  fc.assert(
    fc.property(text, text, (before, after) => {
      fc.pre(before !== after && before !== '' && after !== '')
      const path = join(folder, 'f')
      writeFileSync(path, before)
      const patch = unifiedDiff('f', before, after)
      execFileSync('git', ['apply', '--unidiff-zero', '--whitespace=nowarn', '-p0', '-'], {
        cwd: folder,
        input: patch,
      })
      expect(readFileSync(path, 'utf8')).toBe(after)
    }),
    { numRuns: 60 },
  )
})
