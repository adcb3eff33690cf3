import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { COMMAND } from '../../../client/start.ts'
import { foldersOf } from '../../../home/folders.ts'
import { install } from '../../../install/install.ts'
import type { Patient } from './finding.ts'
import { checkManaged, managedFolders } from './managed.ts'
import { checkScript, scriptPath } from './script.ts'
import { checkSettings } from './settings.ts'

let home: string
let patient: Patient
let settings: string
const VERSION = '2.1.325'

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'vigil-doctor-'))
  const config = join(home, '.claude')
  mkdirSync(config)
  settings = join(config, 'settings.json')
  patient = {
    folders: foldersOf({ VIGIL_HOME: join(home, 'vigil') }),
    env: {},
    home,
    daemon: undefined,
    absence: 'a test',
    version: VERSION,
    configFolders: [config],
    managed: [join(home, 'managed')],
  }
})
afterEach(() => rmSync(home, { recursive: true }))

function installed(version = VERSION): void {
  const { folders, configFolders } = patient
  install({ folders, configDirs: configFolders, version, node: process.execPath, vigil: COMMAND })
}

function edit(change: (settings: { hooks: Record<string, object[]> }) => object): void {
  const found = JSON.parse(readFileSync(settings, 'utf8'))
  writeFileSync(settings, JSON.stringify({ ...found, ...change(found) }))
}

const found = () =>
  checkSettings(patient).map(({ level, what, todo }) => ({ level, what, todo }))[0]

describe('hooks', () => {
  it('[CM12] are well when all that the client knows are installed', () => {
    installed()
    expect(found()).toMatchObject({ level: 'ok', what: expect.stringMatching(/^~.*: \d+ events$/) })
  })

  it('[CM12] that are not there, or not all of them, are a reason to install', () => {
    const todo = 'vigil install'
    expect(found()).toMatchObject({ level: 'warning', todo })
    writeFileSync(settings, '{"model": "opus"}')
    expect(found()).toMatchObject({ level: 'warning', todo })
    installed('2.0.50')
    expect(found()).toMatchObject({
      level: 'warning',
      todo,
      what: expect.stringMatching(/StopFail/),
    })
  })

  it('[CM12] that the client does not know are a problem', () => {
    installed()
    patient = { ...patient, version: '2.1.100' }
    expect(found()).toMatchObject({
      level: 'problem',
      what: expect.stringContaining('does not know'),
    })
  })

  it.each([VERSION, '2.1.100'])('[CM12] of an earlier vigil cannot answer (%s)', (version) => {
    patient = { ...patient, version }
    installed(version)
    expect(found()?.level).toBe('ok')
    const text = readFileSync(settings, 'utf8')
    writeFileSync(
      settings,
      text.replaceAll(/"answer"(,\s*"(compact|request)")?| answer( compact| request)?/g, ''),
    )
    expect(found()).toMatchObject({
      level: 'warning',
      what: expect.stringMatching(/SessionStart, PermissionRequest, Stop as an earlier vigil/),
      todo: 'vigil install',
    })
    installed(version)
    expect(found()?.level).toBe('ok')
  })

  const command = { type: 'command', command: 'true' }
  it.each([
    ['an entry without hooks', { PreToolUse: [{ matcher: 'Bash' }] }],
    ['no list', { PermissionRequest: { hooks: [] } }],
    ['a type nobody knows', { PreToolUse: [{ hooks: [{ type: 'toString', command: 'x' }] }] }],
    ['a command without command', { PreToolUse: [{ hooks: [{ type: 'command' }] }] }],
    ['a time below nothing', { PreToolUse: [{ hooks: [{ ...command, timeout: -1 }] }] }],
    ['a matcher that is none', { PreToolUse: [{ matcher: 7, hooks: [command] }] }],
  ])('[CM12] are silent where somebody else’s entry is broken: %s', (_, broken) => {
    installed()
    edit(({ hooks }) => ({ hooks: { ...hooks, ...broken } }))
    const [event] = Object.keys(broken)
    expect(found()).toMatchObject({ level: 'problem', todo: expect.stringContaining(event ?? '') })
  })

  it('[CM12] are not silent where a foreign entry is sound, or another event’s is not', () => {
    installed()
    edit(({ hooks }) => {
      const { PreToolUse = [] } = hooks
      const sound = [...PreToolUse, { matcher: 'Bash', hooks: [{ ...command, timeout: 3 }] }]
      return { hooks: { ...hooks, PreToolUse: sound, Setup: [{}] } }
    })
    expect(found()?.level).toBe('ok')
  })

  it.each([
    ['switched off', '{"disableAllHooks": true}', /disableAllHooks/],
    ['torn', '{"hooks": {', /settings\.json:1:\d+/],
    ['commented', '{ // mine\n}', /comment/],
  ])('[CM12] are silent where the file is %s', (_, text, what) => {
    writeFileSync(settings, text)
    expect(found()).toMatchObject({ level: 'problem', what: expect.stringMatching(what) })
  })
})

describe('managed settings', () => {
  it.each(['disableAllHooks', 'allowManagedHooksOnly'])('[CM12] may forbid hooks: %s', (key) => {
    const folder = join(home, 'managed/managed-settings.d')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, '10.json'), JSON.stringify({ [key]: false }))
    writeFileSync(join(home, 'managed/managed-settings.json'), 'not JSON')
    expect(checkManaged(patient)).toEqual([])
    writeFileSync(join(folder, '20.json'), JSON.stringify({ [key]: true }))
    expect(checkManaged(patient)).toMatchObject([
      { level: 'problem', what: expect.stringContaining('20.json') },
    ])
  })

  it('lie where the system’s administrator puts them', () => {
    expect(managedFolders('linux')).toEqual(['/etc/claude-code'])
    expect(managedFolders('darwin')).toHaveLength(1)
  })
})

describe('the script', () => {
  const level = () => checkScript(patient).level

  it('[CM12] is there, can be run, is of this version and finds its Node', () => {
    expect(level()).toBe('warning')
    installed()
    expect(level()).toBe('ok')
    const path = scriptPath(patient.folders)
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.replaceAll(process.execPath, '/bin/sh'))
    expect(level()).toBe('ok')
    writeFileSync(path, text.replaceAll(process.execPath, '/nowhere/node'))
    expect(checkScript(patient)).toMatchObject({
      level: 'problem',
      what: expect.stringContaining('/nowhere/node'),
    })
    writeFileSync(path, `${text}# older\n`)
    expect(level()).toBe('warning')
    writeFileSync(path, text)
    chmodSync(path, 0o600)
    // To root every file is readable, but none without a mark is runnable.
    expect(level()).toBe('problem')
  })
})
