import { spawn } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Session } from '../../src/protocol/session.ts'
import { DaemonHome, until } from '../support/daemon.ts'

let home: DaemonHome
const CWD = '/home/ada/payments'

beforeAll(async () => {
  home = new DaemonHome()
  await home.start()
  for (const session of ['first-1', 'second-2']) {
    home.write({ session_id: session, hook_event_name: 'SessionStart', cwd: CWD })
    await until(
      `${session} is known`,
      async () => (await home.client.session(session)) !== undefined,
    )
  }
})
afterAll(() => home.end())

const said = async (...args: string[]) => {
  const { stdout, stderr } = await home.run(args)
  return stdout + stderr
}
const names = async () => {
  const { sessions } = await home.client.sessions()
  const own = sessions.filter(({ cwd }) => cwd === CWD)
  return own.map(({ name }) => name).toSorted()
}

describe('vigil name', () => {
  it('[VW26] calls a session so on every surface, for the next daemon too', async () => {
    expect(await names()).toEqual(['payments', 'payments 2'])
    expect(await said('name', 'second', 'checkout', 'rewrite')).toBe(
      'payments 2 is now called checkout rewrite\n',
    )
    expect(await names()).toEqual(['checkout rewrite', 'payments'])
    expect(await said('status')).toMatch(/ checkout re/)
    expect(await said('why', 'check')).toContain('checkout rewrite')
    await home.again()
    expect(await names()).toEqual(['checkout rewrite', 'payments'])
  })

  it('[VW26] refuses a name that another open session has, and takes one back', async () => {
    expect(await said('name', 'first', 'checkout rewrite')).toContain('name: is the name of')
    expect(await said('name', 'first')).toContain('--clear')
    const { stdout } = await home.run(['name', 'second-2', '--clear', '--json'])
    expect((JSON.parse(stdout) as Session).name).toBe('payments 2')
  })

  it('[VW26] passes on to the session that goes on after a clear', async () => {
    const cwd = '/home/ada/cleared'
    const client = spawn('sleep', ['600'], { stdio: 'ignore' })
    onTestFinished(() => void client.kill('SIGKILL'))
    const events = [
      { session_id: 'before', hook_event_name: 'SessionStart', source: 'startup' },
      { session_id: 'before', hook_event_name: 'SessionEnd', reason: 'clear' },
      { session_id: 'after', hook_event_name: 'SessionStart', source: 'clear' },
    ]
    const tell = async (event: object) => {
      home.write({ cwd, ...event }, { claudePid: client.pid ?? 0 })
      await home.taken()
    }
    await tell(events[0] ?? {})
    await said('name', 'before', 'night', 'shift')
    for (const event of events.slice(1)) await tell(event)
    const called = async () => (await home.client.session('after'))?.name
    await until('it has the name', async () => (await called()) === 'night shift')
    await home.again()
    expect(await called()).toBe('night shift')
  })

  it('[CM18] vigil watch says names, and in JSON the folder and what is asked, too', async () => {
    const watches = [home.spawn(['watch']), home.spawn(['watch', '--json'])]
    await until('both began', () => watches.every(({ stdout }) => stdout.includes('payments')))
    const tool_input = { command: 'npm publish' }
    const asks = { hook_event_name: 'PermissionRequest', tool_name: 'Bash', tool_input }
    home.write({ session_id: 'second-2', cwd: CWD, ...asks })
    await until('both tell', () => watches.every(({ stdout }) => stdout.includes('npm publish')))
    const [words, json] = watches.map(({ stdout }) =>
      stdout.split('\n').findLast((line) => line.includes('npm publish')),
    )
    expect(words).toMatch(/payments 2 +\* ◆ waiting for permission +npm publish$/)
    const request = { tool: 'Bash', text: 'npm publish', at: expect.any(Number) }
    const told = { session: 'second-2', name: 'payments 2', cwd: CWD, state: 'waiting', request }
    expect(JSON.parse(json ?? '')).toMatchObject(told)
    await Promise.all(watches.map((watch) => watch.kill('SIGINT')))
  })
})
