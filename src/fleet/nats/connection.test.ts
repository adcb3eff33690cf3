import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { connectOnce } from './connection.ts'

const INFO = { server_id: 'x', version: '2.15.1', proto: 1, jetstream: true, max_payload: 1e6 }

let server: Server
let received: string
let port: number

/** It offers no TLS, and refuses every login. */
beforeEach(async () => {
  received = ''
  server = createServer((socket) => {
    socket.write(`INFO ${JSON.stringify(INFO)}\r\n`)
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      received += bytes
      socket.end("-ERR 'Authorization Violation'\r\n")
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterEach(() => void server.close())

const login = { user: 'ada', password: 'a secret' }
const connecting = (...schemes: readonly string[]) =>
  connectOnce({ urls: schemes.map((scheme) => `${scheme}://127.0.0.1:${port}`), login }, '_INBOX')

it('[FL185] nothing is sent to an address with tls:// that offers no TLS', async () => {
  for (const schemes of [['tls'], ['TLS'], ['tls', 'nats'], ['nats', 'tls']])
    await expect(connecting(...schemes)).rejects.toThrow('TLS does not fit')
  expect(received).toBe('')
})

it('[FL185] an address with nats:// is used as it is', async () => {
  await expect(connecting('nats')).rejects.toThrow('does not accept')
  expect(received).toContain('a secret')
})
