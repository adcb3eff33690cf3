import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { OTHER_MACHINE, OWN_MACHINE } from '../../../test/support/machines.ts'
import type { FleetMachine, FleetView } from '../../protocol/fleet.ts'
import { AGENT_MAY } from './agent-may.ts'
import { machineIn } from './fleet.ts'
import { invitedLines, joinWanted, leftOutServer, listenOption, servedLines } from './fleet-join.ts'
import { fleetLines } from './fleet-table.ts'

const NOW = 10_000_000
const plainly = (_: unknown, text: string) => text

const desk: FleetMachine = {
  ...{ id: OWN_MACHINE, name: 'desk', own: true, founder: true, online: true, lastHeardAt: null },
  ...{ sessions: 3, version: '0.8.0', clockAheadMs: 0, right: 'type', troubles: [] },
}
const laptop: FleetMachine = {
  ...{ ...desk, id: OTHER_MACHINE, name: 'laptop', own: false, founder: false, sessions: 1 },
  ...{ lastHeardAt: NOW - 1_000, clockAheadMs: 3_600_000, right: 'look' },
}
const cloud: FleetMachine = {
  ...{ ...laptop, id: `m${'c3'.repeat(12)}`, name: 'cloud', online: false, clockAheadMs: 10 },
  ...{ lastHeardAt: NOW - 180_000, right: 'nothing', troubles: ['two machines have its id'] },
}
const view: FleetView = {
  fleet: '0123456789abcdef',
  founder: true,
  server: { urls: ['tls://desk:4222'], connected: true, why: null },
  machines: [cloud, laptop, desk],
  troubles: ['the bucket is full'],
}
const linesOf = (over: Partial<FleetView> = {}) => fleetLines({ ...view, ...over }, NOW, plainly)

describe('[FL95] the list of machines', () => {
  it('has each with what is known of it', () => {
    const lines = linesOf()
    const at = (name: string) => lines.findIndex((line) => line.startsWith(`  ${name} `))
    expect([at('desk') < at('laptop'), at('laptop') < at('cloud')]).toEqual([true, true])
    expect(lines[at('desk')]).toMatch(/this machine +3 sessions · vigil 0\.8\.0 · began the fleet$/)
    expect(lines[at('laptop')]).toMatch(
      /online +1 session · .* · its clock is 1 h ahead · may look/,
    )
    expect(lines[at('cloud')]).toMatch(/last heard 3 min ago .*may see nothing here$/)
    expect(lines[at('cloud')]).not.toContain('clock')
    expect(lines[at('cloud') + 2]).toContain('! two machines have its id')
    expect(lines.at(-1)).toBe('! the bucket is full')
    expect(lines[1]).toBe('connected to tls://desk:4222')
  })

  it('says why there is no connection, and how to begin', () => {
    const server = {
      urls: ['tls://desk:4222'],
      connected: false,
      why: 'the certificate is another',
    }
    expect(linesOf({ server })[1]).toBe(
      'not connected to tls://desk:4222: the certificate is another',
    )
    const none = linesOf({ fleet: null, founder: false, server: null, machines: [] }).join('\n')
    expect(none).toContain('vigil fleet serve')
    expect(none).toContain('vigil fleet join LINE')
  })

  it('holds nothing that acts on a terminal', () => {
    const evil = { ...laptop, name: 'a\u001b[31mb', version: '\u001b]0;x', troubles: ['\u001bc'] }
    expect(linesOf({ machines: [evil] }).join('')).not.toContain('\u001b')
  })
})

describe('[FL96] bad input', () => {
  it('names a machine that is there, and one alone', () => {
    expect(machineIn(view.machines, 'LAPTOP')).toBe(laptop)
    expect(machineIn(view.machines, OTHER_MACHINE)).toBe(laptop)
    expect(() => machineIn(view.machines, 'nobody')).toThrow(/no machine has this name.*\n.*cloud/)
    expect(() => machineIn([], 'nobody')).toThrow('belongs to no fleet')
    const twins = [laptop, { ...cloud, name: 'laptop' }]
    expect(() => machineIn(twins, 'laptop')).toThrow(/could be\n.*laptop\n.*laptop/)
    expect(machineIn(twins, cloud.id).id).toBe(cloud.id)
  })

  it('is a nats-server that vigil must not run', () => {
    const folder = mkdtempSync(join(tmpdir(), 'vigil-'))
    writeFileSync(join(folder, 'nats-server'), '', { mode: 0o700 })
    expect(leftOutServer({ PATH: folder })).toContain(
      `nats-server in ${folder}, because every user`,
    )
    rmSync(folder, { recursive: true })
    expect(leftOutServer({ PATH: folder })).toBeUndefined()
  })

  it('is a line or an address of a server', () => {
    expect(joinWanted(' line ', {})).toMatchObject({ line: 'line', servers: [], creds: null })
    const given = joinWanted(undefined, { server: ['nats://a:1'], creds: 'x.creds' })
    expect(given.creds).toBe(`${process.cwd()}/x.creds`)
    expect(() => joinWanted(undefined, {})).toThrow('expected the line')
    expect(joinWanted('line', { creds: '/x' })).toMatchObject({ line: 'line', creds: '/x' })
    expect(() => joinWanted('line', { ca: 'x' })).toThrow('the line has the certificate')
    for (const url of ['a', 'nats://', 'http://a:1', 'nats://u:p@a:1', 'tls://a b', 'nats://a:x'])
      expect(() => joinWanted(undefined, { server: [url] })).toThrow('expected an address such as')
    for (const url of ['nats://a', 'tls://a.b:4222', 'tls://[::1]:4222', 'TLS://10.0.0.7:1/'])
      expect(joinWanted(undefined, { server: [url] }).servers).toEqual([url])
  })

  it.each(['4222', 'host', 'host:', 'host:0', 'host:70000', 'a b:1', ':1'])(
    'of --listen %j is said',
    (value) => {
      expect(() => listenOption(value)).toThrow('expected an address and a port')
    },
  )

  it('takes addresses of both kinds', () => {
    for (const value of ['0.0.0.0:4222', '[::]:4222', 'desk.example.net:4223'])
      expect(listenOption(value)).toBe(value)
  })
})

it('[FL95] what was served is shown, with what is left to do', () => {
  const served = {
    ...{ fleet: 'f', config: '/x/server.conf', urls: ['tls://desk:4222', 'tls://10.0.0.7:4222'] },
    ...{ tls: true, notes: ['the server runs while the daemon does'] },
  }
  const lines = servedLines(served)
  expect(lines[0]).toBe('the server runs at tls://desk:4222 tls://10.0.0.7:4222')
  expect(lines).toContain('the server runs while the daemon does')
  expect(lines.at(-1)).toContain('vigil fleet invite')
})

it('[FL79] an invitation to a server of one’s own asks for credentials', () => {
  const invited = { line: 'vigil-fleet:x', expiresAt: NOW, ownServer: false }
  expect(invitedLines(invited)).toContain("vigil fleet join 'vigil-fleet:x'")
  const own = invitedLines({ ...invited, ownServer: true })
  expect(own).toContain("vigil fleet join 'vigil-fleet:x' --creds FILE")
  expect(own.at(-1)).toContain('vigil fleet permissions')
})

it('[FL97] an agent’s shell may only list', () => {
  const may = Object.entries(AGENT_MAY).filter(([name]) => /^fleet( |$)/.test(name))
  expect(may.length).toBe(8)
  const allowed = may.filter(([, { agent }]) => agent === true).map(([name]) => name)
  expect(allowed).toEqual(['fleet', 'fleet permissions'])
})
