import { afterEach, beforeEach, expect, it } from 'vitest'
import { type IdleClient, idleClient } from '../pane/idle-client.ts'
import { type DaemonHome, until } from '../support/daemon.ts'
import { A_LOOP, BY_USER, LoopRig } from '../support/loops.ts'
import { describeUnless, NO_TMUX } from '../support/needs.ts'
import { Agent, homeFor } from '../tmux/agent.ts'
import { PrivateTmux } from '../tmux/support.ts'
import { overTcp } from './over-tcp.ts'

describeUnless(NO_TMUX)('a loop in another session, through the real daemon', () => {
  let tmux: PrivateTmux
  let home: DaemonHome
  let client: IdleClient
  let agent: Agent
  beforeEach(async () => {
    tmux = new PrivateTmux()
    home = homeFor(tmux, {})
    client = await idleClient(tmux)
    await home.start()
    agent = new Agent(home, tmux, client.pane).start()
    await home.taken()
    await until('it is idle', async () => (await home.states()).includes(`${agent.id} idle`))
  })
  afterEach(async () => {
    await home.end()
    await tmux.end()
  })

  const start = (...more: string[]) =>
    home.run(['loop', 'start', agent.id, '--prompt', 'mend it', ...more])
  const acts = async () =>
    (await home.client.acts({})).acts.map(
      ({ session, who, where, what, words }) => `${session} ${who}, ${where}: ${what} ${words}`,
    )

  it('[WD1] the token over TCP begins, takes up, holds and ends none', async () => {
    const wanted = { ...A_LOOP, session: agent.id, until: 'touch /tmp/never' }
    expect(await overTcp(home, '/v1/loops', wanted)).toBe(403)
    const taken = { session: agent.id, state: IMPORTED }
    expect(await overTcp(home, '/v1/loops/import', taken)).toBe(403)
    expect(await overTcp(home, '/v1/loops/begin', { session: agent.id })).toBe(403)
    expect(await overTcp(home, '/v1/loops/answer', { report: 'hook.1' })).toBe(403)
    expect((await home.client.loops({ all: true })).loops).toEqual([])
    expect([client.sent(), await acts()]).toEqual([[], []])
    const { loop } = await home.client.startLoop({ ...wanted, until: null })
    for (const [what, body] of [
      ['pause', { why: 'x' }],
      ['resume', {}],
      ['stop', { why: 'x' }],
    ] as const)
      expect(await overTcp(home, `/v1/loops/${loop.id}/${what}`, body)).toBe(403)
    expect((await home.client.loop(loop.id))?.open).toBe(true)
  })

  it('[WD2] the token over TCP does not end the daemon', async () => {
    expect(await overTcp(home, '/v1/stop', { why: 'x' })).toBe(403)
    expect((await home.client.health()).pid).toBe(home.announced()?.pid)
  })

  it('[WD3] types nothing while typing is off, and says how to allow it', async () => {
    const { code, stdout } = await start()
    expect(code).toBe(0)
    expect(stdout).toContain(
      `typing is off; turn it on with \`vigil typing ${agent.id.slice(0, 8)} on\``,
    )
    expect(stdout).toContain('send it any prompt, and the loop starts')
    expect(client.sent()).toEqual([])
    await home.run(['typing', agent.id, 'on'])
    const resumed = await home.run(['loop', 'resume', agent.id])
    expect(resumed.stdout).toContain('vigil has sent the prompt: the agent starts now.')
    await until('it is reported', () => client.sent().length === 1)
    expect(client.sent()[0]).toContain('mend it')
    const [prompt] = (await acts()).filter((act) => act.includes(': prompt '))
    expect(prompt).toMatch(/its loop, daemon: prompt .*mend it/s)
  })

  it('[WD4] all that is done to it is noted, with the command it runs', async () => {
    await start('--until', 'make test', '--max', '7')
    await home.run(['loop', 'pause', agent.id])
    await home.run(['loop', 'resume', agent.id])
    const { stdout: state } = await home.run(['loop', 'export', agent.id])
    await home.run(['loop', 'stop', agent.id])
    await home.client.importLoop(agent.id, state)
    const by = `${agent.id} the user, over the socket, cli: loop`
    expect((await acts()).toReversed()).toEqual([
      `${by} started a loop: loop, at most 7; until: make test; prompt: mend it`,
      `${by} paused its loop: by you`,
      `${by} resumed its loop`,
      `${by} stopped its loop: by you`,
      `${by} continued a loop: loop, at most 7; until: make test; prompt: mend it`,
    ])
  })

  it('[WD4] what a source runs is noted, too', async () => {
    const source = { kind: 'command', command: 'next --json' } as const
    await home.client.startLoop({ ...A_LOOP, session: agent.id, mode: 'grind', source })
    expect((await acts())[0]).toContain('grind, at most 10; from: next --json')
  })
})

it('[WD4] what the log does not take is not done', async () => {
  const rig = new LoopRig({ acts: { note: failing } })
  rig.prompt('one')
  await expect(rig.start('one')).rejects.toThrow('disk')
  expect(rig.loops.list({ all: true })).toEqual([])
  expect(() => rig.loops.import('one', IMPORTED, BY_USER)).toThrow('disk')
  expect(rig.loops.list({ all: true })).toEqual([])
})

const IMPORTED = JSON.stringify({
  schema: 1,
  event: 'STATE',
  run_id: 'loop-1766311800-4711',
  stack: [{ id: 'f', mode: 'loop', iter: 3, max: 10 }],
})

function failing(): never {
  throw new Error('the disk is full')
}
