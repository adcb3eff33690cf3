import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { installClaude } from '../../test/support/install.ts'
import { allRecordings, withoutStatus } from '../../test/support/recordings.ts'
import { translate } from '../agents/index.ts'
import type { Report } from '../core/signal.ts'
import { Tracker } from '../core/tracker.ts'
import { type Folders, foldersOf } from '../home/folders.ts'
import { reportsOf } from '../recording/read.ts'
import { SilentStatus } from './silent-status.ts'

const ABOUT = 'status of Claude Code'
const HELLO = reportsOf(allRecordings().find(({ name }) => name === 'hello') as never)

let top: string
let folders: Folders
let said: Map<string, string | undefined>
let tracker: Tracker
let silent: SilentStatus

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  top = mkdtempSync(join(tmpdir(), 'vigil-silent-'))
  folders = foldersOf({ VIGIL_HOME: join(top, 'vigil') })
  said = new Map()
  tracker = new Tracker(translate)
  silent = new SilentStatus({ tracker, folders, troubles: said })
})
afterEach(() => {
  silent.close()
  vi.useRealTimers()
  rmSync(top, { recursive: true, force: true })
})

function installed(allEvents = false): void {
  installClaude({ folders, configDirs: [join(top, '.claude')], version: '2.1.325', allEvents })
}

/** As the daemon does it; the client is left running, and another version if one is named. */
function play(reports: readonly Report[], version = '2.1.400'): void {
  const text = JSON.stringify(reports).replaceAll('"version":"2.1.325"', `"version":"${version}"`)
  for (const report of JSON.parse(text) as Report[]) {
    if (report.file === null || report.alive === false) break
    vi.setSystemTime(report.t)
    const named = { ...report, agent: 'claude' }
    tracker.take(named)
    silent.onReport({ report: named })
    silent.onSessionsChanged(new Set(tracker.sessions.ids()))
  }
}

describe('a client that no longer writes its status', () => {
  it.each(['none', 'first'] as const)('[I25] is a trouble until hooks tell it: %s', (kept) => {
    installed()
    play(withoutStatus(HELLO, kept))
    expect(said.size).toBe(0)
    vi.advanceTimersByTime(15_000)
    expect(said.get(ABOUT)).toBe(
      '2.1.400 no longer writes it; vigil install --all-events uses hooks instead',
    )
    installed(true)
    vi.advanceTimersByTime(10_000)
    expect(said.get(ABOUT)).toBeUndefined()
  })

  it('[I25] is a trouble until the status moves again', () => {
    installed()
    play(withoutStatus(HELLO, 'first'))
    vi.advanceTimersByTime(15_000)
    expect(said.get(ABOUT)).toContain('2.1.400')
    play(HELLO)
    expect(said.get(ABOUT)).toBeUndefined()
  })

  it('[I25] is none where nothing is installed, or every event', () => {
    const isSilent = () => {
      play(withoutStatus(HELLO, 'none'))
      vi.advanceTimersByTime(15_000)
      return said.get(ABOUT) !== undefined
    }
    expect(isSilent()).toBe(false)
    installed(true)
    expect(isSilent()).toBe(false)
  })

  it('[I25] is none where the status moves, or the client is older', () => {
    installed()
    play(HELLO)
    vi.advanceTimersByTime(60_000)
    expect(said.size).toBe(0)
    tracker = new Tracker(translate)
    silent = new SilentStatus({ tracker, folders, troubles: said })
    play(withoutStatus(HELLO, 'none'), '2.1.149')
    vi.advanceTimersByTime(60_000)
    expect(said.size).toBe(0)
  })
})
