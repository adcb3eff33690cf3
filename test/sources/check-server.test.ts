import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { finding } from '../../src/agents/finding.ts'
import type { AgentServer } from '../../src/agents/servers.ts'
import { checkServer } from '../../src/sources/servers/check-server.ts'
import { after, folder } from './support.ts'

/** A check of a server that does so with its callers. */
async function checked(greet: (socket: Socket) => void, mode = 0o700) {
  const root = join(folder(), 'own')
  mkdirSync(root, { mode: 0o700 })
  const path = join(root, 'sock')
  const server = createServer((socket) => {
    socket.on('error', () => {})
    greet(socket)
  })
  await new Promise<void>((resolve) => server.listen(path, resolve))
  after(() => server.close())
  chmodSync(root, mode)
  return { path, found: () => checkServer(serverAt(path), '/h', '/v/hook') }
}

function serverAt(path: string): AgentServer {
  const check = () => ({
    ...{ open: () => [], take: () => undefined, found: () => undefined },
    silent: (why: string) => finding.warning('x', why, 'restart it'),
  })
  return { socketOf: () => path, talk: () => ({}) as never, check }
}

it('[CX55] a server that hangs up, or says something else, is said with its reason', async () => {
  const hangsUp = await checked((socket) => socket.once('data', () => socket.end()))
  expect(await hangsUp.found()).toMatchObject({ what: 'it closed the connection' })
  const other = await checked((socket) => socket.end('HTTP/1.1 404 Not Found\r\n\r\n'))
  expect((await other.found())?.level).toBe('warning')
})

it('[CX55] one that never answers is not waited for', async () => {
  const silent = await checked(() => {})
  expect(await silent.found()).toMatchObject({ what: 'it did not answer' })
})

it('[CX55] one in a folder that others can write to is not asked', async () => {
  let calls = 0
  const { found } = await checked(() => (calls += 1), 0o777)
  expect(await found()).toMatchObject({ what: 'other users can write to its folder' })
  expect(calls).toBe(0)
})

it('[CX55] no server, or a socket that one left behind, is nothing to say', async () => {
  expect(await checkServer(serverAt('/no/such/socket'), '/h', '/v/hook')).toBeUndefined()
  const { path, found } = await checked(() => {})
  rmSync(path)
  expect(await found()).toBeUndefined()
})
