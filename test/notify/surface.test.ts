import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Session } from '../../src/protocol/session.ts'
import { cpuMs } from '../support/cpu.ts'
import { until } from '../support/daemon.ts'
import { contextWith } from './context.ts'
import { hangs, loopback, says } from './loopback.ts'
import { sessionWith } from './support.ts'

type Closing = { close?(): unknown; end?(): unknown }
const open: Closing[] = []
const kept = <T extends Closing>(one: T): T => {
  open.push(one)
  return one
}
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await (one.close?.() ?? one.end?.())
})

const SECRET = 'a secret of the test'
async function scene(...answers: Parameters<typeof loopback>) {
  const server = kept(await loopback(...answers))
  const hook = { name: 'hook', kind: 'webhook', url: server.url('/'), secret: SECRET }
  const ground = kept(contextWith({ on: true, channels: [hook] }))
  const told = () =>
    server.asked.map(({ body }) => {
      const { event, sessions } = JSON.parse(body)
      return `${event} ${sessions.map(({ id }: Session) => id).join(' ')}`
    })
  return { server, hook, ground, told }
}

const calls = (id = 'a', given: Partial<Session> = {}) =>
  sessionWith({ id, since: Date.now(), ...given })
const works = (id = 'a') =>
  sessionWith({ id, state: 'working', for: null, request: null, unread: false })

describe('notifications in the daemon', () => {
  it('[NO1][NO7] tell what has stood for half a second, and withdraw it', async () => {
    const { ground, told } = await scene()
    kept(ground.attach())
    ground.becomes(works())
    const since = performance.now()
    ground.becomes(calls())
    await until('it is reported', () => told().length > 0)
    expect(performance.now() - since).toBeGreaterThan(490)
    ground.becomes(calls('a', { unread: false }))
    await until('it is withdrawn', () => told().length > 1)
    expect(told()).toEqual(['notify a', 'withdraw a'])
  })

  it('[NO1] never tell what flickers', async () => {
    const { ground, told } = await scene()
    kept(ground.attach())
    vi.useFakeTimers()
    for (let n = 0; n < 10; n++) {
      ground.becomes(calls('a', { request: { tool: 'Bash', at: n } }))
      await vi.advanceTimersByTimeAsync(40)
      ground.becomes(works())
    }
    await vi.advanceTimersByTimeAsync(700)
    vi.useRealTimers()
    ground.becomes(calls('b'))
    await until('the open call is reported', () => told().length > 0)
    expect(told()).toEqual(['notify b'])
  })

  it('[NO9] know after a restart what was reported, and report what came meanwhile', async () => {
    const { ground, told } = await scene()
    const first = ground.attach()
    ground.becomes(calls('a'))
    ground.sessions.set('old', calls('old', { since: Date.now() - 3_600_000 }))
    await until('it is reported', () => told().length > 0)
    const file = join(ground.folders.state, 'notified.json')
    const killed = readFileSync(file, 'utf8')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(killed).not.toContain('npm test')
    first.close()
    writeFileSync(file, killed)
    ground.sessions.set('b', calls('b'))
    kept(ground.attach())
    await until('the other is reported', () => told().length > 1)
    await sleep(700)
    expect(told()).toEqual(['notify a', 'notify b'])
  })

  it('[NO9] a placeholder that becomes a session is reported once, in either order', async () => {
    const { ground, told } = await scene()
    kept(ground.attach())
    ground.becomes(calls('pane:1'))
    await until('it is reported', () => told().length > 0)
    ground.sessions.set('own', calls('own'))
    ground.gone('pane:1', 'own')
    ground.becomes(calls('own'))
    await sleep(700)
    expect(told()).toEqual(['notify pane:1'])
    ground.becomes(works('own'))
    await until('it is withdrawn', () => told().length > 1)
  })

  it('[NO30] follow their settings while they run', async () => {
    const { ground, told, hook } = await scene()
    kept(ground.attach())
    const pigeon = { name: 'x', kind: 'pigeon' }
    const fault = (at: number) => `notify.channels[${at}].kind`
    const said = () => ground.troubles.get('notify settings') ?? ''
    ground.settings({ on: false, channels: [hook, pigeon] })
    await until('its fault is said', () => said().includes(fault(1)))
    ground.becomes(calls('off'))
    await sleep(700)
    ground.settings({ on: true, channels: [pigeon, hook] })
    await until('the other fault is said', () => said().includes(fault(0)))
    expect([...ground.troubles.keys()]).toEqual(['notify settings'])
    ground.becomes(calls('on'))
    await until('it is reported', () => told().length > 0)
    expect(told()).toEqual(['notify on'])
  })

  it('[AN28] have a link to the session where the page is shared', async () => {
    const { ground, told, hook, server } = await scene()
    const share = { share: { origins: ['https://vigil.example'] } }
    ground.settings({ on: true, channels: [hook] }, share)
    kept(ground.attach())
    ground.becomes(calls('a'))
    await until('it is reported', () => told().length > 0)
    expect(JSON.parse(server.asked[0]?.body ?? '').link).toBe('https://vigil.example/#/s/a')
  })

  it('[NO21] say what is wrong with a channel until it works', async () => {
    const { ground, told } = await scene(says(503))
    kept(ground.attach())
    ground.becomes(calls())
    await until('it is said', () => ground.troubles.has('notify hook'))
    expect(ground.troubles.get('notify hook')).toMatch(/^127\.0\.0\.1:\d+ answered 503; tried 1×/)
    await until('it works', () => !ground.troubles.has('notify hook'))
    expect(told()).toEqual(['notify a', 'notify a'])
  })

  it('[NO20] end at once while a channel hangs', async () => {
    const { ground, server } = await scene(hangs)
    const attached = ground.attach()
    ground.becomes(calls())
    await until('it is asked', () => server.asked.length > 0)
    expect(cpuMs(() => attached.close())).toBeLessThan(100)
  })
})

describe('a thousand changes in a second', () => {
  it('[NO5][NO20] block nothing, and are reported within the limit', async () => {
    const slow = kept(await loopback(...Array.from({ length: 20 }, () => hangs)))
    const { ground, hook, server } = await scene()
    ground.settings({
      on: true,
      channels: [hook, { ...hook, name: 'slow', url: slow.url('/') }],
    })
    kept(ground.attach())
    const ids = Array.from({ length: 1_000 }, (_, n) => `s${n}`)
    const began = performance.now()
    const takenMs: number[] = []
    for (const [n, id] of ids.entries()) {
      takenMs.push(cpuMs(() => ground.becomes(calls(id))))
      const aheadMs = n - (performance.now() - began)
      if (aheadMs > 2) await sleep(aheadMs)
    }
    const counted = () =>
      server.asked.map(({ body }) => {
        const { title } = JSON.parse(body)
        return Number(/(\d+) sessions/.exec(title)?.[1] ?? 1)
      })
    const sum = () => counted().reduce((all, count) => all + count, 0)
    await until('all are reported', () => sum() >= 1_000)
    expect(sum()).toBe(1_000)
    expect(counted().length).toBeLessThanOrEqual(6)
    expect(slow.asked.length).toBeLessThanOrEqual(1)
    // Publishing a change returns at once; the rest is done in between.
    expect(takenMs.toSorted((a, b) => a - b)[989]).toBeLessThan(10)
  })
})
