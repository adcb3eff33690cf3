import { afterEach, beforeEach, expect, it } from 'vitest'
import { DaemonHome, turn, until } from '../support/daemon.ts'

let home: DaemonHome
beforeEach(() => {
  home = new DaemonHome()
})
afterEach(() => home.end())

const TEN = Array.from({ length: 10 }, (_, index) => index)

it('[K6] of ten daemons started at once one stays, and the others name it', async () => {
  const started = TEN.map(() => home.spawn(['daemon', '--quiet']))
  await until('nine have left', () => started.filter(({ isOver }) => isOver).length >= 9)
  await until('the one that stays answers', () => home.client.health().catch(() => undefined))
  const { pid } = await home.client.health()
  expect(home.daemons()).toEqual([pid])
  const left = await Promise.all(started.filter((it) => it.pid !== pid).map(({ ended }) => ended))
  expect(left).toHaveLength(9)
  for (const { code, stderr } of left) {
    expect(code).toBe(0)
    expect(stderr).toContain(`pid ${pid}`)
  }
})

it('[K6] after kill -9 the next daemon starts and takes everything up', async () => {
  const first = await home.start()
  home.write(turn('early', 'early'))
  await home.taken()
  for (let index = 0; index < 50; index++) home.write(turn(`s${index % 5}`, `a${index}`))
  await until('a report was taken', () => home.waiting().length < 50)
  await first.kill()
  for (let index = 0; index < 50; index++) home.write(turn(`s${index % 5}`, `b${index}`, 'Stop'))
  const second = await home.start()
  expect(second.pid).not.toBe(first.pid)
  await home.taken()
  const idle = [0, 1, 2, 3, 4].map((n) => `own-s${n} idle`)
  expect(await home.states()).toEqual(['own-early working', ...idle])
  expect([...home.nonces().values()].filter((count) => count !== 1)).toEqual([])
  expect(home.nonces().size).toBe(101)
})

it('[K6] a command starts the daemon it needs, and ten at once start one', async () => {
  home.write(turn('s1', 1))
  const all = await Promise.all(TEN.map(() => home.run(['status', '--json'])))
  for (const { code, stderr, stdout } of all) {
    // On a busy machine it says after two seconds what it waits for.
    const said = stderr.replaceAll(/^vigil: the daemon is starting: .*…\n/gm, '')
    expect({ code, said }).toEqual({ code: 0, said: '' })
    expect(Array.isArray(JSON.parse(stdout))).toBe(true)
  }
  await until('the others have left', () => home.daemons().length === 1)
  await home.taken()
  expect(await home.states()).toEqual(['own-s1 working'])
})
