import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { Browsers } from '../browsers/browsers.ts'
import { type Bound, holdOf, newOrigin } from './hold.ts'

/** Two real sockets: their inodes are compared. */
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

it('[OC2] a restarted machine has another hold, whatever its sockets are called', async () => {
  const first = await bound()
  const hold = holdOf(first, 'id', undefined)
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
  const sockets = hold.sockets.replace(
    boot,
    boot.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
  )
  expect(sockets).not.toBe(hold.sockets)
  const before = { ...hold, sockets }
  const browsers = new Browsers()
  browsers.holdOn(before)
  const { key } = browsers.signIn(browsers.code().code, '') ?? {}
  expect(browsers.byKey(key ?? '', before.origin)).toBeDefined()
  const now = holdOf(first, 'id', before)
  browsers.holdOn(now)
  expect(now.origin).not.toBe(before.origin)
  expect([before, now].map(({ origin }) => browsers.byKey(key ?? '', origin))).toEqual([
    undefined,
    undefined,
  ])
  first.close()
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
