import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect as dial, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { guard } from './guard.ts'

const server = createServer((_, response) => response.end('answered'))
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

it('[CT3] connections that wait, and trusted ones, have limits of their own', async () => {
  const decisions: ((isTrusted: boolean) => void)[] = []
  let refused = 0
  guard(server, {
    isTrusted: () => new Promise((resolve) => decisions.push(resolve)),
    onRefused: () => {
      refused += 1
    },
    connectionsMax: 2,
    waitingMax: 3,
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const clients = Array.from({ length: 3 }, asking)
  await expect.poll(() => decisions.length).toBe(3)
  expect(await asking().said).toBe('')
  for (const decide of decisions.splice(0)) decide(false)
  expect(await Promise.all(clients.map(({ said }) => said))).toEqual(['', '', ''])
  expect(refused).toBe(3)
  const own = Array.from({ length: 3 }, asking)
  await expect.poll(() => decisions.length).toBe(3)
  for (const decide of decisions) decide(true)
  const answers = await Promise.all(own.map(({ said }) => said))
  expect(answers.map((said) => said.endsWith('answered')).toSorted()).toEqual([false, true, true])
  expect(refused).toBe(3)
})

function asking(): { readonly socket: Socket; readonly said: Promise<string> } {
  const socket = dial((server.address() as AddressInfo).port, '127.0.0.1')
  let said = ''
  socket
    .on('error', () => {})
    .on('data', (chunk) => {
      said += chunk
    })
  socket.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  return { socket, said: new Promise((resolve) => socket.once('close', () => resolve(said))) }
}
