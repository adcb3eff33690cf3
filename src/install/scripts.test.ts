import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { UNNAMED_AGENT } from '../agents/index.ts'
import { type Folders, foldersOf } from '../home/folders.ts'
import { environmentOf, renderHook, writeHook, writeTemplate } from './scripts.ts'

const start = { node: '/usr/bin/node', vigil: '/opt/vigil/bin/vigil.js' }

const hookIn = (folders: Folders) => writeHook(folders, UNNAMED_AGENT, start)

describe('writing the scripts', () => {
  it('[HK16] makes them for their user alone', () => {
    const folders = home()
    const hook = hookIn(folders)
    writeTemplate(folders, UNNAMED_AGENT, 'vigil-statusline', { COMMAND: '' })
    const statusline = join(folders.hooks, 'vigil-statusline')
    expect(hook).toBe(join(folders.hooks, 'vigil-hook'))
    for (const path of [folders.hooks, hook, statusline])
      expect(lstatSync(path).mode & 0o777).toBe(0o700)
    for (const path of [hook, statusline]) {
      const text = readFileSync(path, 'utf8')
      expect(text).toMatch(/^#!\/bin\/sh\n/)
      expect(text).not.toMatch(/'@|^\. /m)
    }
    expect(readdirSync(folders.hooks)).toHaveLength(2)
  })

  it('[HK16] leaves what is as it should be, and puts the rest right in one step', () => {
    const folders = home()
    const hook = hookIn(folders)
    const before = statSync(hook)
    hookIn(folders)
    expect(statSync(hook)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs })
    chmodSync(hook, 0o644)
    hookIn(folders)
    expect(statSync(hook).mode & 0o777).toBe(0o700)
    const text = readFileSync(hook, 'utf8')
    writeFileSync(hook, 'half')
    const { ino } = statSync(hook)
    hookIn(folders)
    expect(readFileSync(hook, 'utf8')).toBe(text)
    // A new file replaces it, so a shell that reads the old file can read it to its end.
    expect(statSync(hook).ino).not.toBe(ino)
  })
})

describe('filling in', () => {
  it('[HK16] any text comes out of the shell as it went in', () => {
    const places = fc
      .string({ unit: 'binary', minLength: 1 })
      .filter((text) => !text.includes('\0'))
    const tricks = fc.constantFrom(
      "a'b",
      '$HOME `id` $(id)',
      '\\',
      "'\\''",
      '$&$1',
      'a\nb\n',
      "'@RUN@'",
      '*',
      '-n',
    )
    fc.assert(
      fc.property(fc.oneof(tricks, places), (spool) => {
        const text = renderHook({ ...start, spool, run: '/r' })
        const line = /^spool=[\s\S]*?\n(?=run=)/m.exec(text)?.[0] ?? ''
        const said = execFileSync('/bin/sh', ['-c', `${line}printf %s "$spool"`])
        expect(said.equals(Buffer.from(spool))).toBe(true)
      }),
      { numRuns: 60 },
    )
  })

  it.each([
    { VIGIL_HOME: '/v' },
    { HOME: '/h' },
    { HOME: '/h', XDG_RUNTIME_DIR: '/run/user/1' },
    { HOME: '/h', XDG_STATE_HOME: '/s', XDG_DATA_HOME: '/d', XDG_CACHE_HOME: '/c' },
  ])('[HK12] the daemon finds the folders of its hook, whatever the client has %j', (env) => {
    const folders = foldersOf(env)
    const client = { VIGIL_HOME: '/x', XDG_STATE_HOME: '/x', XDG_RUNTIME_DIR: '/x', HOME: '/x' }
    expect(foldersOf({ ...client, ...environmentOf(folders) })).toEqual(folders)
  })
})

function home(): Folders {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-scripts-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return foldersOf({ VIGIL_HOME: folder })
}
