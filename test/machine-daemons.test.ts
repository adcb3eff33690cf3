import { readFileSync, rmSync } from 'node:fs'
import { afterEach, expect, it } from 'vitest'
import { machineFileOf } from '../src/home/machine.ts'
import { DaemonHome, until } from './support/daemon.ts'
import { OTHER_MACHINE } from './support/machines.ts'

const homes: DaemonHome[] = []
afterEach(() => Promise.all(homes.splice(0).map((home) => home.end())))

function aHome(): DaemonHome {
  const home = new DaemonHome()
  homes.push(home)
  return home
}

const machineOf = async (home: DaemonHome) => (await home.client.health()).machine

it('[MA4] daemons that start at once on one home have one id, another home another', async () => {
  const [home, other] = [aHome(), aHome()]
  const started = [home, home, home, other].map((one) => one.spawn(['daemon', '--quiet']))
  await until('both answer', () => Boolean(home.announced() && other.announced()))
  const id = await machineOf(home)
  expect(readFileSync(machineFileOf(home.folders), 'utf8')).toContain(id)
  expect(await machineOf(other)).not.toBe(id)
  await until('one stays', () => started.slice(0, 3).filter(({ isOver }) => !isOver).length === 1)
  expect(await machineOf(home)).toBe(id)
  await home.again()
  expect(await machineOf(home)).toBe(id)
  await home.kill()
  rmSync(machineFileOf(home.folders))
  await home.start()
  expect(await machineOf(home)).not.toBe(id)
})

it('[MA8] a command takes an address, and means none of ours by another machine’s', async () => {
  const home = aHome()
  await home.start()
  home.write({ session_id: 'abc', hook_event_name: 'SessionStart', cwd: '/home/ada/engine' })
  await home.taken()
  const machine = await machineOf(home)
  for (const name of ['abc', `${machine}/abc`, `${machine}/engine`]) {
    const { code, stdout } = await home.run(['why', name])
    expect([name, code, stdout.includes('abc')]).toEqual([name, 0, true])
  }
  const { code, stderr } = await home.run(['why', `${OTHER_MACHINE}/abc`])
  expect([code, stderr]).toEqual([2, expect.stringContaining(`on machine ${OTHER_MACHINE}`)])
})
