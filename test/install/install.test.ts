import {
  chmodSync,
  existsSync,
  lstatSync,
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
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { wantedEvents } from '../../src/agents/claude/events.ts'
import { claude } from '../../src/agents/claude/index.ts'
import { foldersOf } from '../../src/home/folders.ts'
import { checkSetup } from '../../src/install/check.ts'
import { homesFor } from '../../src/install/homes.ts'
import { type ClaudeInstall, installClaude, uninstallClaude } from '../support/install.ts'

let top: string
const inTop = (...parts: string[]) => join(top, ...parts)
const folders = () => foldersOf({ VIGIL_HOME: inTop('vigil') })
const config = () => inTop('home', '.claude')
const settings = () => join(config(), 'settings.json')
const read = (path = settings()) => readFileSync(path, 'utf8')

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'vigil-install-'))
})
afterEach(() => rmSync(top, { recursive: true, force: true }))

function write(text: string | Buffer, path = settings()): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

function put(options: Partial<ClaudeInstall> = {}) {
  return installClaude({ folders: folders(), configDirs: [config()], ...options })
}

const take = (configDirs = [config()]) => uninstallClaude(folders(), configDirs)

/** Every path below a folder with its content. */
function tree(folder: string): Record<string, string> {
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true }) : ['(none)']
  const shown = (path: string) => (lstatSync(path).isFile() ? read(path) : 'folder')
  return Object.fromEntries(
    files.map((file) => [String(file), file === '(none)' ? '' : shown(join(folder, String(file)))]),
  )
}

const OWN = '{\n    "model": "opus",\n    "hooks": {"Stop": [{"hooks": []}]}\n}'

describe('install and uninstall', () => {
  it.each([
    ['a file', OWN],
    ['a file of nothing', ''],
    ['a file of blanks', ' \r\n'],
    ['bare brackets', '{}'],
  ])('[I7] %s comes back byte for byte', (_, text) => {
    write(text)
    const [outcome] = put().outcomes
    expect(JSON.parse(read()).hooks.Stop.at(-1).hooks[0].command).toContain(put().hook)
    expect(outcome).toMatchObject({ changed: true, before: text })
    expect(readFileSync(outcome?.backup ?? '', 'utf8')).toBe(text)
    take()
    expect(read()).toBe(text)
  })

  it('[I7] what was not there is gone again: file, folder, and the folder above', () => {
    put()
    expect(statSync(settings()).mode & 0o777).toBe(0o600)
    expect(Object.keys(JSON.parse(read()).hooks)).toEqual(wantedEvents(undefined))
    expect(take()).toMatchObject([{ after: undefined }])
    expect(existsSync(inTop('home'))).toBe(false)
  })

  it('[I7] a folder in which the user put something stays', () => {
    put()
    write('x', join(config(), 'history.jsonl'))
    take()
    expect(readdirSync(config())).toEqual(['history.jsonl'])
  })

  it.each([
    ['a file', OWN, '"model": "opus"', '"model": "haiku"'],
    ['no file', undefined, '{', '{\n  "model": "haiku",'],
    ['a file of nothing', '', '{', '{\n  "model": "haiku",'],
  ])('[I7] %s, edited since: only vigil’s goes', (_, text, from, to) => {
    if (text !== undefined) write(text)
    put()
    write(read().replace(from, to))
    take()
    expect(read()).toBe(text ? text.replace(from, to) : '{\n  "model": "haiku"\n}\n')
  })

  it.each([
    ['', ''],
    ['nothing', undefined],
  ])('[I7] laid out anew by the client with nothing in it but vigil’s: back to %s', (_, text) => {
    if (text !== undefined) write(text)
    put()
    write(JSON.stringify(JSON.parse(read())))
    take()
    expect(existsSync(settings()) ? read() : undefined).toBe(text)
  })

  it.each([OWN, '{"model": "opus"}'])('[I4] %j: a second time changes nothing', (text) => {
    write(text)
    put({ version: '2.1.325' })
    const once = tree(top)
    expect(put({ version: '2.1.325' }).outcomes).toMatchObject([{ changed: false }])
    expect(tree(top)).toEqual(once)
    const edited = read().replace(/\}$/, ', "theme": "dark" }')
    write(edited)
    expect(put({ version: '2.1.325' }).outcomes).toMatchObject([{ changed: false }])
    expect(read()).toBe(edited)
  })

  it('[I1][I4] again after the client was updated: more events, still the way back', async () => {
    write(OWN)
    put({ version: '2.0.50' })
    const clients = [{ path: '/claude', version: '2.1.325' }]
    const look = async () => {
      const found = await checkSetup(claude, [config()], clients, { folders: folders(), env: {} })
      return found[0]?.figures as { installed: string[]; missing: string[] }
    }
    const before: readonly string[] = wantedEvents('2.0.50')
    const more = wantedEvents('2.1.325').filter((event) => !before.includes(event))
    expect((await look()).missing).toEqual(more)
    put({ version: '2.1.325' })
    expect((await look()).missing).toEqual([])
    take()
    expect(read()).toBe(OWN)
    expect((await look()).installed).toEqual([])
  })

  it('[I4] a dry run writes nothing', () => {
    write(OWN)
    const before = tree(top)
    const [outcome] = put({ dryRun: true }).outcomes
    expect(outcome).toMatchObject({ before: OWN, changed: true })
    expect(tree(top)).toEqual(before)
    put()
    expect(read()).toBe(outcome?.after)
    const installed = tree(top)
    const dry = uninstallClaude(folders(), [], true)
    expect(dry).toMatchObject([{ after: OWN, changed: true }])
    expect(tree(top)).toEqual(installed)
  })

  it('[I5] a broken file is refused with its place, and no folder is changed', () => {
    write(OWN)
    write('{\n  "a": 1,,\n}', inTop('work', 'settings.json'))
    const before = tree(top)
    const both = () => put({ configDirs: [config(), inTop('work')] })
    expect(both).toThrow(`${inTop('work', 'settings.json')}:2:10: `)
    expect(tree(top)).toEqual(before)
  })

  it('[I5] bytes that are no UTF-8, and what is no file, are refused', () => {
    write(Buffer.from([0x7b, 0xff, 0x7d]))
    expect(() => put()).toThrow(/UTF-8/)
    rmSync(settings())
    mkdirSync(settings())
    expect(() => put()).toThrow(/expected a file/)
  })

  it('[I11] the hook stays as a script that says nothing, for sessions that still call it', () => {
    const { hook } = put()
    expect(statSync(hook).mode & 0o777).toBe(0o700)
    take()
    expect(read(hook)).toMatch(/^#!\/bin\/sh\n(#.*\n)*exit 0\n$/)
    expect(statSync(hook).mode & 0o777).toBe(0o700)
  })

  it('uninstall without an install touches nothing', () => {
    write(OWN)
    const before = tree(top)
    expect(take()).toMatchObject([{ changed: false }])
    expect(tree(top)).toEqual(before)
  })

  it('a note that cannot be read is set aside; vigil’s hooks are found all the same', () => {
    write(OWN)
    put()
    write('{"format":7}', inTop('vigil', 'install.json'))
    take()
    expect(read()).toBe(OWN)
    expect(existsSync(inTop('vigil', 'install.json.broken'))).toBe(true)
  })

  it('keeps its backups few', () => {
    for (let i = 0; i < 15; i++) {
      write(`{"i":${i}}`)
      put({ now: () => new Date(1_800_000_000_000 + i) })
      take()
    }
    expect(readdirSync(inTop('vigil', 'backups')).length).toBeLessThanOrEqual(10)
  })
})

describe('the file itself', () => {
  it('[I8] keeps its mode', () => {
    write(OWN)
    for (const mode of [0o640, 0o600, 0o444]) {
      chmodSync(settings(), mode)
      put()
      expect(statSync(settings()).mode & 0o777).toBe(mode)
      take()
      expect(statSync(settings()).mode & 0o777).toBe(mode)
    }
    expect(readdirSync(config())).toEqual(['settings.json'])
  })

  it('[I8] behind links: the links stay, the file changes', () => {
    write(OWN, inTop('dotfiles', 'claude.json'))
    mkdirSync(config(), { recursive: true })
    symlinkSync('../../dotfiles/claude.json', join(config(), 'middle'))
    symlinkSync('middle', settings())
    put()
    expect(lstatSync(settings()).isSymbolicLink()).toBe(true)
    expect(lstatSync(inTop('dotfiles', 'claude.json')).isFile()).toBe(true)
    expect(read(inTop('dotfiles', 'claude.json'))).toContain('vigil-hook')
    take()
    expect(lstatSync(settings()).isSymbolicLink()).toBe(true)
    expect(read(inTop('dotfiles', 'claude.json'))).toBe(OWN)
  })

  it('[I8] a link to a file that is not there: it is made, and removed again', () => {
    mkdirSync(config(), { recursive: true })
    symlinkSync('real.json', settings())
    put()
    expect(read(join(config(), 'real.json'))).toContain('vigil-hook')
    take()
    expect(readdirSync(config())).toEqual(['settings.json'])
    rmSync(settings())
    symlinkSync('settings.json', settings())
    expect(() => put()).toThrow(/circular link/)
  })
})

describe('several config folders', () => {
  it('[I9] uninstall takes vigil out of every folder it was ever put in', () => {
    const [a, b] = [inTop('a'), inTop('b')]
    write(OWN, join(a, 'settings.json'))
    put({ configDirs: [a] })
    put({ configDirs: [b] })
    expect(take([])).toHaveLength(2)
    expect(read(join(a, 'settings.json'))).toBe(OWN)
    expect(existsSync(b)).toBe(false)
  })

  it('[I9] those given count; else the client’s own and those that have vigil already', () => {
    const env = { HOME: inTop('home') }
    const dirs = (given: string[], more = {}) =>
      homesFor(claude, given, { ...env, ...more }, folders())
    expect(dirs([])).toEqual([config()])
    expect(dirs([], { CLAUDE_CONFIG_DIR: inTop('work') })).toEqual([inTop('work')])
    put({ configDirs: [inTop('a')] })
    expect(dirs([])).toEqual([config(), inTop('a')])
    expect(dirs([inTop('b'), inTop('b')])).toEqual([inTop('b')])
  })
})
