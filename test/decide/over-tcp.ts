import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import type { DaemonHome } from '../support/daemon.ts'

/** As a program that has the token asks on loopback; the status of the answer. */
export async function overTcp(home: DaemonHome, path: string, body: object): Promise<number> {
  const { port } = new URL((await home.client.health()).address ?? '')
  const text = JSON.stringify(body)
  const headers = {
    authorization: `Bearer ${readFileSync(home.folders.token, 'utf8').trim()}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'x-vigil': '1',
  }
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method: 'POST', headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.on('error', reject)
    sent.end(text)
  })
}
