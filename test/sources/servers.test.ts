import {
  chmodSync,
  chownSync,
  lchownSync,
  mkdirSync,
  realpathSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { ownSocket } from '../../src/sources/servers/own-socket.ts'
import { ServerSource } from '../../src/sources/servers/servers.ts'
import { describeUnless } from '../support/needs.ts'
import { noSecondUser } from '../support/second-user.ts'
import { after, Collector, folder, until } from './support.ts'

/** A server that counts its callers, and a source that looks for it at `home`. */
async function meeting(make: (folder: string) => string) {
  const root = join(folder(), 'own')
  mkdirSync(root, { mode: 0o700 })
  const server = createServer((socket) => {
    calls += 1
    socket.on('error', () => {})
    socket.destroy()
  })
  let calls = 0
  await new Promise<void>((resolve) => server.listen(join(root, 'sock'), resolve))
  after(() => server.close())
  const path = make(root)
  const talk = () => {
    const nothing = { send: [], report: [] }
    return { open: () => nothing, take: () => nothing, act: () => ({ why: 'no' }) }
  }
  const { sink, complain, complaints } = new Collector()
  let looks = 0
  const socketOf = () => {
    looks += 1
    return path
  }
  const agent = { id: 'x', server: { socketOf, talk } }
  const source = new ServerSource({ agent, sink, complain, isAnyRunning: () => true })
  after(() => source.stop())
  source.add('/home')
  source.start()
  return { complaints, calls: () => calls, looks: () => looks }
}

it('[S31] a socket in a folder of this user alone is called, also through a link', async () => {
  const { calls } = await meeting((root) => {
    symlinkSync(join(root, 'sock'), join(root, 'link'))
    return join(root, 'link')
  })
  await until('a call', () => calls() > 0)
})

it.each([
  [
    'a folder that others can write to',
    (root: string) => {
      chmodSync(root, 0o777)
      return join(root, 'sock')
    },
    'other users can write to its folder',
  ],
  [
    'a plain file',
    (root: string) => {
      writeFileSync(join(root, 'file'), '')
      return join(root, 'file')
    },
    'it is no socket',
  ],
])('[S31] %s is refused with the reason', async (_, make, why) => {
  const { complaints, calls } = await meeting(make)
  await until('a complaint', () => complaints.length > 0)
  expect(complaints[0]?.about).toMatchObject({ why })
  expect(calls()).toBe(0)
})

/** Some user without an account: files need only its number. */
const UID = 54_321

describeUnless(noSecondUser)('of another user', () => {
  it.each([
    ['a socket', (root: string) => chownSync(join(root, 'sock'), UID, UID)],
    ['a folder', (root: string) => chownSync(root, UID, UID)],
  ])('[S31] %s is refused with the reason', async (_, give) => {
    const { complaints, calls } = await meeting((root) => {
      give(root)
      return join(root, 'sock')
    })
    await until('a complaint', () => complaints.length > 0)
    expect(complaints[0]?.about).toMatchObject({ why: 'another user owns it' })
    expect(calls()).toBe(0)
  })

  it('[S31] a link is followed to the socket that was checked', async () => {
    const { calls } = await meeting((root) => {
      symlinkSync(join(root, 'sock'), join(root, 'link'))
      lchownSync(join(root, 'link'), UID, UID)
      expect(ownSocket(join(root, 'link'))).toEqual({ path: realpathSync(join(root, 'sock')) })
      return join(root, 'link')
    })
    await until('a call', () => calls() > 0)
  })
})

it('[S31] no socket is no reason to complain', async () => {
  const { complaints } = await meeting((root) => join(root, 'none'))
  expect(complaints).toEqual([])
})

it.each([
  ['hangs up', (root: string) => join(root, 'sock')],
  [
    'is gone but for its file',
    (root: string) => {
      const left = createServer().listen(join(root, 'left'))
      renameSync(join(root, 'left'), join(root, 'gone'))
      left.close()
      return join(root, 'gone')
    },
  ],
])('[S33] one that %s is looked for less and less often', async (_, make) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  after(() => vi.useRealTimers())
  const { looks } = await meeting(make)
  for (let ms = 0; ms < 60_000; ms += 150) {
    await vi.advanceTimersByTimeAsync(150)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(looks()).toBeGreaterThan(10)
  expect(looks()).toBeLessThan(100)
})
