import { afterEach, beforeEach, expect, it } from 'vitest'
import { DaemonHome, turn, until } from '../support/daemon.ts'

let home: DaemonHome
beforeEach(() => {
  home = new DaemonHome()
})
afterEach(() => home.end())

const TEN = Array.from({ length: 10 }, (_, index) => index)

it('[K6] of ten daemons started at once one stays, and the others name it and end well', async () => {
  const children = TEN.map(() => home.spawn(['daemon', '--quiet']))
  const said = new Map(children.map((child) => [child, '']))
  for (const child of children)
    child.stderr?.setEncoding('utf8').on('data', (text) => said.set(child, said.get(child) + text))
  const over = () => children.filter(({ exitCode, signalCode }) => exitCode ?? signalCode)
  const done = () => children.filter(({ exitCode }) => exitCode !== null)
  await until('nine have left', () => done().length >= 9)
  await until('the one that stays answers', () => home.client.health().catch(() => undefined))
  const { pid } = await home.client.health()
  const left = children.filter((child) => child.pid !== pid)
  expect(over().filter(({ exitCode }) => exitCode !== 0)).toEqual([])
  expect(left).toHaveLength(9)
  expect(home.daemons()).toEqual([pid])
  for (const child of left) expect(said.get(child)).toContain(`pid ${pid}`)
})

it('[K6] after kill -9 the next daemon starts and takes everything up', async () => {
  const first = await home.start()
  for (let index = 0; index < 50; index++) home.write(turn(`s${index % 5}`, `a${index}`))
  await until('a report was taken', () => home.waiting().length < 50)
  await first.kill()
  for (let index = 0; index < 50; index++) home.write(turn(`s${index % 5}`, `b${index}`, 'Stop'))
  const second = await home.start()
  expect(second.pid).not.toBe(first.pid)
  await home.taken()
  const { sessions } = await home.client.sessions()
  expect(sessions.map(({ id, state }) => `${id} ${state}`).toSorted()).toEqual(
    [0, 1, 2, 3, 4].map((n) => `s${n} idle`),
  )
  expect([...home.nonces().values()].filter((count) => count !== 1)).toEqual([])
  expect(home.nonces().size).toBe(100)
})

it('[K6] a command starts the daemon it needs, and ten at once start one', async () => {
  home.write(turn('s1', 1))
  const all = await Promise.all(TEN.map(() => home.run(['status', '--json'])))
  for (const { code, stderr, stdout } of all) {
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(Array.isArray(JSON.parse(stdout))).toBe(true)
  }
  await until('the others have left', () => home.daemons().length === 1)
  await home.taken()
  const { stdout } = await home.run(['status', '--json'])
  expect(JSON.parse(stdout)).toMatchObject([{ id: 's1', state: 'working' }])
})
