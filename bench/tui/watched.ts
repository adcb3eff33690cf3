import { setTimeout as sleep } from 'node:timers/promises'
import type { CountingTerminal } from './terminal.ts'

/** What the view costs while its user only watches, and then with keys; how fast it responds. */
export async function watched(terminal: CountingTerminal, seconds: number) {
  const calm = await terminal.measured(seconds, async () => sleep(seconds * 1000))
  const latencies: number[] = []
  // In the middle of the list: at its end a key changes nothing, and no frame would respond.
  terminal.write('jjjjjj')
  await sleep(500)
  const busy = await terminal.measured(seconds, async () => {
    const endAt = performance.now() + seconds * 1000
    for (let i = 0; performance.now() < endAt; i++) {
      latencies.push(await terminal.pressed(i % 8 < 4 ? 'j' : 'k'))
      await sleep(80 + (i % 7) * 11)
    }
  })
  latencies.sort((a, b) => a - b)
  const share = (part: number) => latencies[Math.floor(latencies.length * part)] ?? Number.NaN
  return { calm, busy, keys: latencies.length, medianMs: share(0.5), p99Ms: share(0.99) }
}
