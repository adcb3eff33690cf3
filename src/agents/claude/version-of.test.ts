import { expect, it } from 'vitest'
import { versions } from './version-of.ts'

const MODULES = '/usr/lib/node_modules/@anthropic-ai/claude-code'
const files: Readonly<Record<string, string>> = {
  [`${MODULES}/package.json`]: '{"name": "@anthropic-ai/claude-code", "version": "2.1.220"}',
  '/opt/package.json': '{"name": "another", "version": "9.9.9"}',
  '/torn/package.json': '{"name',
}

it.each([
  ['/home/me/.local/share/claude/versions/2.1.325', '2.1.325'],
  ['/home/me/.local/share/claude/versions/latest', undefined],
  [`${MODULES}/cli.js`, '2.1.220'],
  [`${MODULES}/bin/claude.exe`, '2.1.220'],
  ['/opt/bin/claude', undefined],
  ['/torn/claude', undefined],
  ['/usr/bin/node', undefined],
])('[I15] the version of %s is %s, and it is not run', (program, version) => {
  expect(versions.ofProgram(program, (path) => files[path])).toBe(version)
})

it.each([[{ version: '2.1.100' }, '2.1.100'], [{ version: '2.1' }], [{ version: 2 }], [null]])(
  '[I15] a record %j has the version of its writer, or none',
  (record, version?) => {
    expect(versions.inRecord(record)).toBe(version)
  },
)
