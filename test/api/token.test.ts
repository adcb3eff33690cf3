import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newToken } from '../../src/daemon/api/token.ts'

let folder = ''
let path = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-token-'))
  path = join(folder, 'run', 'token')
})
afterEach(() => rmSync(folder, { recursive: true, maxRetries: 10 }))

describe('the token', () => {
  it('[P2] is 256 random bits in a file for its user alone', () => {
    const token = newToken(path)
    expect(token).toMatch(/^[0-9a-f]{64}$/)
    expect(readFileSync(path, 'utf8')).toBe(`${token}\n`)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder, 'run')).mode & 0o777).toBe(0o700)
    expect(readdirSync(join(folder, 'run'))).toEqual(['token'])
  })

  it('[P2][CT7] is another one each time', () => {
    const tokens = Array.from({ length: 10 }, () => newToken(path))
    expect(new Set(tokens).size).toBe(10)
    expect(readFileSync(path, 'utf8')).toBe(`${tokens.at(-1)}\n`)
  })

  const own = process.getuid?.() === 0
  it.each([
    ['a file that others can read', () => chmodSync(path, 0o644)],
    ['a file with a second name', () => linkSync(path, join(folder, 'held'))],
    [
      'a link',
      () => {
        rmSync(path)
        symlinkSync(join(folder, 'elsewhere'), path)
      },
    ],
    ['something else', () => writeFileSync(path, 'abc\n')],
    ...(own ? [['another user’s file', () => chownSync(path, 12_345, 12_345)] as const] : []),
  ] as const)('[P2] takes the place of what is there and writes through nothing: %s', (_, put) => {
    newToken(path)
    writeFileSync(join(folder, 'elsewhere'), 'precious')
    put()
    const token = newToken(path)
    const { mode, uid, nlink } = statSync(path)
    expect([readFileSync(path, 'utf8'), mode & 0o777, uid, nlink]).toEqual([
      `${token}\n`,
      0o600,
      process.getuid?.(),
      1,
    ])
    expect(readFileSync(join(folder, 'elsewhere'), 'utf8')).toBe('precious')
  })

  it('[P2] does not take the place of a folder', () => {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    expect(() => newToken(path)).toThrow(/EISDIR/)
  })
})
