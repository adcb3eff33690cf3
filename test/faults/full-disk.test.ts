import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ask } from '../../src/client/ask.ts'
import { type DaemonHome, turn, until } from '../support/daemon.ts'
import { A_LOOP } from '../support/loops.ts'
import { describeUnless } from '../support/needs.ts'
import { digestOf } from '../support/spooled.ts'
import { canMount, Mounted } from './mounted.ts'

/** Node's cache of compiled code takes some 3 MB of it. */
const DISK_BYTES = 12 * 1024 * 1024
const HOOKS = 200
const IDS = Array.from({ length: HOOKS }, (_, index) => index)

let disk: Mounted
let home: DaemonHome

describeUnless(canMount ? undefined : 'nothing can be mounted')('a small disk', () => {
  beforeEach(async () => {
    disk = await Mounted.make(DISK_BYTES)
    home = disk.home()
  })
  afterEach(async () => {
    await home.end()
    await disk.end()
  })

  it('[K3] full while it runs: all is shown, said not to last, and kept later', async () => {
    const daemon = await home.start()
    home.write(turn('before', 'before'))
    await home.taken()
    expect((await home.client.health()).durable).toBe(true)
    // The spool is on the same disk: what hooks wrote while there was room is found without any.
    daemon.signal('SIGSTOP')
    for (const index of IDS) home.write(turn(`s${index % 4}`, index))
    // A folder of agents' files that is not known yet: that it cannot be remembered blocks nothing.
    const transcript_path = join(home.path, 'other/.claude/projects/-x/own-s1.jsonl')
    home.write({ ...turn('s1', 'folder'), transcript_path })
    disk.fill()
    daemon.signal('SIGCONT')

    await until('it is said', async () => !(await home.client.health()).durable)
    const working = ['own-before', 'own-s0', 'own-s1', 'own-s2', 'own-s3'].map(
      (id) => `${id} working`,
    )
    await until('all are judged', async () => (await home.states()).length === working.length)
    expect(await home.states()).toEqual(working)
    const { troubles } = await home.client.health()
    expect(troubles.join()).toMatch(/cannot be written: .*full; make room on the disk/)
    expect((await home.run(['status'])).stdout).toContain('working')
    expect((await home.run(['doctor'])).stdout).toMatch(/make room on the disk/)
    expect(home.waiting()).toHaveLength(HOOKS + 1)
    const posted = home.client.post({ report: { source: 'hook', payload: turn('posted', 'p') } })
    await expect(posted).rejects.toThrow('the log could not be written')

    disk.makeRoom()
    await home.taken()
    await until('all is well', async () => (await home.client.health()).durable)
    expect((await home.client.health()).troubles.join()).not.toContain('cannot be written')
    const nonces = home.nonces()
    expect(nonces.size).toBe(HOOKS + 3)
    expect([...nonces.values()].filter((times) => times !== 1)).toEqual([])
    expect(home.log()).toMatch(/is working again/)
    expect(daemon.isOver).toBe(false)
  })

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    '[K3] ended by %s while the disk is full: the spool still has all of it',
    async (signal) => {
      const daemon = await home.start()
      daemon.signal('SIGSTOP')
      for (const index of IDS) home.write(turn(`s${index % 4}`, index))
      disk.fill()
      daemon.signal('SIGCONT')
      await until('it is said', async () => !(await home.client.health()).durable)
      const { code } = await daemon.kill(signal)
      expect(code).toBe(signal === 'SIGTERM' ? 0 : null)
      expect(home.waiting()).toHaveLength(HOOKS)
      disk.makeRoom()
      await home.start()
      await home.taken()
      expect(home.nonces().size).toBe(HOOKS)
    },
  )

  it.each(['no log yet', 'a log'])(
    '[K14] full before it starts, with %s: said at once, and nothing is lost',
    async (which) => {
      if (which === 'a log') {
        const daemon = await home.start()
        home.write(turn('before', 'before'))
        await home.taken()
        await daemon.kill('SIGTERM')
      }
      home.write(turn('s1', 'waiting'))
      disk.fill()
      const { code, stderr } = await home.run(['status'])
      expect(code).toBe(1)
      expect(stderr).toMatch(/cannot start: [^v].*(full|ENOSPC|make room)/)
      expect(stderr).not.toContain('    at ')
      disk.makeRoom()
      expect((await home.run(['status'])).code).toBe(0)
      await home.taken()
      expect(home.nonces().get('waiting')).toBe(1)
      expect(await home.states()).toContain('own-s1 working')
    },
  )

  it('[LP75] full while an agent in a loop wants to stop: it stops', async () => {
    const daemon = await home.start()
    home.write(turn('looped', 'begun'))
    await home.taken()
    await home.client.startLoop({ ...A_LOOP, max: 500, session: 'own-looped' })
    daemon.signal('SIGSTOP')
    const stop = { ...turn('looped', 'stop', 'Stop'), last_assistant_message: 'not yet' }
    const report = basename(home.write(stop, { asks: 1 }))
    disk.fill()
    daemon.signal('SIGCONT')
    expect(await askedAbout(report, digestOf(stop))).toEqual({ act: 'allow' })
    await until('it is idle', async () => (await home.states()).includes('own-looped idle'))
    disk.makeRoom()
    expect((await home.client.loop('own-looped'))?.iteration).toBe(0)
  })
})

async function askedAbout(report: string, digest: string): Promise<unknown> {
  const question = { method: 'POST' as const, path: '/v1/loops/answer', body: { report, digest } }
  return JSON.parse(await ask(home.folders, { ...question, silenceMaxMs: 10_000 }))
}
