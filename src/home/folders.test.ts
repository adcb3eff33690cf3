import {
  chmodSync,
  chownSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { foldersOf, privateFolder } from './folders.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-home-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('where vigil keeps things', () => {
  it('[K11] under VIGIL_HOME all of them', () => {
    for (const path of Object.values(foldersOf({ VIGIL_HOME: '/v', XDG_DATA_HOME: '/x' })))
      expect(path.startsWith('/v')).toBe(true)
  })

  it('[K11] else where the XDG variables say', () => {
    const env = { HOME: '/h', XDG_STATE_HOME: '/s', XDG_DATA_HOME: '/d', XDG_RUNTIME_DIR: '/r' }
    expect(foldersOf(env)).toMatchObject({
      spool: '/s/vigil/spool',
      database: '/d/vigil/vigil.db',
      socket: '/r/vigil/vigil.sock',
      cache: '/h/.cache/vigil',
    })
  })

  it('[K11] else in the home folder; a relative variable counts as unset', () => {
    const folders = foldersOf({ HOME: '/h', XDG_STATE_HOME: 'state', XDG_RUNTIME_DIR: '' })
    expect(folders.spool).toBe('/h/.local/state/vigil/spool')
    expect(folders.lock).toBe('/h/.local/share/vigil/daemon.lock')
  })

  it('[PT10] a runtime folder that every user can write to is not used, as WSLg has it', () => {
    const socketIn = (mode: number) => {
      chmodSync(folder, mode)
      return dirname(foldersOf({ HOME: '/h', XDG_RUNTIME_DIR: folder }).socket)
    }
    expect(socketIn(0o777)).toBe('/h/.local/state/vigil/run')
    for (const mode of [0o700, 0o755, 0o1777]) expect(socketIn(mode)).toBe(`${folder}/vigil`)
  })

  it('[PT11] nothing lies where the system clears at a restart what is to last', () => {
    for (const path of Object.values(foldersOf({ HOME: '/h' })))
      expect(path).toMatch(/^\/h\/\.(local|config|cache)\//)
  })

  it('[K11] a home too deep for a socket has it in a private folder', () => {
    const deep = `/${'d'.repeat(120)}`
    const { socket } = foldersOf({ VIGIL_HOME: deep })
    expect(Buffer.byteLength(socket)).toBeLessThan(104)
    expect(socket).not.toBe(foldersOf({ VIGIL_HOME: `${deep}2` }).socket)
  })

  it('[CT6] a socket lies where no other user can make its folder first', () => {
    const [home, runtime] = [join(folder, 'h'), join(folder, 'r')]
    const socketOf = (HOME: string, XDG_RUNTIME_DIR = runtime) =>
      foldersOf({ VIGIL_HOME: `/${'d'.repeat(120)}`, HOME, XDG_RUNTIME_DIR }).socket
    mkdirSync(home)
    mkdirSync(runtime)
    expect(dirname(dirname(socketOf(home)))).toBe(home)
    for (const unfit of [join(folder, 'none'), join(folder, 'h'.repeat(90))])
      expect(dirname(dirname(socketOf(unfit)))).toBe(runtime)
    expect(dirname(dirname(socketOf('/none', 'relative')))).toBe(tmpdir())
    if (process.getuid?.() !== 0) return
    chownSync(home, 12_345, 12_345)
    expect(dirname(dirname(socketOf(home)))).toBe(runtime)
    chownSync(runtime, 12_345, 12_345)
    expect(dirname(dirname(socketOf(home)))).toBe(tmpdir())
  })
})

describe('a private folder', () => {
  it('[K12] is made for its user alone, and closed if it was open', () => {
    const path = join(folder, 'a', 'b')
    privateFolder(path)
    chmodSync(path, 0o755)
    privateFolder(path)
    expect(statSync(path).mode & 0o777).toBe(0o700)
  })

  it('[PF11] is never one that several users share: it stays as it is', () => {
    const shared = join(folder, 'shared')
    mkdirSync(shared)
    chmodSync(shared, 0o1777)
    expect(() => privateFolder(shared)).toThrow(/several users share this folder.*VIGIL_HOME/)
    expect(statSync(shared).mode & 0o7777).toBe(0o1777)
  })

  it('[PF11] is never one with other files that others can read: it stays as it is', () => {
    const etc = join(folder, 'etc')
    chmodSync(folder, 0o755)
    mkdirSync(join(etc, 'run'), { recursive: true })
    mkdirSync(join(etc, 'vigil'))
    expect(() => privateFolder(etc)).toThrow(/has other files.*VIGIL_HOME/)
    expect(statSync(etc).mode & 0o777).toBe(0o755)
    writeFileSync(join(etc, 'run', 'utmp'), '')
    expect(() => privateFolder(join(etc, 'run'))).toThrow(/has other files/)
    chmodSync(etc, 0o700)
    for (const path of [etc, join(etc, 'run')]) expect(() => privateFolder(path)).not.toThrow()
  })

  it.each([
    ['its log', 'home', 'home/vigil.db'],
    ['its log above it', 'home/spool/rejects', 'home/vigil.log'],
    ['its name', 'vigil', 'vigil/notes'],
    ['its settings', 'home/config', 'home/config/settings.json'],
  ])('[PF11] is vigil’s own by %s, and closed if it was open', (_, path, file) => {
    mkdirSync(join(folder, path), { recursive: true })
    for (const name of [file, `${path}/more`]) writeFileSync(join(folder, name), '')
    privateFolder(join(folder, path))
    expect(statSync(join(folder, path)).mode & 0o777).toBe(0o700)
  })

  it('[K12] may be a link of its user’s own, and none of another user’s', () => {
    mkdirSync(join(folder, 'elsewhere'))
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'link'))
    expect(() => privateFolder(join(folder, 'link'))).not.toThrow()
    if (process.getuid?.() !== 0) return
    lchownSync(join(folder, 'link'), 12_345, 12_345)
    expect(() => privateFolder(join(folder, 'link'))).toThrow(/belongs to user 12345/)
    lchownSync(join(folder, 'link'), 0, 0)
    chownSync(join(folder, 'elsewhere'), 12_345, 12_345)
    expect(() => privateFolder(join(folder, 'link'))).toThrow(/belongs to user 12345/)
  })
})
