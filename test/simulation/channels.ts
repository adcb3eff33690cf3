import { LOOK_MS } from '../../src/core/limits.ts'
import { type Report, SOURCES, type Source } from '../../src/core/signal.ts'
import type { Emission } from './client.ts'
import type { Random } from './random.ts'

/** How each source lags when all is well, in milliseconds: what the recordings show. */
const LAG_MS: Readonly<Record<Source, readonly [number, number]>> = {
  process: [0, 900],
  registry: [15, 150],
  server: [10, 60],
  title: [5, 1_000],
  loop: [0, 5],
  hook: [5, 60],
  transcript: [50, 300],
  statusline: [0, 10],
  keystroke: [0, 5],
  screen: [5, 200],
}

export interface Faults {
  /** Nothing of this source ever arrives. */
  readonly lost: Source | undefined
  /** The channels are bad up to here and whole from here on. */
  readonly untilT: number
  readonly loss: Readonly<Record<Source, number>>
  readonly duplication: number
  readonly delayMaxMs: number
}

/** Every run draws its own probabilities: a generator with one habit finds one kind of bug. */
export function drawFaults(random: Random, lost: Source | undefined, untilT: number): Faults {
  const worst = random.pick([0, 0.1, 0.3])
  const loss = Object.fromEntries(SOURCES.map((source) => [source, random.next() * worst]))
  return {
    lost,
    untilT,
    loss: loss as Record<Source, number>,
    duplication: random.pick([0, 0.1, 0.5]),
    delayMaxMs: random.pick([0, 400, 2_000]),
  }
}

export interface Delivery {
  /** When vigil gets it; the report keeps the time at which its source saw it. */
  readonly at: number
  readonly report: Report
}

/** What arrives, in order of arrival. */
export function carry(emissions: readonly Emission[], faults: Faults, random: Random): Delivery[] {
  const deliveries: Delivery[] = []
  const clock = new Map<Source, number>()
  for (const { t, source, fields } of emissions) {
    if (source === faults.lost) continue
    const [low, high] = LAG_MS[source]
    const seenAt = Math.round(t + random.between(low, high))
    const bad = t < faults.untilT
    // A transcript is a file that is read on from where one stopped: late at worst, never lost.
    const heldBack = bad && random.chance(faults.loss[source])
    if (heldBack && source !== 'transcript') continue
    const extra = bad ? random.next() * faults.delayMaxMs : 0
    const arrival = Math.round(heldBack ? faults.untilT + extra : seenAt + extra)
    // Hooks are processes of their own and may overtake each other; the rest are read in order.
    const at = source === 'hook' ? arrival : Math.max(arrival, clock.get(source) ?? 0)
    clock.set(source, at)
    const report = { ...fields, t: source === 'hook' ? seenAt : at, source }
    deliveries.push({ at, report })
    if (bad && random.chance(faults.duplication))
      deliveries.push({ at: Math.round(at + random.next() * 3_000), report })
  }
  const looked = lookAgain(emissions, faults, random)
  return [...deliveries, ...looked].sort((a, b) => a.at - b.at)
}

/**
 * When the channels are whole again, the next look (10 s) reads what can be read as it stands:
 * registry file, process table, screen. A hook that was lost stays lost.
 */
function lookAgain(emissions: readonly Emission[], faults: Faults, random: Random): Delivery[] {
  const at = Math.round(faults.untilT + random.next() * LOOK_MS)
  const sources: Source[] = ['registry', 'process', 'screen']
  return sources.flatMap((source) => {
    if (source === faults.lost) return []
    const last = emissions.findLast((emission) => emission.source === source && emission.t <= at)
    return last ? [{ at, report: { ...last.fields, t: at, source } }] : []
  })
}
