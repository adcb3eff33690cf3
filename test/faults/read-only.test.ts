import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { DaemonHome, turn, until } from '../support/daemon.ts'
import { describeUnless } from '../support/needs.ts'

let home: DaemonHome
beforeEach(() => {
  home = new DaemonHome()
})
afterEach(async () => {
  change('-i')
  await home.end()
})

/** Permissions are no barrier for root; a file that may not be changed is one for everybody. */
function change(flag: '+i' | '-i'): boolean {
  const { database } = home.folders
  return [database, `${database}-wal`].every(
    (file) => spawnSync('chattr', [flag, file]).status === 0,
  )
}

const canForbid = (() => {
  const probe = new DaemonHome()
  const file = join(probe.path, 'probe')
  writeFileSync(file, '')
  const done = ['+i', '-i'].map((flag) => spawnSync('chattr', [flag, file]).status)
  void probe.end()
  return done.every((status) => status === 0)
})()

describeUnless(canForbid ? undefined : 'chattr cannot forbid writing')(
  'a log that may not be written',
  () => {
    it('[K3] forbidden while it runs: shown, said, and written when it may be', async () => {
      const daemon = await home.start()
      home.write(turn('before', 'before'))
      await home.taken()
      expect(change('+i')).toBe(true)
      for (let index = 0; index < 50; index++) home.write(turn(`s${index % 3}`, index))
      await until('it is said', async () => !(await home.client.health()).durable)
      await until('all are judged', async () => (await home.states()).length === 4)
      const { troubles } = await home.client.health()
      expect(troubles.join()).toContain('cannot be written')
      expect(home.log()).toContain('cannot be written')
      expect(home.waiting()).toHaveLength(50)
      expect(change('-i')).toBe(true)
      await home.taken()
      expect(home.nonces().size).toBe(51)
      await until('all is well', async () => (await home.client.health()).durable)
      expect(daemon.isOver).toBe(false)
    })

    it('[K14] forbidden before it starts: said at once, and later all is taken', async () => {
      const daemon = await home.start()
      home.write(turn('before', 'before'))
      await home.taken()
      await daemon.kill()
      expect(change('+i')).toBe(true)
      home.write(turn('s1', 'waiting'))
      const { code, stderr } = await home.run(['status'])
      expect({ code, stderr }).toMatchObject({ code: 1 })
      expect(stderr).toMatch(/cannot start: .*vigil\.db/)
      expect(home.waiting()).toHaveLength(1)
      expect(home.log()).toContain('the daemon cannot continue')
      expect(change('-i')).toBe(true)
      expect((await home.run(['status'])).code).toBe(0)
      await home.taken()
      expect([...home.nonces()]).toEqual([
        ['before', 1],
        ['waiting', 1],
      ])
    })
  },
)
