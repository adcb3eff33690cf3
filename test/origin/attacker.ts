import { until } from '../support/daemon.ts'
import type { SecondUser } from '../support/second-user.ts'

/** What an attacker serves: a worker that answers for the daemon from then on. */
export const WORKER = `addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(clients.claim()))
addEventListener('fetch', (event) => event.respondWith(new Response(
  '<!doctype html><title>taken</title>', { headers: { 'content-type': 'text/html' } })))`

const ATTACK = `
const { createServer } = require('node:http')
const port = Number(process.argv[1])
const server = createServer((request, response) => {
  console.log('asked ' + request.headers.authorization)
  const isWorker = request.headers['service-worker'] === 'script'
  response.setHeader('content-type', isWorker ? 'text/javascript' : 'text/html')
  response.end(isWorker ? ${JSON.stringify(WORKER)}
    : '<!doctype html><script>navigator.serviceWorker.register("/sw.js")' +
      '.then(() => navigator.serviceWorker.ready)' +
      '.then(() => { document.title = "ready" })</script>')
})
server.on('error', (error) => { console.log(error.code); process.exit() })
server.listen({ host: process.argv[2], port }, () => console.log('listens'))
`

/** Another user listens on a port, if it can; `heard` is what browsers sent there. */
export async function attacks(attacker: SecondUser, port: string, host: string) {
  const child = attacker.start(process.execPath, ['-e', ATTACK, port, host])
  let heard = ''
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    heard += chunk
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  await until('the attacker has tried', () => heard.includes('\n'))
  const end = () => {
    child.kill('SIGKILL')
    return ended
  }
  return { said: heard.split('\n')[0], heard: () => heard, end }
}
