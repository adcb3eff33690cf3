import { chmodSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { wantedEvents } from '../../src/agents/claude/events.ts'
import { claude } from '../../src/agents/claude/index.ts'
import { OlderClients } from '../../src/daemon/older-clients.ts'
import { type Folders, foldersOf } from '../../src/home/folders.ts'
import { checkSetup } from '../../src/install/check.ts'
import { oldestClient } from '../../src/install/clients.ts'
import { chosenFor } from '../../src/surfaces/cli/install-which.ts'
import { installClaude } from '../support/install.ts'

const [NEWEST, OLDER, OLD] = ['2.1.325', '2.1.220', '2.1.100'] as const
const DAY_MS = 86_400_000

let top: string
let home: string
let folders: Folders
const program = { path: '/bin/claude', version: NEWEST }
const oldest = () => oldestClient(claude, home, [program])

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'vigil-shared-'))
  home = join(top, '.claude')
  mkdirSync(join(home, 'sessions'), { recursive: true })
  folders = foldersOf({ VIGIL_HOME: join(top, 'vigil') })
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(top, { recursive: true, force: true })
})

/** A transcript that ends with what has no version, as most do. */
function transcript(version: string, ageDays = 0): string {
  const folder = join(home, 'projects/-work')
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${version}-${ageDays}.jsonl`)
  const entries = [{ version: '2.1.1' }, { type: 'user', version }, { type: 'summary' }]
  writeFileSync(path, `${entries.map((entry) => JSON.stringify(entry)).join('\n')}\n`)
  const at = new Date(Date.now() - ageDays * DAY_MS)
  utimesSync(path, at, at)
  return path
}

function registered(pid: number, version: string): void {
  writeFileSync(join(home, `sessions/${pid}.json`), JSON.stringify({ pid, version }))
}

function client(folder: string, version: string): string {
  const path = join(top, folder, 'claude')
  mkdirSync(join(top, folder), { recursive: true })
  writeFileSync(path, `#!/bin/sh\necho "${version} (Claude Code)"\n`)
  chmodSync(path, 0o755)
  return path
}

describe('of several clients that use a config folder the oldest counts', () => {
  it('[I15] by a transcript of the last seven days', () => {
    expect(oldest()).toEqual({ version: NEWEST, seen: '/bin/claude' })
    const path = transcript(OLDER, 6.9)
    transcript(OLD, 7.1)
    expect(oldest()).toEqual({ version: OLDER, seen: path })
  })

  it('[I15] by the registry file of a process that lives', () => {
    registered(process.pid, OLDER)
    // Beyond the largest pid that Linux gives.
    registered(4_194_305, OLD)
    expect(oldest()).toEqual({ version: OLDER, seen: `process ${process.pid}` })
  })

  it('[I15] by every program in PATH and where installers put it', () => {
    const found = client('bin', NEWEST)
    const env = { HOME: top, PATH: `${join(top, 'bin')}:${join(top, 'more')}` }
    const chosen = () => chosenFor({ configDir: [] }, env, folders)[0]?.target.oldest?.[home]
    expect(chosen()).toEqual({ version: NEWEST, seen: found })
    expect(chosen()).toEqual({ version: NEWEST, seen: found })
    const more = client('more', OLDER)
    expect(chosen()).toEqual({ version: OLDER, seen: more })
    const local = client('.local/bin', OLD)
    expect(chosen()).toEqual({ version: OLD, seen: local })
  })

  it('[I15] and the settings hold what it knows, by a form of hook that it runs', () => {
    const target = { [home]: { version: OLD, seen: '' } }
    const { events } = installClaude({
      folders,
      configDirs: [home],
      version: NEWEST,
      oldest: target,
    })
    expect(events).toEqual(wantedEvents(OLD))
  })
})

describe('an older client that appears', () => {
  const found = async () => {
    const env = { HOME: top }
    return (await checkSetup(claude, [home], [program], { folders, env })).at(-1)
  }

  it('[CM12] is a problem to the doctor, which names it and the cure', async () => {
    installClaude({ folders, configDirs: [home], version: NEWEST, allEvents: true })
    expect((await found())?.level).toBe('ok')
    transcript(OLDER)
    expect(await found()).toMatchObject({ level: 'problem', todo: 'vigil install' })
    expect((await found())?.what).toMatch(
      /Claude Code 2\.1\.220 \(~\/.*\.jsonl\) does not know PostModelSwitch/,
    )
  })

  it('[CM12] the cure of a folder that install does not find by itself names it', async () => {
    const other = join(top, 'work')
    mkdirSync(other)
    const [said] = await checkSetup(claude, [other], [program], { folders, env: { HOME: top } })
    expect(said?.todo).toBe('vigil install --config-dir ~/work')
  })

  it('[I16] is a trouble of the daemon until install has written what it knows', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    const said = new Map<string, string | undefined>()
    installClaude({ folders, configDirs: [home], version: NEWEST, allEvents: true })
    const clients = new OlderClients({ folders, troubles: said })
    vi.advanceTimersByTime(60_000)
    expect(said.size).toBe(0)
    const path = transcript(OLDER)
    const entry = { type: 'user', version: OLDER }
    clients.onReport({ report: { t: 1, source: 'transcript', agent: 'claude', path, entry } })
    vi.advanceTimersByTime(1)
    expect(said.get(`hooks in ${home}`)).toMatch(/2\.1\.220 .*PostModelSwitch.*vigil install/)
    installClaude({ folders, configDirs: [home], version: OLDER })
    vi.advanceTimersByTime(10_000)
    expect([...said]).toEqual([[`hooks in ${home}`, undefined]])
    clients.close()
  })

  it('[I16] is a trouble where the short set is not enough for it', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    const said = new Map<string, string | undefined>()
    installClaude({ folders, configDirs: [home], version: NEWEST })
    const clients = new OlderClients({ folders, troubles: said })
    const see = (version: string) => {
      const path = transcript(version)
      const entry = { type: 'user', version }
      clients.onReport({ report: { t: 1, source: 'transcript', agent: 'claude', path, entry } })
      vi.advanceTimersByTime(1_001)
      return said.get(`hooks in ${home}`)
    }
    expect(see(OLDER)).toBeUndefined()
    expect(see(OLD)).toMatch(/2\.1\.100 .* needs hooks for PreToolUse, .*; run `vigil install`/)
    installClaude({ folders, configDirs: [home], version: OLD })
    vi.advanceTimersByTime(10_000)
    expect(said.get(`hooks in ${home}`)).toBeUndefined()
    clients.close()
  })

  it('[I16] is seen in a process, a registry file and a log', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    installClaude({ folders, configDirs: [home], version: NEWEST })
    let looks = 0
    const find = () => {
      looks += 1
      return undefined
    }
    const clients = new OlderClients({ folders, troubles: new Map(), find })
    const see = (report: object) => {
      clients.onReport({ report: { t: 1, source: 'registry', agent: 'claude', ...report } })
      vi.advanceTimersByTime(1_000)
      return looks
    }
    expect(see({ pid: 7, file: { version: OLDER } })).toBe(1)
    expect(see({ pid: 7, file: { version: OLDER } })).toBe(1)
    expect(see({ pid: 8, file: { version: OLDER } })).toBe(2)
    expect(see({ source: 'transcript', path: '/a', entry: { version: OLD } })).toBe(3)
    expect(see({ source: 'process', pid: process.pid, alive: true })).toBe(3)
    expect(see({ pid: 9, file: { version: 'none' } })).toBe(3)
    // However many come, it looks once a second.
    for (let pid = 100; pid < 200; pid += 1)
      clients.onReport({
        report: { t: 1, source: 'registry', agent: 'claude', pid, file: { version: OLD } },
      })
    vi.advanceTimersByTime(1_000)
    expect(looks).toBe(4)
    clients.close()
  })
})
