import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { claude } from '../agents/claude/index.ts'
import { findClient, namedClient } from './client.ts'

const top = mkdtempSync(join(tmpdir(), 'vigil-client-'))
afterAll(() => rmSync(top, { recursive: true, force: true }))

function program(path: string, line: string): string {
  const full = join(top, path)
  mkdirSync(dirname(full), { recursive: true })
  writeFileSync(full, `#!/bin/sh\n${line}\n`)
  chmodSync(full, 0o755)
  return full
}

const system = '/usr/bin:/bin'

it('[I1] the claude in PATH says its version', () => {
  const path = program('bin/claude', 'echo "2.1.99 (Claude Code)"')
  mkdirSync(join(top, 'folder/claude'), { recursive: true })
  const env = { PATH: `${join(top, 'folder')}:${dirname(path)}:${system}`, HOME: top }
  expect(findClient(claude, env)).toEqual({ path, version: '2.1.99' })
})

it('[I1] one that its installer put beside PATH is found too', () => {
  const path = program('home/.claude/local/claude', 'echo "2.0.60 (Claude Code)"')
  const env = { PATH: join(top, 'none'), HOME: join(top, 'home') }
  expect(findClient(claude, env)).toEqual({ path, version: '2.0.60' })
})

it('[I1] none, or one that does not answer, is no client', () => {
  const home = { HOME: join(top, 'nobody') }
  expect(findClient(claude, { PATH: join(top, 'none'), ...home })).toBeUndefined()
  const path = program('broken/claude', 'echo oops; exit 1')
  expect(findClient(claude, { PATH: `${dirname(path)}:${system}`, ...home })).toBeUndefined()
})

it('[I1] one that is named counts, by path or by name, and has to answer', () => {
  const path = program('named/claude-next', 'echo "3.0.0 (Claude Code)"')
  const env = { PATH: `${dirname(path)}:${system}`, HOME: top }
  expect(namedClient(path, env)).toEqual({ path, version: '3.0.0' })
  expect(namedClient('claude-next', env)).toEqual({ path, version: '3.0.0' })
  expect(() => namedClient('claude-past', env)).toThrow(/claude-past: expected a version/)
  expect(() => namedClient('/bin/true', env)).toThrow(/got none/)
})
