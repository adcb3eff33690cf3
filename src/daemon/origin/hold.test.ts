import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { type Bound, holdOf, newOrigin } from './hold.ts'

/** Two real sockets: their inodes are what is compared. */
async function bound(): Promise<Bound & { readonly close: () => void }> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { _handle: handle } = server as unknown as { _handle: { fd: number } }
  return { port: 4711, fds: [handle.fd], close: () => server.close() }
}

it('[OC1] an address is 128 random bits under localhost; on macOS it is the port alone', () => {
  const [one, other] = [newOrigin(4711, 'linux'), newOrigin(4711, 'linux')]
  expect(one).toMatch(/^http:\/\/v[0-9a-f]{32}\.localhost:4711$/)
  expect(one).not.toBe(other)
  expect(newOrigin(4711, 'darwin')).toBe('http://127.0.0.1:4711')
})

it('[OC2] a hold goes on with the same sockets and id, and with no others', async () => {
  const [first, second] = [await bound(), await bound()]
  const hold = holdOf(first, 'id', undefined)
  expect(holdOf(first, 'id', hold)).toBe(hold)
  for (const other of [holdOf(second, 'id', hold), holdOf(first, 'another', hold)]) {
    expect(other.sockets).not.toBe(hold.sockets)
    expect(other.origin).not.toBe(hold.origin)
  }
  for (const { close } of [first, second]) close()
})
