import { readFileSync, statSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { OWN, until } from '../support/daemon.ts'
import { hookAsks } from '../support/hook-asks.ts'
import { noNats } from '../support/nats.ts'
import { describeUnless } from '../support/needs.ts'
import { type FleetMachine, FleetMachines, refusal, restored } from './machines.ts'

const VERSION = '2.15.1'

describeUnless(noNats(VERSION))('machines of a fleet', () => {
  let machines: FleetMachines
  let founder: FleetMachine
  let member: FleetMachine
  let third: FleetMachine

  beforeAll(async () => {
    machines = new FleetMachines(VERSION)
    const started = await Promise.all([machines.start(), machines.start(), machines.start()])
    ;[founder, member, third] = started
  })
  afterAll(() => machines?.end())

  it('[FL143] [FL149] serve runs a server with TLS, and lists this machine', async () => {
    const config = await founder.serve()
    expect(statSync(config).mode & 0o777).toBe(0o600)
    expect(statSync(dirname(config)).mode & 0o777).toBe(0o700)
    expect(readFileSync(config, 'utf8')).toContain('tls')
    const { server, machines: listed } = await founder.client.fleet()
    expect(server).toMatchObject({ connected: true, why: null })
    expect(listed.map(({ id, own, online }) => ({ id, own, online }))).toEqual([
      { id: founder.id, own: true, online: true },
    ])
    expect(await refusal(founder.serve())).toMatch(/belongs to a fleet/)
  })

  it('[FL145] a line that is cut, expired or unknown admits no machine', async () => {
    const line = await founder.line()
    const expired = await founder.line(false, 1_000)
    expect(await refusal(member.join(line.slice(0, -20)))).toMatch(/cut off/)
    expect(await refusal(member.join('vigil'))).toMatch(/not an invitation/)
    await sleep(1_100)
    expect(await refusal(member.join(expired))).toMatch(/expired/)
    expect(member.hasState).toBe(false)
    expect(await member.client.fleet()).toMatchObject({ fleet: null, troubles: [] })
  })

  it('[FL146] [FL144] a machine joins by a line, and each has the other’s rows', async () => {
    await founder.works('here')
    await member.works('there')
    await member.works('idle')
    await member.ends('idle')
    const line = await founder.line()
    expect(await member.join(line)).toMatchObject({ machines: 2 })
    await machines.agree([founder, member])
    const [row] = await founder.rowsOf(member)
    const { name } = (await founder.listed(member)) ?? {}
    expect(row).toMatchObject({ own: false, stale: null, host: name })
    expect(await streamed(founder)).toContain(`${member.id}/${OWN}there false`)
    expect(await refusal(third.join(line))).toMatch(/does not accept|used or withdrawn/)
    expect(third.hasState).toBe(false)
    expect((await founder.client.fleet()).machines).toHaveLength(2)
  })

  it('[FL146] a change arrives, and an end', async () => {
    await member.ends('there')
    await machines.agree([founder, member], 5_000)
    await founder.works('more')
    await machines.agree([founder, member], 5_000)
  })

  it('[FL122] a session of another machine is explained from afar', async () => {
    const id = `${member.id}/${OWN}idle`
    const there = await member.client.explain(`${OWN}idle`)
    const explained = await founder.client.explain(id)
    expect(explained?.grounds.length).toBe(there?.grounds.length)
    expect(explained?.session).toMatchObject({ id: `${OWN}idle`, machine: member.id, own: false })
    const history = await founder.client.history(id)
    const states = (await member.client.history(`${OWN}idle`))?.map(({ verdict }) => verdict.state)
    expect(history?.map(({ verdict }) => verdict.state)).toEqual(states)
    const talk = await founder.client.talk(id).catch((error: Error) => error.message)
    const own = await member.client.talk(`${OWN}idle`).catch((error: Error) => error.message)
    expect(talk).toEqual(own)
    expect(await founder.client.explain(`${member.id}/nobody`)).toBeUndefined()
  })

  it('[FL122] an answer from afar needs the right, counts once, and is logged', async () => {
    const session = `${OWN}asks`
    const hook = await hookAsks(founder.home, session, 'Bash', { command: 'npm test' })
    try {
      const address = `${founder.id}/${session}`
      await until('it is asked', async () => {
        const rows = await member.rowsOf(founder)
        return rows.some(({ id, asks }) => id === session && asks.length === 1)
      })
      const { requests } = await member.client.requests(address)
      const { id = '', digest: shown = '' } = requests[0] ?? {}
      expect(id).toMatch(new RegExp(`^${founder.id}/`))
      const answer = { choice: 'allow', shown, where: 'cli' } as const
      let said = ''
      // SPEC FL135. In its first seconds a daemon takes no act from afar.
      await until('it takes calls', async () => {
        said = await refusal(member.client.answer(id, answer))
        return !said.includes('just started')
      })
      expect(said).toMatch(/look, not to act/)
      await founder.client.allowInFleet(member.id, 'answer')
      const wrong = { ...answer, shown: '0'.repeat(64) }
      expect(await refusal(member.client.answer(id, wrong))).not.toMatch(/not refused/)
      await member.client.answer(id, answer)
      expect(await hook.said).toContain('allow')
      const again = member.client.answer(id, answer)
      await expect(again).rejects.toMatchObject({ status: 409 })
    } finally {
      hook.end()
    }
    const { acts } = await founder.client.audit()
    const answered = acts.filter((act) => act.session === session)
    const { name = '' } = (await founder.listed(member)) ?? {}
    expect(answered.map(({ who }) => who)).toEqual([expect.stringContaining(member.id)])
    expect(answered[0]?.who).toContain(name)
  })

  it('[FL29] a machine that may not look has no row, and others still have them', async () => {
    await third.works('short')
    await third.join(await founder.line())
    await machines.agree([founder, member, third])
    await founder.client.allowInFleet(third.id, 'nothing')
    await until('its rows are gone', async () => (await third.rowsOf(founder)).length === 0)
    await founder.works('secret')
    const isThere = async () =>
      (await member.rowsOf(founder)).some(({ id }) => id.includes('secret'))
    await until('the other has it', isThere)
    expect(await third.rowsOf(founder)).toEqual([])
    expect((await third.listed(founder))?.troubles.join()).toMatch(/does not show its sessions/)
    expect(await refusal(third.client.explain(`${founder.id}/${OWN}secret`))).toMatch(/allow/)
    // After a restart it has not seen the rows before.
    await third.daemon?.kill('SIGTERM')
    await third.start()
    await until('it sees others', async () => (await third.rowsOf(member)).length > 0)
    expect(await third.rowsOf(founder)).toEqual([])
    await founder.client.allowInFleet(third.id, 'look')
    await machines.agree([founder, member, third])
    expect((await third.listed(founder))?.troubles).toEqual([])
  })

  it('[FL147] a removed machine keeps nothing, is seen nowhere, and cannot come back', async () => {
    const kept = readFileSync(`${third.home.folders.data}/fleet.json`)
    await founder.client.removeFromFleet(third.id)
    await until('its rows are gone', async () => {
      const views = [await founder.rowsOf(third), await member.rowsOf(third)]
      return views.flat().length === 0
    })
    await until('it notices', () => !third.hasState, 10_000)
    expect(await third.troubles()).toMatch(/was removed/)
    expect((await third.rows()).every(({ own }) => own)).toBe(true)
    await third.daemon?.kill('SIGTERM')
    await restored(third, kept)
    await until('it is refused', async () => /does not accept/.test(await third.troubles()))
    expect(await founder.rowsOf(third)).toEqual([])
    await machines.agree([founder, member])
    await third.client.leaveFleet()
    expect(third.hasState).toBe(false)
  })

  it('[FL141] [FL32] a machine that leaves leaves nothing, and may join again', async () => {
    expect(await refusal(founder.client.leaveFleet())).toMatch(/remove the other machine first/)
    await member.client.leaveFleet()
    expect(await refusal(member.client.leaveFleet())).toMatch(/belongs to no fleet/)
    expect(member.hasState).toBe(false)
    await until('its rows are gone', async () => (await founder.rowsOf(member)).length === 0)
    const { acts } = await founder.client.audit()
    // SPEC FL121. Its machine asked for it.
    const removed = acts.find(({ words }) => words.includes(`removed`) && words.includes(member.id))
    expect(removed?.who).toContain(`machine ${member.id}`)
    expect((await founder.client.fleet()).machines).toHaveLength(1)
    expect((await member.rows()).every(({ own }) => own)).toBe(true)
    // SPEC FL32. It can read none of the keys before.
    await member.join(await founder.line())
    await machines.agree([founder, member])
  })

  it('[FL190] a machine that joins to be looked at lets the founder look alone', async () => {
    await third.join(await founder.line(true))
    const rightsAt = async (machine: FleetMachine) =>
      (await machine.client.fleet()).machines.map(({ id, right }) => [id, right])
    expect(await rightsAt(third)).toEqual([
      [third.id, 'type'],
      [founder.id, 'look'],
      [member.id, 'look'],
    ])
    expect((await member.listed(founder))?.right).toBe('answer')
    const address = `${third.id}/${await third.works('seen')}`
    await machines.agree([founder, member, third])
    expect((await founder.client.explain(address))?.session.machine).toBe(third.id)
    let said = ''
    await until('it takes calls', async () => {
      said = await refusal(founder.client.name(address, 'mine'))
      return !said.includes('just started')
    })
    expect(said).toMatch(/look, not to act/)
    await third.client.leaveFleet()
  })

  it('[FL83] [FL91] commands say what is known, and what is done there', async () => {
    const address = `${member.id}/${await member.works('far')}`
    await until('its row is there', async () =>
      (await founder.rowsOf(member)).some(({ id }) => address.endsWith(`/${id}`)),
    )
    const typing = await founder.home.run(['typing', address, 'on'])
    expect([typing.code, typing.stderr]).toEqual([1, expect.stringContaining('vigil typing')])
    await member.daemon?.kill('SIGTERM')
    await until('it is missed', async () => !(await founder.listed(member))?.online)
    const { code, stdout, stderr } = await founder.home.run(['why', address])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('its state may have changed')
  })
})

describeUnless(noNats(VERSION))('a server that cannot start', () => {
  it('[FL143] says why, and leaves nothing', async () => {
    const machines = new FleetMachines(VERSION)
    const taken = createServer()
    try {
      const machine = await machines.start()
      await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
      const { port } = taken.address() as AddressInfo
      const wanted = { listen: `127.0.0.1:${port}`, tls: false, names: [], allowOldServer: false }
      expect(await refusal(machine.client.serveFleet(wanted))).toMatch(/address already in use/)
      expect(machine.hasState).toBe(false)
    } finally {
      taken.close()
      await machines.end()
    }
  })
})

/** `address own` of what a stream begins with. */
async function streamed({ client }: FleetMachine): Promise<readonly string[]> {
  const abort = new AbortController()
  const found: string[] = []
  for await (const events of client.stream({ signal: abort.signal }))
    for (const event of events) {
      if (event.kind !== 'snapshot') continue
      found.push(...event.sessions.map(({ machine, id, own }) => `${machine}/${id} ${own}`))
      if (!event.more) return found
    }
  return found
}
