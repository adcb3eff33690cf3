import { afterEach, describe, expect, it } from 'vitest'
import type { Session } from '../../src/protocol/session.ts'
import { messageOf } from '../../src/surfaces/notify/message.ts'
import { until } from '../support/daemon.ts'
import { OTHER_MACHINE } from '../support/machines.ts'
import { contextWith } from './context.ts'
import { loopback } from './loopback.ts'
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

const far = (given: Partial<Session> = {}) =>
  sessionWith({
    ...{ id: 'a', machine: OTHER_MACHINE, own: false, host: 'build-7', since: Date.now() },
    ...{ tty: '/dev/pts/1', tmuxSocket: '/tmp/tmux-1/default', tmuxPane: '%1', pid: 7 },
    ...given,
  })
const works = { state: 'working' as const, for: null, request: null, unread: false }

async function scene() {
  const server = kept(await loopback())
  const channels = [
    { name: 'hook', kind: 'webhook', url: server.url('/'), secret: 'a secret of the test' },
  ]
  const ground = kept(contextWith({ on: true, channels }))
  const told = () =>
    server.asked.map(({ body }) => {
      const { event, sessions } = JSON.parse(body)
      return `${event} ${sessions.map(({ id, machine }: Session) => `${machine}/${id}`).join()}`
    })
  return { ground, channels, told }
}
const NOTIFIED = `notify ${OTHER_MACHINE}/a`
const WITHDRAWN = `withdraw ${OTHER_MACHINE}/a`

describe('a session of another machine', () => {
  it('[FL92] notifies when it begins to wait, and is withdrawn when it goes', async () => {
    const { ground, told } = await scene()
    kept(ground.attach())
    ground.arrives(far(works))
    ground.arrives(far())
    await until('it is reported', () => told().length > 0)
    ground.leaves(far())
    await until('it is withdrawn', () => told().length > 1)
    expect(told()).toEqual([NOTIFIED, WITHDRAWN])
  })

  it('[FL92] ends its call when its machine is lost, and calls again when it is back', async () => {
    const { ground, told } = await scene()
    kept(ground.attach())
    const hourAgo = Date.now() - 3_600_000
    ground.arrives(far({ ...works, since: hourAgo }))
    ground.arrives(far({ since: hourAgo }))
    await until('it is reported', () => told().length === 1)
    ground.arrives(far({ since: hourAgo, stale: Date.now() }))
    await until('it is withdrawn', () => told().length === 2)
    ground.arrives(far({ since: hourAgo }))
    await until('it is reported again', () => told().length === 3)
    expect(told()).toEqual([NOTIFIED, WITHDRAWN, NOTIFIED])
  })

  it('[FL92] is not repeated after a restart, though its row arrives late', async () => {
    const { ground, told } = await scene()
    const waits = far()
    const first = ground.attach()
    ground.arrives(waits)
    await until('it is reported', () => told().length === 1)
    first.close()
    ground.leaves(waits)
    kept(ground.attach())
    ground.arrives(waits)
    ground.becomes(sessionWith({ id: 'own', since: Date.now() }))
    await until('a later one is reported', () => told().some((line) => line.endsWith('/own')))
    expect(told().filter((line) => line.includes(OTHER_MACHINE))).toEqual([NOTIFIED])
  })

  it('[FL92] is silent where its user does not want it', async () => {
    const { ground, channels, told } = await scene()
    ground.settings({ on: true, channels }, { fleet: { notify: false } })
    kept(ground.attach())
    ground.arrives(far())
    ground.becomes(sessionWith({ id: 'own', since: Date.now() }))
    await until('its own is reported', () => told().length > 0)
    expect(told().filter((line) => line.includes(OTHER_MACHINE))).toEqual([])
  })

  it('[FL92] is named with its machine', () => {
    const leaving = { hideSecrets: false }
    const row = far({ name: 'payments', id: `${OTHER_MACHINE}/a` })
    const { title, sessions } = messageOf('m', 1, [row], leaving)
    expect(title).toContain('payments on build-7: ')
    expect(sessions[0]).toMatchObject({ id: 'a', machine: OTHER_MACHINE, host: 'build-7' })
    const { body } = messageOf('m', 1, [row, sessionWith({ name: 'own' })], leaving)
    expect(body).toContain('payments on build-7')
    expect(body).not.toContain('own on')
  })
})
