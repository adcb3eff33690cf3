import { createServer, type Server } from 'node:net'
import { expect } from 'vitest'
import { askPage, signInAt } from '../support/ask-page.ts'
import type { DaemonHome } from '../support/daemon.ts'

/** A browser that signed in, and where. */
export async function signedIn({ client }: DaemonHome) {
  const { address, code } = await client.browserCode()
  const answer = await signInAt(`${address}/#code=${code}`)
  expect(answer.status).toBe(200)
  return { address: address ?? '', key: String(answer.json.key) }
}

/** Of a request that this browser makes. */
export async function statusOf(key: string, address: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` }
  return (await askPage(address, { path: '/v1/sessions', headers })).status
}

/** A port that was only bound for a moment is another's at once. */
export function listens(host: string, port: number): Promise<Server | string> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? ''))
    server.listen({ host, port, ipv6Only: host === '::1' }, () => resolve(server))
  })
}
