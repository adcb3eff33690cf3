import { translateClaude } from '../../src/agents/claude/translate.ts'
import { RECOVERY_MAX_MS } from '../../src/core/limits.ts'
import { SOURCES, type Source } from '../../src/core/signal.ts'
import { type Change, Tracker } from '../../src/core/tracker.ts'
import type { Verdict } from '../../src/core/verdict.ts'
import { carry, drawFaults, type Faults } from './channels.ts'
import type { Truth } from './client.ts'
import { Life } from './life.ts'
import { Random } from './random.ts'

interface Miss {
  readonly seed: number
  /** From the begin of the run to the begin of the wrong streak. */
  readonly atMs: number
  readonly wrongMs: number
  readonly truth: string
  readonly said: string
  readonly rule: string
}

export interface Outcome {
  readonly seed: number
  readonly faults: Faults
  readonly reports: number
  /** How much of the time after the faults was judged. */
  readonly judgedMs: number
  readonly misses: readonly Miss[]
  readonly verdicts: readonly Verdict[]
}

/** In turn: nothing lost wholly, then each source. */
const LOST: readonly (Source | undefined)[] = [
  undefined,
  ...SOURCES.filter((source) => source !== 'keystroke' && source !== 'loop'),
]

const TURNS = 6

/**
 * SPEC M5 over a whole life: one model client with a known truth, seen through bad channels for the
 * first part of its life and through whole ones after that. Once the faults have stopped, vigil
 * may not be wrong for longer than 12 s at a stretch.
 */
export function simulate(seed: number): Outcome {
  const random = new Random(seed)
  // Before the registry, two sources are missing already: no third one is taken away.
  const old = seed % 16 === 15
  const lost = old ? undefined : LOST[seed % LOST.length]
  const life = new Life(random, lost !== 'process', old)
  life.lead(TURNS)
  const { truth, emissions, now: endAt } = life.client
  const begin = emissions[0]?.t ?? 0
  const untilT = Math.round(begin + (endAt - begin) * random.between(0.2, 0.8))
  const drawn = drawFaults(random, lost, untilT)
  // With two sources missing the screen alone tells Esc: frames may be late there, not lost.
  const faults = old ? { ...drawn, loss: { ...drawn.loss, screen: 0 } } : drawn
  const deliveries = carry(emissions, faults, random)
  const player = new Tracker(translateClaude)
  const changes: Change[] = []
  for (const { at, report } of deliveries)
    if (at <= endAt) changes.push(...player.runTo(at), ...player.take(report, at))
  changes.push(...player.runTo(endAt))
  return {
    seed,
    faults,
    reports: deliveries.length,
    judgedMs: endAt - untilT,
    misses: streaks(tellable(truth, faults), changes, untilT, endAt)
      .filter(({ wrongMs }) => wrongMs > RECOVERY_MAX_MS)
      .map((miss) => ({ ...miss, seed, atMs: miss.atMs - begin })),
    verdicts: changes.map(({ verdict }) => verdict),
  }
}

/**
 * Only hook and transcript tell that a turn died. With one wholly lost and the other bad at that
 * moment, it cannot be known; the client itself says idle.
 */
function tellable(truths: readonly Truth[], { lost, untilT }: Faults): readonly Truth[] {
  const untold = lost === 'transcript'
  return truths.map((truth) =>
    untold && truth.state === 'error' && truth.t < untilT
      ? { ...truth, state: 'idle', untold: true }
      : truth,
  )
}

const STAND_IN = ':'

/** The stretches after `from` in which what was said was not the truth. */
function streaks(
  truths: readonly Truth[],
  changes: readonly Change[],
  from: number,
  endAt: number,
): Omit<Miss, 'seed'>[] {
  const cuts = [from, endAt, ...truths.map(({ t }) => t), ...changes.map(({ t }) => t)]
  const times = [...new Set(cuts)].filter((t) => t >= from && t <= endAt).sort((a, b) => a - b)
  const found: Omit<Miss, 'seed'>[] = []
  const said = new Map<string, Verdict>()
  let next = 0
  let since: number | undefined
  for (const [index, t] of times.entries()) {
    for (let change = changes[next]; change && change.t <= t; change = changes[next]) {
      const { session } = change.verdict
      said.set(session.includes(':') ? STAND_IN : session, change.verdict)
      next += 1
    }
    const truth = truths.findLast((state) => state.t <= t)
    // Nothing has named the session yet: its process or screen stands for it (SPEC L4).
    const verdict = truth && (said.get(truth.session) ?? said.get(STAND_IN))
    if (!truth || (verdict && agrees(verdict, truth))) since = undefined
    else {
      since ??= t
      const until = times[index + 1] ?? endAt
      found.push({ ...described(truth, verdict), atMs: since, wrongMs: until - since })
    }
  }
  return found
}

function described(truth: Truth, verdict: Verdict | undefined) {
  return {
    truth: truth.for ? `${truth.state}:${truth.for}` : truth.state,
    said: verdict ? `${verdict.state}${verdict.for ? `:${verdict.for}` : ''}` : 'nothing',
    rule: verdict?.rule ?? '-',
  }
}

/**
 * Background and stuck are ways to be busy; silence of half an hour may leave it open (SPEC M4).
 */
function agrees(verdict: Verdict, truth: Truth): boolean {
  if (verdict.state === 'unknown') return verdict.rule === 'M4'
  const busy = ['working', 'background', 'stuck']
  if (busy.includes(truth.state)) return busy.includes(verdict.state)
  // See `tellable`: told after all is as good.
  if (truth.state === 'idle' && verdict.state === 'error' && truth.untold) return true
  if (truth.state !== verdict.state) return false
  return truth.for === undefined || truth.for === verdict.for
}
