import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { newToken } from '../../src/daemon/api/token.ts'
import { foldersOf } from '../../src/home/folders.ts'
import { describeUnless } from '../support/needs.ts'
import { noSecondUser, SecondUser } from '../support/second-user.ts'
import { vigilIn } from './support.ts'

const DEEP = 'd'.repeat(60)

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'vigil-unsafe-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true, maxRetries: 10 }))

describeUnless(noSecondUser)('another user made the socket’s folder first', () => {
  let user: SecondUser
  let server: Server
  let connections: number
  let folder: string
  /** No home of its user's own that is short enough: what is left is the folder for all. */
  let env: Record<string, string>

  beforeEach(async () => {
    user = new SecondUser()
    const home = join(root, DEEP, DEEP)
    mkdirSync(home, { recursive: true })
    env = { VIGIL_HOME: home, HOME: home, XDG_RUNTIME_DIR: '' }
    const { socket, token } = foldersOf(env)
    newToken(token)
    folder = dirname(socket)
    expect(dirname(folder)).toBe(tmpdir())
    expect(user.run('/bin/mkdir', ['-m', '777', folder]).status).toBe(0)
    connections = 0
    server = createServer((connection) => {
      connections += 1
      connection.destroy()
    })
    await new Promise<void>((resolve) => server.listen(socket, resolve))
    chownSync(socket, user.uid, user.gid)
    chmodSync(socket, 0o777)
  })
  afterEach(async () => {
    await new Promise((resolve) => server.close(resolve))
    rmSync(folder, { recursive: true, force: true })
    user.remove()
  })

  it.each([['status'], ['watch'], ['stop'], ['answer'], ['why', 'x'], ['open', '--list']])(
    '[CT5] vigil %s sends nothing there and says what to do',
    async (...args) => {
      const { status, stderr } = await vigilIn(env.VIGIL_HOME ?? '', args, { env })
      expect(stderr).toContain(
        `${folder}: belongs to user ${user.uid}, expected 0; nothing was sent`,
      )
      expect(stderr).toContain('set VIGIL_HOME to a private folder')
      expect([status, connections]).toEqual([1, 0])
    },
  )

  it('[CT5] vigil doctor sends nothing there and tells it as a problem', async () => {
    const { status, stdout } = await vigilIn(env.VIGIL_HOME ?? '', ['doctor'], { env })
    expect(stdout).toContain(`belongs to user ${user.uid}`)
    expect([status, connections]).toEqual([1, 0])
  })
})

it('[CT6] the socket of a deep home is in the user’s own home, and leaves no folder', async () => {
  const [deep, home] = [join(root, DEEP, DEEP), join(root, 'h')]
  mkdirSync(home)
  const env = { HOME: home, XDG_RUNTIME_DIR: '', TMPDIR: root }
  const { status } = await vigilIn(deep, ['status', '--json'], { env })
  const folders = foldersOf({ ...env, VIGIL_HOME: deep })
  expect([status, dirname(dirname(folders.socket)), existsSync(folders.socket)]).toEqual([
    0,
    home,
    true,
  ])
  await vigilIn(deep, ['stop'], { env })
  await expect.poll(() => existsSync(dirname(folders.socket)), { timeout: 10_000 }).toBe(false)
})

it('[CT5] no daemon starts in a home that other users can replace', async () => {
  const shared = join(root, 'shared')
  mkdirSync(shared)
  chmodSync(shared, 0o777)
  const home = join(shared, 'home')
  const { status, stderr } = await vigilIn(home, ['status'])
  expect(stderr).toContain(`${shared}: other users can replace its files (mode 777)`)
  expect([status, existsSync(join(home, 'run', 'vigil.sock'))]).toEqual([1, false])
})
