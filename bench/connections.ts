/**
 * `npm run bench:connections [-- --json]`: the cost of finding a connection's owner, on a machine
 * with 14,000 open sockets. This run opens and closes them on loopback.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { createServer, connect as dial } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { runningDaemon } from '../src/home/daemon-files.ts'
import { Home, median, percentile } from './daemon/home.ts'
import { at, measure } from './limits.ts'

const SOCKETS = 14_000
const HOLDERS = 4
const ROUNDS = 100
const AT_ONCE = 200

if (process.argv[2] === 'hold') await hold(SOCKETS / HOLDERS / 2)
else
  await measure([
    {
      name: 'connections',
      limit: 'page ≤ 250 ms, 200 at once ≤ 2 s, event loop stalls ≤ 100 ms',
      run: connections,
      holds: (figures) =>
        at(figures, 'pageP99Ms') <= 250 &&
        at(figures, 'atOnceMs') <= 2_000 &&
        at(figures, 'stallMs') <= 100,
    },
  ])

/** A page over new connections, one after another and many at once. */
async function connections() {
  const home = new Home()
  const client = await home.start()
  const page = `http://127.0.0.1:${runningDaemon(home.folders)?.port}/`
  const few = await timesOf(page)
  const holders = Array.from({ length: HOLDERS }, () =>
    fork(fileURLToPath(import.meta.url), ['hold']),
  )
  await Promise.all(holders.map((holder) => once(holder, 'message')))
  const stalls = watched(() => client.health())
  const many = await timesOf(page)
  const begun = performance.now()
  await Promise.all(Array.from({ length: AT_ONCE }, () => timeOf(page)))
  const atOnceMs = performance.now() - begun
  const stallMs = await stalls.end()
  for (const holder of holders) holder.kill()
  await home.end()
  return {
    sockets: SOCKETS,
    fewMs: median(few),
    pageMs: median(many),
    pageP99Ms: percentile(
      many.toSorted((a, b) => a - b),
      0.99,
    ),
    ratio: median(many) / median(few),
    atOnce: AT_ONCE,
    atOnceMs,
    stallMs,
  }
}

async function timesOf(page: string): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) times.push(await timeOf(page))
  return times
}

function timeOf(page: string): Promise<number> {
  const begun = performance.now()
  return new Promise((resolve, reject) => {
    const sent = request(page, { agent: false }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`))
      response.resume().once('end', () => resolve(performance.now() - begun))
    })
    sent.once('error', reject).end()
  })
}

/** The longest answer over the Unix socket, which waits for the event loop and nothing else. */
function watched(ask: () => Promise<unknown>) {
  let [longest, isOver] = [0, false]
  const watching = (async () => {
    while (!isOver) {
      const begun = performance.now()
      await ask()
      longest = Math.max(longest, performance.now() - begun)
      await sleep(2)
    }
  })()
  return {
    end: async () => {
      isOver = true
      await watching
      return longest
    },
  }
}

/** Both ends of this many connections, until this process ends. */
async function hold(pairs: number): Promise<void> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  for (let made = 0; made < pairs; made++) await once(dial(port, '127.0.0.1'), 'connect')
  process.send?.('ready')
}
