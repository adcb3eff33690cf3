import type { Truth } from '../../src/agents/truth-reader.ts'
import { joinedScore, linesOf, strandsOf } from '../../src/recording/client-runs.ts'
import {
  type TimedVerdict as Measurable,
  type Score,
  type ScoreSum,
  scoreOf,
  sumOf,
} from '../../src/recording/meter.ts'
import type { Recording } from '../../src/recording/read.ts'
import { truthOf } from '../../src/recording/truth.ts'
import { unreportedIn } from '../../src/recording/unreported.ts'
import { type Delays, delaysOf, quantile, together } from '../score/delays.ts'
import { aboutOnly } from './lines.ts'
import type { Peer, Said } from './peer.ts'

export interface Row {
  readonly name: string
  readonly knows: string
  /** In four words, see `inFourWords`. */
  readonly sum: ScoreSum
  /** The share of the time after a failed turn in which it said error. */
  readonly errorPercent: number | undefined
  readonly delayMedianMs: number | undefined
  readonly delayMaxMs: number | undefined
  readonly changes: number
  readonly neverShown: number
}

interface Measured {
  readonly four: Score
  readonly five: Score
  readonly delays: Delays
}

/** How right a system is on these recordings, by the project's own meter. */
export function scorePeer(peer: Peer, recordings: readonly Recording[], tailMs: number): Row {
  const four: { name: string; score: Score }[] = []
  const five: { name: string; score: Score }[] = []
  const all: Delays[] = []
  for (const recording of recordings) {
    const clients = measure(peer, recording, tailMs)
    const score = joinedScore(clients.map((client) => client.four))
    const full = joinedScore(clients.map((client) => client.five))
    // A client without a registry has no truth.
    if (!score || !full) continue
    four.push({ name: recording.name, score })
    five.push({ name: recording.name, score: full })
    all.push(...clients.map((client) => client.delays))
  }
  const { ms, missed } = together(all)
  return {
    name: peer.name,
    knows: peer.knows,
    sum: sumOf(four),
    errorPercent: sumOf(five).recallPercent.error,
    delayMedianMs: quantile(ms, 0.5),
    delayMaxMs: quantile(ms, 1),
    changes: ms.length + missed,
    neverShown: missed,
  }
}

/** Each client of a run by itself. */
function measure(peer: Peer, { lines: run }: Recording, tailMs: number): Measured[] {
  const endAt = (run.at(-1)?.t ?? 0) + tailMs
  return strandsOf(run).flatMap((strand) => {
    const said = peer.judge({ lines: aboutOnly(strand, run), endAt, run, strand })
    const truths = truthOf(linesOf(strand, run))
    const fourTruths = inFourWords(truths)
    const fourSaid = inFourWords(said)
    const leftOut = unreportedIn(strand, run, truths)
    const inFour = { truths: fourTruths, said: asMeasured(fourSaid), endAt, leftOut }
    const four = scoreOf(inFour)
    const five = scoreOf({ truths, said: asMeasured(said), endAt, leftOut })
    return four && five ? [{ four, five, delays: delaysOf(inFour) }] : []
  })
}

/**
 * Most of these systems have no word for a failed turn. For the balance, a failure counts as idle,
 * the client's own word, in the truth and in the verdicts: so saying error instead costs nothing,
 * and its value is in a column of its own.
 */
function inFourWords<T extends Said | Truth>(words: readonly T[]): readonly T[] {
  const four = words.map((word) => ({
    ...word,
    state: word.state === 'error' ? 'idle' : word.state,
  }))
  return four.filter(({ state }, index) => state !== four[index - 1]?.state)
}

function asMeasured(said: readonly Said[]): readonly Measurable[] {
  return said.map(({ t, state }) => ({ t, verdict: { session: 'one', state } }))
}
