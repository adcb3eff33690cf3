import { setTimeout as sleep } from 'node:timers/promises'
import { Home, percentile, turn } from './home.ts'

const PER_SECOND = 100
const SECONDS = 20
const SESSIONS = 40

/** From a hook's file to a subscriber's event, at 100 reports a second. */
export async function latency() {
  const home = new Home()
  const client = await home.start()
  const written = new Map<string, number>()
  const delays: number[] = []
  const abort = new AbortController()
  const { seq } = await client.sessions()
  const reading = (async () => {
    for await (const event of client.events({ after: seq, signal: abort.signal })) {
      if (event.kind !== 'verdict') continue
      const begun = written.get(`${event.session} ${event.verdict.state}`)
      if (begun !== undefined) delays.push(performance.now() - begun)
      written.delete(`${event.session} ${event.verdict.state}`)
      if (delays.length >= PER_SECOND * SECONDS) return
    }
  })()
  const begin = performance.now()
  for (let index = 0; index < PER_SECOND * SECONDS; index++) {
    const dueMs = begin + (index * 1000) / PER_SECOND - performance.now()
    if (dueMs > 0) await sleep(dueMs)
    const payload = turn(index, SESSIONS) as { session_id: string; hook_event_name: string }
    const state = payload.hook_event_name === 'Stop' ? 'idle' : 'working'
    written.set(`${payload.session_id} ${state}`, performance.now())
    home.write(payload)
  }
  const late = sleep(10_000)
  await Promise.race([reading, late])
  abort.abort()
  await home.end()
  const sorted = delays.toSorted((a, b) => a - b)
  return {
    reports: PER_SECOND * SECONDS,
    told: delays.length,
    medianMs: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    maxMs: sorted.at(-1) ?? 0,
  }
}
