import { rmSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { DaemonHome, type Running, turn, until } from '../support/daemon.ts'

let home: DaemonHome
let daemon: Running
beforeEach(async () => {
  home = new DaemonHome()
  daemon = await home.start()
  home.write(turn('s1', 'before'))
  await home.taken()
})
afterEach(() => home.end())

/** What a user does next, and what he must then find: each command is answered. */
async function goesOn(states: readonly string[]): Promise<void> {
  await ask()
  home.write(turn('s2', 'after'))
  await until('it is taken', async () => home.waiting().length === 0 || (await ask()))
  await until('one daemon is left', () => home.daemons().length === 1)
  expect(await home.states()).toEqual(states)
  expect(home.nonces().get('after')).toBe(1)
}

async function ask(): Promise<void> {
  const { code, stderr } = await home.run(['status'])
  // On a busy machine it says after two seconds what it waits for.
  const said = stderr.replaceAll(/^vigil: the daemon is starting: .*…\n/gm, '')
  expect({ code, said }).toEqual({ code: 0, said: '' })
}

const BOTH = ['own-s1 working', 'own-s2 working']

it('[K15] its spool removed: the same daemon makes it again and takes what comes', async () => {
  rmSync(home.folders.spool, { recursive: true, maxRetries: 10 })
  await until('it is there again', () => {
    try {
      return home.waiting()
    } catch {
      return false
    }
  })
  await goesOn(BOTH)
  expect(home.daemons()).toEqual([daemon.pid])
})

it.each(['socket', 'token', 'daemonFile', 'lock', 'run'] as const)(
  '[K15] its %s removed: the next command is answered, and nothing is lost',
  async (name) => {
    rmSync(home.folders[name], { recursive: true, maxRetries: 10 })
    await goesOn(BOTH)
  },
)

it('[K15] its token replaced: it makes room for another daemon', async () => {
  writeFileSync(home.folders.token, `${'0'.repeat(64)}\n`, { mode: 0o600 })
  expect((await daemon.ended).code).toBe(0)
  expect(home.log()).toMatch(/token: was removed or replaced/)
  await goesOn(BOTH)
})

it('[K15] its log removed: what comes later is in a log that is there', async () => {
  for (const end of ['', '-wal', '-shm']) rmSync(home.folders.database + end, { force: true })
  home.write(turn('s2', 'meanwhile'))
  expect((await daemon.ended).code).toBe(0)
  expect(home.log()).toMatch(/vigil\.db: was removed or replaced/)
  await goesOn(['own-s2 working'])
  expect(home.nonces().get('meanwhile')).toBe(1)
})

it('[K15] all of its home removed: the next command starts one that stays alone', async () => {
  await until('it is removed', () => {
    try {
      rmSync(home.path, { recursive: true, maxRetries: 10 })
      return true
    } catch {
      // The daemon makes the spool again while it is removed.
      return false
    }
  })
  await ask()
  await daemon.ended
  await goesOn(['own-s2 working'])
})
