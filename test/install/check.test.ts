import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { claude } from '../../src/agents/claude/index.ts'
import { type Folders, foldersOf } from '../../src/home/folders.ts'
import { checkSetup } from '../../src/install/check.ts'
import { installClaude } from '../support/install.ts'

let home: string
let config: string
let settings: string
let folders: Folders
let version: string
const VERSION = '2.1.325'

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'vigil-doctor-'))
  config = join(home, '.claude')
  mkdirSync(config)
  settings = join(config, 'settings.json')
  folders = foldersOf({ VIGIL_HOME: join(home, 'vigil') })
  version = VERSION
})
afterEach(() => rmSync(home, { recursive: true }))

function installed(of = VERSION, allEvents = false): void {
  installClaude({ folders, configDirs: [config], version: of, allEvents })
}

function edit(change: (settings: { hooks: Record<string, object[]> }) => object): void {
  const found = JSON.parse(readFileSync(settings, 'utf8'))
  writeFileSync(settings, JSON.stringify({ ...found, ...change(found) }))
}

async function found() {
  const env = { HOME: home }
  const all = await checkSetup(claude, [config], [{ path: '/claude', version }], { folders, env })
  return all.map(({ level, what, todo }) => ({ level, what, todo })).at(-1)
}

describe('hooks', async () => {
  it.each([
    ['the short set', VERSION, VERSION, false, /: 10 events, the short set \(--all-events: 24\)$/],
    ['all', VERSION, VERSION, true, /: 24 events, all that the client knows; 10 are enough/],
    ['those of an older client', VERSION, '2.1.100', false, /: 22 events; 10 are enough/],
    ['all that an older client knows', '2.1.100', '2.1.100', false, /: 22 events$/],
  ])('[CM12][I24] are well with %s', async (_, runs, writtenFor, all, what) => {
    installed(writtenFor, all)
    version = runs
    expect(await found()).toMatchObject({ level: 'ok', what: expect.stringMatching(what) })
  })

  it('[I24] of the short set are a reason to install once an older client runs', async () => {
    installed()
    version = '2.1.149'
    expect(await found()).toMatchObject({
      level: 'warning',
      what: expect.stringMatching(/: hooks are missing for PreToolUse, /),
      todo: 'vigil install',
    })
    installed(version)
    expect(await found()).toMatchObject({ level: 'ok' })
  })

  it('[CM12] that are not there, or not all of them, are a reason to install', async () => {
    const todo = 'vigil install'
    expect(await found()).toMatchObject({ level: 'warning', todo })
    writeFileSync(settings, '{"model": "opus"}')
    expect(await found()).toMatchObject({ level: 'warning', todo })
    installed('2.0.50')
    expect(await found()).toMatchObject({
      level: 'warning',
      todo,
      what: expect.stringMatching(/StopFail/),
    })
  })

  it('[CM12] that the client does not know are a problem', async () => {
    installed(VERSION, true)
    version = '2.1.100'
    expect(await found()).toMatchObject({
      level: 'problem',
      what: expect.stringContaining('does not know'),
    })
  })

  it.each([VERSION, '2.1.100'])('[CM12] of an earlier vigil cannot answer (%s)', async (of) => {
    version = of
    installed(of)
    expect((await found())?.level).toBe('ok')
    const text = readFileSync(settings, 'utf8')
    writeFileSync(
      settings,
      text.replaceAll(/"answer"(,\s*"(compact|request)")?| answer( compact| request)?/g, ''),
    )
    expect(await found()).toMatchObject({
      level: 'warning',
      what: expect.stringMatching(/SessionStart, PermissionRequest, Stop as an older vigil/),
      todo: 'vigil install',
    })
    installed(of)
    expect((await found())?.level).toBe('ok')
  })

  const command = { type: 'command', command: 'true' }
  it.each([
    ['an entry without hooks', { PreToolUse: [{ matcher: 'Bash' }] }],
    ['no list', { PermissionRequest: { hooks: [] } }],
    ['an unknown type', { PreToolUse: [{ hooks: [{ type: 'toString', command: 'x' }] }] }],
    ['a command without command', { PreToolUse: [{ hooks: [{ type: 'command' }] }] }],
    ['a time below nothing', { PreToolUse: [{ hooks: [{ ...command, timeout: -1 }] }] }],
    ['a matcher that is none', { PreToolUse: [{ matcher: 7, hooks: [command] }] }],
  ])('[CM12] are silent where another program’s entry is broken: %s', async (_, broken) => {
    installed()
    edit(({ hooks }) => ({ hooks: { ...hooks, ...broken } }))
    const [event] = Object.keys(broken)
    expect(await found()).toMatchObject({
      level: 'problem',
      todo: expect.stringContaining(event ?? ''),
    })
  })

  it('[CM12] are not silent where a foreign entry is sound, or another is broken', async () => {
    installed()
    edit(({ hooks }) => {
      const { PreToolUse = [] } = hooks
      const sound = [...PreToolUse, { matcher: 'Bash', hooks: [{ ...command, timeout: 3 }] }]
      return { hooks: { ...hooks, PreToolUse: sound, Setup: [{}] } }
    })
    expect((await found())?.level).toBe('ok')
  })

  it.each([
    ['switched off', '{"disableAllHooks": true}', /disableAllHooks/],
    ['torn', '{"hooks": {', /settings\.json:1:\d+/],
    ['commented', '{ // mine\n}', /comment/],
  ])('[CM12] are silent where the file is %s', async (_, text, what) => {
    writeFileSync(settings, text)
    expect(await found()).toMatchObject({ level: 'problem', what: expect.stringMatching(what) })
  })
})
