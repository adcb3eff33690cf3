import { expect, it } from 'vitest'
import { codexVersions as versions } from './version-of.ts'

const MODULES = '/usr/lib/node_modules/@openai'
const files: Readonly<Record<string, string>> = {
  [`${MODULES}/codex/package.json`]: '{"name": "@openai/codex", "version": "0.166.0"}',
  [`${MODULES}/codex-linux-x64/package.json`]:
    '{"name": "@openai/codex", "version": "0.165.1-linux-x64"}',
  '/opt/package.json': '{"name": "another", "version": "9.9.9"}',
  '/torn/package.json': '{"name',
}
const RELEASES = '/home/me/.codex/packages/app-server-daemon/releases'

it.each([
  [`${MODULES}/codex/bin/codex.js`, '0.166.0'],
  [`${MODULES}/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex`, '0.165.1'],
  [`${RELEASES}/0.164.0-x86_64-unknown-linux-musl/bin/codex`, '0.164.0'],
  ['/opt/homebrew/Caskroom/codex/0.163.2/bin/codex', '0.163.2'],
  ['/opt/bin/codex', undefined],
  ['/torn/codex', undefined],
  [`${MODULES}/codex/bin/other`, undefined],
])('[CX28] the version of %s is %s, and it is not run', (program, version) => {
  expect(versions.ofProgram(program, (path) => files[path])).toBe(version)
})

it.each([
  [{ type: 'session_meta', payload: { cli_version: '0.166.0' } }, '0.166.0'],
  [{ type: 'session_meta', payload: { cli_version: 'next' } }],
  [{ type: 'event_msg', payload: { cli_version: '0.1.0' } }],
  [null],
])(
  '[CX28] a line %j of a rollout tells the version that wrote it, or nothing',
  (line, version?) => {
    expect(versions.inRecord(line)).toBe(version)
  },
)
