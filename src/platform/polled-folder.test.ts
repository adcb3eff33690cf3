import {
  appendFileSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isSilentMount } from './folder-events.ts'
import { FolderPolling } from './folder-polling.ts'
import { PolledFolder } from './polled-folder.ts'

let root: string
let told: string[]
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'vigil-polled-'))
  told = []
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(root, { recursive: true, force: true })
})

const at = (name: string) => join(root, name)
const tell = (type: string, name: string | null) => told.push(`${type} ${name}`)

/** The events of one look. */
function look(folder: PolledFolder): string[] {
  told = []
  folder.look()
  return told
}

/** As if it had been written long ago. */
function age(name: string): void {
  const then = Date.now() / 1000 - 90_000
  utimesSync(name, then, then)
}

describe('a folder that is looked at', () => {
  it('[PT4] tells what came, what was written to and what went, each once', () => {
    writeFileSync(at('old'), 'x')
    const folder = new PolledFolder(root, false, tell)
    expect(look(folder)).toEqual([])
    writeFileSync(at('new'), '')
    expect(look(folder)).toEqual(['rename new'])
    appendFileSync(at('old'), 'y')
    expect(look(folder)).toEqual(['change old'])
    renameSync(at('old'), at('moved'))
    expect(look(folder)).toEqual(['rename old', 'rename moved'])
    rmSync(at('moved'))
    expect(look(folder)).toEqual(['rename moved'])
    expect(look(folder)).toEqual([])
  })

  it('[PT4] sees what is written through a descriptor that stays open', () => {
    const fd = openSync(at('log'), 'a')
    const folder = new PolledFolder(root, false, tell)
    for (const line of ['one\n', 'two\n']) {
      writeSync(fd, line)
      expect(look(folder)).toEqual(['change log'])
    }
    closeSync(fd)
  })

  it('[PT4] one of many is asked for what is new and what is followed, no more', () => {
    for (const name of ['known', 'other']) writeFileSync(at(name), '')
    const folder = new PolledFolder(root, true, tell)
    expect([look(folder), folder.isWarm]).toEqual([[], false])
    folder.follow('known')
    expect(folder.isWarm).toBe(true)
    for (const name of ['known', 'other']) appendFileSync(at(name), 'y')
    expect(look(folder)).toEqual(['change known'])
    writeFileSync(at('late'), '')
    expect(look(folder)).toEqual(['rename late'])
    appendFileSync(at('late'), 'y')
    expect(look(folder)).toEqual(['change late'])
    // A day later the session is long over.
    for (const name of ['known', 'late']) age(at(name))
    expect(look(folder)).toEqual(['change known', 'change late'])
    expect([look(folder), folder.isWarm]).toEqual([[], false])
  })

  it('[PT4] a removed folder is reported by its name, a file in its place is refused', () => {
    mkdirSync(at('sub'))
    const folder = new PolledFolder(at('sub'), false, tell)
    rmSync(at('sub'), { recursive: true })
    expect(look(folder)).toEqual(['rename sub'])
    expect(look(folder)).toEqual([])
    writeFileSync(at('file'), '')
    expect(() => new PolledFolder(at('file'), false, tell)).toThrow(/ENOTDIR/)
    expect(() => new PolledFolder(at('none'), false, tell)).toThrow(/ENOENT/)
  })
})

describe('looking at folders', () => {
  /** Times of looks within this many milliseconds, counted by what precedes each. */
  function looksIn(ms: number, polling: FolderPolling): number {
    let looks = 0
    polling.beforeLook = () => {
      looks += 1
    }
    vi.advanceTimersByTime(ms)
    return looks
  }

  it('[PT5] happens as often as what runs needs it', () => {
    vi.useFakeTimers()
    const polling = new FolderPolling()
    const { close } = polling.add(root, false, tell)
    polling.add(root, true, tell)
    expect(looksIn(10_000, polling)).toBe(20)
    polling.isAnyBusy = () => true
    vi.advanceTimersByTime(500)
    expect(looksIn(10_000, polling)).toBe(40)
    polling.isAnyBusy = () => false
    polling.isAnyRunning = () => false
    vi.advanceTimersByTime(500)
    expect(looksIn(10_000, polling)).toBe(5)
    close()
    expect(vi.getTimerCount()).toBe(1)
  })

  it('[PT5] happens at once and three times more when a hook says so', () => {
    vi.useFakeTimers()
    const polling = new FolderPolling()
    polling.add(root, false, tell)
    writeFileSync(at('report'), '')
    polling.wake()
    expect(told).toEqual(['rename report'])
    polling.wake()
    expect(looksIn(499, polling)).toBe(3)
  })

  it('[PT5] what is closed tells nothing, and costs nothing when all are', () => {
    vi.useFakeTimers()
    const polling = new FolderPolling()
    const { close } = polling.add(root, false, tell)
    writeFileSync(at('late'), '')
    close()
    vi.advanceTimersByTime(5_000)
    expect([told, vi.getTimerCount()]).toEqual([[], 0])
  })

  it('[PT5] folders of closed sessions are looked at fifty at a time', () => {
    vi.useFakeTimers()
    const polling = new FolderPolling()
    for (let count = 0; count < 120; count++) {
      mkdirSync(at(`${count}`))
      polling.add(at(`${count}`), true, tell)
    }
    for (let count = 0; count < 120; count++) writeFileSync(at(`${count}/log`), '')
    const counts = [1, 2, 3].map(() => {
      polling.look()
      return told.length
    })
    expect(counts).toEqual([50, 100, 120])
  })
})

it('[PT6] a file system that accepts watches and tells nothing is looked at', () => {
  const isLinux = process.platform === 'linux'
  const types = { '9p': 0x01021997, nfs: 0x6969, smb: 0xfe534d42 }
  for (const type of Object.values(types)) expect(isSilentMount('/', () => type)).toBe(isLinux)
  for (const ext4OrTmpfs of [0xef53, 0x01021994])
    expect(isSilentMount('/', () => ext4OrTmpfs)).toBe(false)
  expect(isSilentMount('/none')).toBe(false)
})
