/**
 * `node bench/requests.ts`: 1,000 open requests of 250 KB in a real daemon, and four listings of
 * them at once: time, size, and the daemon's memory before and after.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { crowd, listings } from '../test/support/crowd.ts'
import { DaemonHome } from '../test/support/daemon.ts'

const MB = 1024 * 1024
const home = new DaemonHome()
try {
  const daemon = await home.start()
  await crowd(home, 1_000, 250_000)
  const before = daemon.memoryBytes()
  let peak = 0
  const watch = setInterval(() => {
    peak = Math.max(peak, daemon.memoryBytes())
  }, 20)
  const { ms, bytes, count, whole } = await listings(home, 4)
  clearInterval(watch)
  await sleep(1_000)
  const figures = {
    requests: count,
    whole,
    listingMb: mb(bytes),
    fourAtOnceSeconds: Number((ms / 1000).toFixed(2)),
    memoryMb: { before: mb(before), peak: mb(peak), after: mb(daemon.memoryBytes()) },
  }
  process.stdout.write(`${JSON.stringify(figures)}\n`)
} finally {
  await home.end()
}

function mb(bytes: number): number {
  return Number((bytes / MB).toFixed(1))
}
