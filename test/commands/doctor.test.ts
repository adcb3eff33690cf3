import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claude } from '../../src/agents/claude/index.ts'
import type { CheckFinding } from '../../src/agents/finding.ts'
import { connect } from '../../src/client/client.ts'
import type { Report } from '../../src/core/signal.ts'
import { foldersOf } from '../../src/home/folders.ts'
import { reportsOf } from '../../src/recording/read.ts'
import type { CheckContext } from '../../src/surfaces/cli/doctor/context.ts'
import { checkDaemon } from '../../src/surfaces/cli/doctor/daemon.ts'
import { checkDelivery } from '../../src/surfaces/cli/doctor/delivery.ts'
import { lastReportId, lastReportIdBefore } from '../../src/surfaces/cli/doctor/log-pages.ts'
import { allRecordings } from '../support/recordings.ts'
import { startEngine, vigilIn } from './support.ts'

interface Told {
  readonly ok: boolean
  readonly findings: readonly CheckFinding[]
}

const folder = mkdtempSync(join(tmpdir(), 'vigil-doctor-'))
const home = join(folder, 'vigil')
const user = join(folder, 'user')
const bin = join(folder, 'bin')

/** Nothing of the user who runs the tests: no client, no settings. */
const env = {
  HOME: user,
  PATH: `${bin}:/usr/bin:/bin`,
  CLAUDE_CONFIG_DIR: undefined,
  TMUX_TMPDIR: folder,
}

const vigil = (...args: string[]) => vigilIn(home, args, { env })

async function doctor(): Promise<Told & { readonly status: number | null }> {
  const { status, stdout } = await vigil('doctor', '--agent', 'claude', '--json')
  return { status, ...JSON.parse(stdout) }
}

const about = ({ findings }: Told, name: string) =>
  findings.filter((one) => one.about === name && isOurs(one))

/** The user who runs the tests may have running clients, each with its own settings. */
const isOurs = ({ figures }: CheckFinding) => String(figures?.settings ?? user).startsWith(user)

beforeAll(() => {
  for (const path of [join(user, '.claude'), bin]) mkdirSync(path, { recursive: true })
  writeFileSync(join(bin, 'claude'), '#!/bin/sh\necho "2.1.325 (Claude Code)"\n')
  chmodSync(join(bin, 'claude'), 0o755)
})

afterAll(async () => {
  await vigil('stop')
  rmSync(folder, { recursive: true, maxRetries: 10 })
})

describe('doctor', () => {
  it('[CM11] says of everything how it is and what to do, and measures a hook', async () => {
    const told = await doctor()
    expect(told).toMatchObject({ status: 0, ok: true })
    for (const { level, todo } of told.findings)
      expect(todo, level).toEqual(level === 'ok' ? undefined : expect.stringMatching(/./))
    expect(about(told, 'claude')).toMatchObject([{ level: 'ok', figures: { version: '2.1.325' } }])
    expect(about(told, 'hooks')).toMatchObject([{ level: 'warning', todo: 'vigil install' }])
    expect(about(told, 'daemon')).toMatchObject([
      { level: 'ok', figures: { pid: expect.any(Number) } },
    ])
    const [trip] = about(told, 'round trip')
    expect(trip).toMatchObject({ level: expect.stringMatching(/ok|warning/) })
    expect(trip?.figures?.ms).toHaveLength(5)
    for (const name of ['node', 'store', 'spool', 'tmux', 'delivery'])
      expect(about(told, name), name).not.toEqual([])
  })

  it('[CM11] leaves no session behind: its reports are about none', async () => {
    const client = connect(foldersOf({ VIGIL_HOME: home }))
    const { reports } = await client.reports({ source: 'hook', limit: 1000 })
    const probes = reports.filter(({ report }) => JSON.stringify(report).includes('vigil_probe'))
    expect(probes.map(({ session }) => session)).toEqual(Array(5).fill(null))
  })

  it('[CM11] is content with an install, and finds a problem where one is', async () => {
    await vigil('install')
    const well = await doctor()
    expect(well.status).toBe(0)
    for (const name of ['hooks', 'script'])
      expect(about(well, name), name).toMatchObject([{ level: 'ok' }])
    expect(about(well, 'round trip')[0]?.what).toContain('the installed hook')
    chmodSync(join(home, 'hooks/vigil-hook'), 0o600)
    const ill = await doctor()
    expect(ill).toMatchObject({ status: 1, ok: false })
    expect(about(ill, 'script')).toMatchObject([{ level: 'problem', todo: 'vigil install' }])
    expect(about(ill, 'round trip')).toMatchObject([{ level: 'problem' }])
  })

  it('[CM11] is a table for people, without colours in a pipe', async () => {
    const { stdout } = await vigil('doctor', '--agent', 'claude')
    expect(stdout).toMatch(/^✓ node +\d+\.\d+/)
    expect(stdout).toMatch(/^✗ script +.*\n +→ vigil install$/m)
    expect(stdout).not.toContain('\u001b')
  })

  it('[CM14] works where no daemon can be started, and says so', async () => {
    const broken = join(folder, 'broken')
    mkdirSync(broken)
    // A file in the place of a folder.
    writeFileSync(join(broken, 'run'), '')
    const { status, stdout } = await vigilIn(broken, ['doctor', '--json'], { env })
    const told: Told = JSON.parse(stdout)
    expect(status).toBe(1)
    expect(about(told, 'daemon')).toMatchObject([
      { level: 'problem', todo: expect.stringContaining('vigil daemon') },
    ])
    expect(about(told, 'node')).toMatchObject([{ level: 'ok' }])
    for (const name of ['round trip', 'delivery'])
      expect(about(told, name)).toMatchObject([{ level: 'warning' }])
  })
})

describe('delivery', () => {
  it('[CM13] is counted in the log; too little is a warning with its reason', async () => {
    const rig = await startEngine()
    try {
      const recording = allRecordings().find(({ name }) => name === 'bash_approve')
      const reports = recording ? reportsOf(recording) : []
      const check = async () => {
        const health = { ...(await rig.client.health()), now: (reports.at(-1)?.t ?? 0) + 60_000 }
        const daemon = { client: rig.client, health }
        const agents = [{ agent: claude, client: undefined, homes: [], isFound: true }]
        const [found] = await checkDelivery({ daemon, agents } as unknown as CheckContext)
        return found as CheckFinding
      }
      rig.play(reports.filter(({ source }) => source === 'hook'))
      expect(await check()).toMatchObject({
        level: 'ok',
        what: expect.stringMatching(/^no events/),
      })
      rig.play(reports.filter(({ source }) => source === 'transcript'))
      expect(await check()).toMatchObject({ level: 'ok', what: expect.stringContaining('100 %') })
      const foreign = JSON.stringify(reports).replaceAll('toolu_', 'other_')
      rig.play(JSON.parse(foreign).filter(({ source }: Report) => source === 'transcript'))
      const poor = await check()
      expect(poor).toMatchObject({ level: 'warning', what: expect.stringContaining('50 %') })
      expect(poor.todo).toMatch(/^PreToolUse and PostToolUse/)
    } finally {
      await rig.close()
    }
  })
})

describe('a client that no longer writes its status', () => {
  it('[I25] is a warning with its cure, said once', async () => {
    const rig = await startEngine()
    try {
      const troubles = ['status of Claude Code: 2.1.400 no longer writes it']
      const daemon = { client: rig.client, health: { ...(await rig.client.health()), troubles } }
      const found = checkDaemon({ daemon, folders: {} } as unknown as CheckContext)
      expect(found.filter(({ what }) => what.includes('2.1.400'))).toMatchObject([
        { about: 'hooks', level: 'warning', todo: 'vigil install --all-events' },
      ])
    } finally {
      await rig.close()
    }
  })
})

describe('the end of the log', () => {
  it('is found by few questions, and so is where a time begins', async () => {
    const rig = await startEngine()
    try {
      expect(await lastReportId(rig.client)).toBe(0)
      const recording = allRecordings().find(({ name }) => name === 'bash_approve')
      const reports = recording ? reportsOf(recording) : []
      rig.play(reports)
      expect(reports.length).toBeGreaterThan(40)
      expect(await lastReportId(rig.client)).toBe(reports.length)
      for (const at of [0, 1, 17, reports.length - 1]) {
        const t = reports[at]?.t ?? 0
        const first = reports.findIndex((report) => report.t >= t)
        expect(await lastReportIdBefore(rig.client, t), String(at)).toBe(first)
      }
    } finally {
      await rig.close()
    }
  })
})
