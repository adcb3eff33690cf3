import {
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
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  readSettings,
  type Settings,
  type SettingsWatch,
  settingsFileOf,
  watchSettings,
  writeSettings,
} from './settings.ts'

let config: string
let file: string
const watches: SettingsWatch[] = []
beforeEach(() => {
  config = mkdtempSync(join(tmpdir(), 'vigil-settings-'))
  file = settingsFileOf({ config })
})
afterEach(() => {
  for (const watch of watches.splice(0)) watch.close()
  rmSync(config, { recursive: true, force: true })
})

const read = () => readSettings({ config })
const text = () => readFileSync(file, 'utf8')

describe('settings', () => {
  it('[VW16] are the defaults where there is no file, and in an empty one', () => {
    expect(read()).toMatchObject({ tmux: { on: false, mode: 'needs' }, notify: {} })
    writeFileSync(file, '\n')
    expect(read().tmux.glyphs).toBe('emoji')
  })

  it('[VW16] keep what they do not know', () => {
    writeFileSync(file, '{"tmux": {"on": true, "later": [1]}, "newer": {"a": 2}}')
    expect(read()).toMatchObject({ tmux: { on: true, later: [1] }, newer: { a: 2 } })
  })

  it.each([
    ['{\n  "tmux": {\n    "mode": "loud"\n  }\n}', '3:13: tmux.mode: ', '"loud"'],
    ['{\n  "tmux": 7\n}', '2:11: tmux: ', 'found 7'],
    ['{\n  "tmux": {"on": "yes"}\n}', '2:18: tmux.on: ', '"yes"'],
    ['[]', '1:1: ', 'object'],
    ['{\n  "tmux": {\n', '3:1: ', 'close brace expected'],
    ['\uFEFF{"tmux": x}', '1:10: ', 'invalid symbol'],
  ])('[VW17] %j is an error that names line and key', (broken, place, found) => {
    writeFileSync(file, broken)
    expect(read).toThrow(`${file}:${place}`)
    expect(read).toThrow(found)
    expect(() => writeSettings({ config }, { tmux: { on: true } })).toThrow(place)
    expect(text()).toBe(broken)
  })

  it('[VW17] nested too deeply are an error like any other', () => {
    writeFileSync(file, `{"a": ${'['.repeat(200_000)}`)
    expect(read).toThrow(`${file}: nested too deeply`)
  })

  it('[VW17] that cannot be read are an error that names the file', () => {
    mkdirSync(file)
    expect(read).toThrow(`${file}: cannot be read (EISDIR)`)
  })
})

describe('writing settings', () => {
  it('[VW18] makes folder and file, for their user alone', () => {
    rmSync(config, { recursive: true })
    expect(writeSettings({ config }, { tmux: { on: true } }).tmux.on).toBe(true)
    expect(JSON.parse(text())).toEqual({ tmux: { on: true } })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(config).mode & 0o777).toBe(0o700)
    expect(readdirSync(config)).toEqual(['settings.json'])
  })

  it('[VW18] leaves every other key and comment as it was', () => {
    const before = '{\n  // mine\n  "newer": [1,2],\n  "tmux": { "on": false, /* why */ "x": 1 }\n}'
    writeFileSync(file, before)
    writeSettings({ config }, { tmux: { on: true } })
    expect(text()).toBe(before.replace('false', 'true'))
    writeSettings({ config }, { tmux: { on: false, mode: null } })
    expect(text()).toBe(before)
  })

  it('[VW18] goes on in the style of the file', () => {
    writeFileSync(file, '\uFEFF{\r\n\t"tmux": {\r\n\t\t"on": true\r\n\t}\r\n}\r\n')
    writeSettings({ config }, { tmux: { mode: 'real-time' } })
    const added = '"on": true,\r\n\t\t"mode": "real-time"\r\n\t}\r\n}\r\n'
    expect(text()).toBe(`\uFEFF{\r\n\t"tmux": {\r\n\t\t${added}`)
  })

  it('[VW18] gives up where another program never stops writing', () => {
    let times = 0
    const patch = () => {
      times += 1
      writeFileSync(file, `{"times": ${times}}`)
      return { tmux: { on: true } }
    }
    expect(() => writeSettings({ config }, patch)).toThrow('keeps changing it')
    expect(readdirSync(config)).toEqual(['settings.json'])
  })

  it('[VW18] takes a key out, and writes lists whole', () => {
    writeSettings({ config }, { tmux: { mode: 'real-time' }, notify: { list: [{ a: 1 }] } })
    writeSettings({ config }, ({ notify }) => ({
      tmux: { mode: null },
      notify: { list: [...(notify.list as unknown[]), { b: null }] },
    }))
    expect(JSON.parse(text())).toEqual({ tmux: {}, notify: { list: [{ a: 1 }, { b: null }] } })
  })

  it('[VW18] that would break them writes nothing', () => {
    const patch = { tmux: { mode: 'loud' } } as unknown as { tmux: { mode: 'real-time' } }
    expect(() => writeSettings({ config }, patch)).toThrow('tmux.mode')
    expect(readdirSync(config)).toEqual([])
  })

  it('[VW18] goes through a link, and keeps what another wrote at once', () => {
    const real = join(config, 'dotfiles.json')
    writeFileSync(real, '{}')
    symlinkSync(real, file)
    let raced = false
    writeSettings({ config }, () => {
      if (!raced) writeFileSync(real, '{"notify": {"on": true}}')
      raced = true
      return { tmux: { on: true } }
    })
    expect(lstatSync(file).isSymbolicLink()).toBe(true)
    expect(read()).toMatchObject({ tmux: { on: true }, notify: { on: true } })
  })
})

describe('settings that are watched', () => {
  function follow() {
    const onChange = vi.fn<(settings: Settings) => void>()
    const onTrouble = vi.fn<(what: string | undefined) => void>()
    const watch = watchSettings({ config }, onChange, onTrouble)
    watches.push(watch)
    return { watch, onChange, onTrouble }
  }

  it('[VW19] notify when they change, and only then', async () => {
    rmSync(config, { recursive: true })
    const { watch, onChange } = follow()
    expect(watch.settings.tmux.on).toBe(false)
    writeSettings({ config }, { tmux: { on: true } })
    await vi.waitFor(() => expect(onChange).toHaveBeenCalledOnce(), 5_000)
    expect(watch.settings.tmux.on).toBe(true)
    writeFileSync(file, text())
    await sleep(300)
    writeSettings({ config }, { notify: { on: true } })
    await vi.waitFor(() => expect(watch.settings.notify.on).toBe(true), 5_000)
    expect(onChange).toHaveBeenCalledTimes(2)
  })

  it('[VW19] stay in force while the file is broken, which is reported', async () => {
    writeFileSync(file, '{"tmux": {"on": true}}')
    const { watch, onTrouble } = follow()
    writeFileSync(file, '{"tmux": {"on": 1}}')
    await vi.waitFor(() => expect(onTrouble).toHaveBeenLastCalledWith(expect.any(String)), 5_000)
    expect(onTrouble.mock.lastCall?.[0]).toContain('1:17: tmux.on')
    expect(watch.settings.tmux.on).toBe(true)
    rmSync(file)
    await vi.waitFor(() => expect(onTrouble).toHaveBeenLastCalledWith(undefined), 5_000)
    expect(watch.settings.tmux.on).toBe(false)
  })

  it('[VW19] that could not be read for a while are well again', async () => {
    const { onTrouble } = follow()
    rmSync(file, { force: true })
    mkdirSync(file)
    await vi.waitFor(() => expect(onTrouble).toHaveBeenLastCalledWith(expect.any(String)), 5_000)
    rmSync(file, { recursive: true })
    await vi.waitFor(() => expect(onTrouble).toHaveBeenLastCalledWith(undefined), 5_000)
  })

  it('[VW19] that are broken from the start are the defaults', () => {
    writeFileSync(file, '{')
    const { watch, onTrouble } = follow()
    expect(watch.settings.tmux.on).toBe(false)
    expect(onTrouble).toHaveBeenLastCalledWith(expect.stringContaining('1:2'))
  })

  it('[VW19] behind a link are followed where they are', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'vigil-elsewhere-'))
    try {
      writeFileSync(join(elsewhere, 's.json'), '{}')
      symlinkSync(join(elsewhere, 's.json'), file)
      const { watch } = follow()
      writeFileSync(join(elsewhere, 's.json'), '{"notify": {"on": true}}')
      await vi.waitFor(() => expect(watch.settings.notify.on).toBe(true), 5_000)
    } finally {
      rmSync(elsewhere, { recursive: true })
    }
  })
})
