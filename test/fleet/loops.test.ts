import { afterAll, beforeAll, expect, it } from 'vitest'
import type { LoopView } from '../../src/protocol/loop.ts'
import { type IdleClient, idleClient } from '../pane/idle-client.ts'
import { until } from '../support/daemon.ts'
import { noNats } from '../support/nats.ts'
import { describeUnless, NO_TMUX } from '../support/needs.ts'
import { Agent, homeFor } from '../tmux/agent.ts'
import { PrivateTmux } from '../tmux/support.ts'
import { type FleetMachine, FleetMachines } from './machines.ts'

const VERSION = '2.15.1'

describeUnless(NO_TMUX ?? noNats(VERSION))('a loop in a session of another machine', () => {
  let machines: FleetMachines
  let tmux: PrivateTmux
  let desk: FleetMachine
  let laptop: FleetMachine
  let client: IdleClient
  let agent: Agent
  let address = ''

  beforeAll(async () => {
    machines = new FleetMachines(VERSION)
    tmux = new PrivateTmux()
    desk = await machines.start()
    laptop = await machines.add(homeFor(tmux, {}))
    await desk.serve()
    await laptop.join(await desk.line())
    client = await idleClient(tmux)
    agent = new Agent(laptop.home, tmux, client.pane).start()
    address = `${laptop.id}/${agent.id}`
    await until('it is idle', async () => (await row())?.state === 'idle')
    // SPEC FL135. In its first seconds a daemon takes no act from afar.
    const named = () => desk.client.name(address, 'engine')
    await until('it takes calls', () =>
      named().then(
        () => true,
        () => false,
      ),
    )
  })
  afterAll(async () => {
    await machines?.end()
    await tmux?.end()
  })

  const row = async () => (await desk.rowsOf(laptop)).find(({ id }) => id === agent.id)
  const loop = (...args: readonly string[]) => desk.home.run(['loop', ...args])
  const start = () => loop('start', address, '--prompt', 'mend it', '--max', '3')
  const there = async () => (await laptop.client.loops({ all: true })).loops
  const acts = async () => {
    const { acts } = await laptop.client.acts({ session: agent.id })
    return acts.filter(({ what }) => what === 'loop').map(({ who, words }) => `${who}: ${words}`)
  }

  it('[FL120] [FL183] starts with the right to type and typing on, and not without', async () => {
    const refused = await start()
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/not to type/)])
    await laptop.client.allowInFleet(desk.id, 'type')
    const off = await start()
    expect([off.code, off.stderr]).toEqual([2, expect.stringContaining('typing is off')])
    const limits = await loop('start', address, '--prompt', 'mend it', '--until', 'true')
    expect([limits.code, limits.stderr]).toEqual([2, expect.stringMatching(/from another/)])
    expect([await there(), client.sent()]).toEqual([[], []])
    await laptop.home.run(['typing', agent.id, 'on'])
    const { code, stdout, stderr } = await start()
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('vigil has sent the prompt')
    await until('it is typed', () => client.sent().length === 1)
    expect(client.sent()[0]).toContain('mend it')
    expect(await there()).toMatchObject([{ session: agent.id, open: true, max: 3 }])
    expect((await acts()).every((act) => act.includes(desk.id))).toBe(true)
  })

  it('[FL122] [FL201] is shown from there, as a table and as JSON', async () => {
    const { code, stdout, stderr } = await loop('status', address)
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('mend it')
    expect(stdout).toContain('engine')
    const json = JSON.parse((await loop('status', address, '--json')).stdout) as LoopView
    expect(json).toMatchObject({ session: agent.id, open: true })
    // SPEC FL123. The list is of this machine's loops.
    expect((await loop('status')).stdout).toContain('No loop is running')
  })

  it('[FL120] [FL201] is paused and stopped with the right to answer, not with less', async () => {
    await laptop.client.allowInFleet(desk.id, 'look')
    for (const act of ['pause', 'stop'])
      expect((await loop(act, address)).stderr).toMatch(/look, not to act/)
    expect(await there()).toMatchObject([{ open: true, hold: null }])
    await laptop.client.allowInFleet(desk.id, 'answer')
    const paused = await loop('pause', address)
    expect([paused.code, paused.stdout]).toEqual([0, expect.stringMatching(/^engine: .*paused/)])
    expect(await there()).toMatchObject([{ open: true, hold: { kind: 'paused' } }])
    expect((await loop('resume', address)).stderr).toMatch(/not to type/)
    const stopped = await loop('stop', address)
    expect([stopped.code, stopped.stdout]).toEqual([0, expect.stringMatching(/^engine: .*stop/)])
    expect(await there()).toMatchObject([{ open: false }])
    expect((await acts()).filter((act) => act.includes(desk.id)).length).toBeGreaterThan(2)
  })
})
