import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Insight } from '../../src/protocol/insight.ts'
import { DaemonHome } from '../support/daemon.ts'

const home = new DaemonHome()
const HOSTILE = 'evil\u001b[2J\u202e=x'

beforeAll(async () => {
  await home.start()
  const now = Date.now()
  const hook = (session: string, secondsAgo: number, event: string, more = {}) => ({
    report: {
      t: now - secondsAgo * 1_000,
      source: 'hook' as const,
      env: {},
      payload: {
        session_id: session,
        hook_event_name: event,
        cwd: `/home/ada/${session}`,
        ...more,
      },
    },
  })
  const evil = { cwd: `/home/ada/${HOSTILE}` }
  const tool = { tool_name: 'Bash', tool_use_id: 't1', tool_input: { command: 'ls' } }
  for (const posting of [
    hook('engine', 30, 'UserPromptSubmit', { prompt: 'go' }),
    hook('engine', 20, 'PreToolUse', tool),
    hook('engine', 20, 'PermissionRequest', tool),
    hook('evil', 20, 'UserPromptSubmit', { prompt: 'go', ...evil }),
  ])
    await home.client.post(posting)
  await new Promise((resolve) => setTimeout(resolve, 1_200))
  await home.client.post(hook('engine', 0, 'PostToolUse', tool))
  await home.client.post(hook('engine', 0, 'Stop', { background_tasks: [] }))
})
afterAll(() => home.end())

describe('vigil insight', () => {
  it('[IN15] tells the stretch in words; nothing of an agent’s acts on the terminal', async () => {
    const { code, stdout, stderr } = await home.run(['insight'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^vigil {2}today\n/)
    expect(stdout).toMatch(/worked +\d+ s +2 turns in 2 sessions/)
    expect(stdout).toMatch(/your answer +[1-9][\d.]* s +median of 1 answer/)
    expect(stdout).toContain('evil [2J =x')
    expect(stdout).not.toContain('\u001b')
    expect(stdout).toMatch(/hour +0 +6/)
  })

  it('[IN15] as JSON, for a week and by another clock', async () => {
    const args = ['insight', '--week', '--zone', 'Asia/Kathmandu', '--json']
    const found = JSON.parse((await home.run(args)).stdout) as Insight
    expect([found.period, found.zone, found.byDay.length]).toEqual(['week', 'Asia/Kathmandu', 7])
    expect(found.answers.byKind).toMatchObject([{ kind: 'permission', count: 1 }])
    expect(found.totals.sessions).toBe(2)
  })

  it('[IN15] as a table', async () => {
    const { stdout } = await home.run(['insight', '--month', '--csv', 'days'])
    expect(stdout.trimEnd().split('\r\n')).toHaveLength(31)
    const projects = (await home.run(['insight', '--csv'])).stdout
    expect(projects).toContain('\r\nengine,1,1,')
    expect(projects).not.toContain('\u001b')
  })

  it.each([
    [['--csv', 'secrets'], /--csv secrets: no such table. The tables are projects, days/],
    [['--week', '--month'], /use only one of them/],
    [['--zone', 'Mars/Olympus'], /--zone Mars.Olympus: expected a time zone/],
  ])('[IN15] %j is said to be wrong', async (args, why) => {
    const { code, stderr } = await home.run(['insight', ...args])
    expect(code).not.toBe(0)
    expect(stderr).toMatch(why)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  })
})
