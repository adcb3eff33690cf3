import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startEngine, vigilIn } from './support.ts'

const top = mkdtempSync(join(tmpdir(), 'vigil-agents-'))
const [home, bin] = [join(top, 'vigil'), join(top, 'bin')]
const env = { HOME: top, PATH: `${bin}:/usr/bin:/bin`, CLAUDE_CONFIG_DIR: undefined }
const vigil = (...args: string[]) => vigilIn(home, args, { env })

async function listed() {
  const { status, stdout } = await vigil('agents', '--json')
  expect(status).toBe(0)
  return JSON.parse(stdout)
}

beforeAll(() => {
  mkdirSync(bin)
  writeFileSync(join(bin, 'claude'), '#!/bin/sh\necho "2.1.325 (Claude Code)"\n')
  chmodSync(join(bin, 'claude'), 0o755)
})
afterAll(() => rmSync(top, { recursive: true, maxRetries: 10 }))

describe('vigil agents', () => {
  it('[AG1] says where an agent is and what vigil can do with it, without a daemon', async () => {
    const can = { see: true, answer: true, type: true, loop: true, resume: true, cost: true }
    const path = join(top, '.claude')
    const [first, second] = await listed()
    expect(second).toMatchObject({ agent: 'codex', found: false, program: null })
    expect([first]).toEqual([
      {
        agent: 'claude',
        title: 'Claude Code',
        found: true,
        version: '2.1.325',
        program: join(bin, 'claude'),
        homes: [{ path, exists: false, setUp: 'no', todo: null }],
        can,
        heardAt: null,
      },
    ])
    const { stdout } = await vigil('agents')
    expect(stdout).toMatch(/^Claude Code {2}2\.1\.325\n {2}program {2}.*\n {2}can {6}see, answer,/)
  })

  it('[AG1] tells a folder with vigil from one without, and from one in part', async () => {
    const setUp = async () => (await listed())[0].homes[0]
    mkdirSync(join(top, '.claude'))
    expect(await setUp()).toMatchObject({ exists: true, setUp: 'no', todo: 'vigil install' })
    await vigil('install')
    expect(await setUp()).toMatchObject({ setUp: 'yes', todo: null })
    expect((await vigil('agents')).stdout).toContain('folder   ~/.claude: set up\n')
    writeFileSync(join(top, '.claude/settings.json'), '{}')
    expect(await setUp()).toMatchObject({ setUp: 'incomplete', todo: 'vigil install' })
    await vigil('uninstall')
    rmSync(join(top, '.claude'), { recursive: true, force: true })
  })

  it('[AG1] says so of an agent that is not here', async () => {
    const nobody = { ...env, PATH: '/usr/bin:/bin', HOME: join(top, 'nobody') }
    const { stdout } = await vigilIn(home, ['agents'], { env: nobody })
    expect(stdout).toMatch(/^Claude Code {2}not found on this machine\n {2}can /)
  })

  it('[AG1] has from the daemon when an agent was last heard', async () => {
    const rig = await startEngine()
    try {
      const t = Date.now() - 120_000
      const payload = { session_id: 's1', hook_event_name: 'SessionStart', source: 'startup' }
      rig.play([{ t, source: 'hook', payload }])
      const { stdout } = await vigilIn(rig.home, ['agents', '--json'], { env })
      expect(JSON.parse(stdout)[0].heardAt).toBe(t)
      expect((await vigilIn(rig.home, ['agents'], { env })).stdout).toMatch(
        /last report \d+ min ago/,
      )
    } finally {
      await rig.close()
    }
  })

  it('[AG4] other names of agents are refused with those there are', async () => {
    for (const command of ['install', 'uninstall', 'doctor', 'run']) {
      const { status, stderr } = await vigil(command, '--agent', 'nobody')
      expect([status, stderr]).toEqual([2, expect.stringMatching(/nobody.*claude/)])
    }
  })

  it('teaches by its help', async () => {
    expect((await vigil('agents', '--help')).stdout).toMatch(/Examples:\n {2}vigil agents\n/)
  })
})
