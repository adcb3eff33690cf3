import type { Client, Result } from '../score/result.ts'
import type { Sums } from '../score/sums.ts'
import { secondsText, stateText } from './words.ts'

/** The longest time it was wrong, for any source of verdicts. */
export function longestWrongMs({ core, live }: Result): number {
  return Math.max(core?.score.worst?.ms ?? 0, live?.score.worst?.ms ?? 0)
}

/** Worth a look: it was wrong at some time, or at its end, or listed a session that was none. */
export function isWrong(result: Result): boolean {
  const { core, live, ghosts } = result
  const endsWrong = core?.score.finalRight === false || live?.score.finalRight === false
  return longestWrongMs(result) > 0 || endsWrong || ghosts.length > 0
}

/** Failed runs first, then those that were wrong for longest, the others as played. */
export function worstFirst(results: readonly Result[]): readonly Result[] {
  const rank = (result: Result) =>
    result.failed === undefined ? longestWrongMs(result) + Number(isWrong(result)) : 1e12
  return results.toSorted((a, b) => rank(b) - rank(a))
}

export interface WrongStretch {
  readonly who: string
  readonly from: number
  readonly to: number
  readonly truth: string
  readonly said: string
  readonly rule: string
}

/** Wrong periods in words: adjacent periods with the same verdict are joined. */
export function wrongIn(clients: readonly Client[]): readonly WrongStretch[] {
  const wrong: WrongStretch[] = []
  for (const { speakers } of clients)
    for (const { who, wrong: stretches } of speakers)
      for (const { from, to, truth, said } of stretches) {
        const verdict = said?.verdict ?? { state: 'nothing' }
        const rule = said?.verdict.rule ?? ''
        const next = { who, from, to, truth: stateText(truth), said: stateText(verdict), rule }
        const last = wrong.at(-1)
        const same = last?.who === who && last.truth === next.truth && last.said === next.said
        if (same && last.to === from) wrong[wrong.length - 1] = { ...last, to }
        else wrong.push(next)
      }
  return wrong
}

/** `lists a session that is none: process:474`. */
export function ghostWords({ ghosts }: Result): string[] {
  if (ghosts.length === 0) return []
  const what = ghosts.length === 1 ? 'a session that is none' : 'sessions that are none'
  return [`live lists ${what}: ${ghosts.join(', ')}`]
}

/** `file says waiting, screen working for 1600 ms at 12.3 s; core said working`. */
export function disputeWords({ disputes, beginAt }: Result): string[] {
  return disputes.map(({ from, to, registry, screen, said }) => {
    const answers = Object.entries(said).map(([who, state]) => `${who} said ${state}`)
    const when = `${to - from} ms at ${secondsText(from - beginAt)}`
    return `not counted: file says ${registry}, screen ${screen} for ${when}; ${answers.join(', ')}`
  })
}

/** What the sums do not show. */
export function sumNotes({ core, live, ghosts, disputes }: Sums): string[] {
  const missed = Object.entries({ live, core }).flatMap(([who, sum]) =>
    sum && sum.missed > 0
      ? [`${who}: ${sum.missed} of ${sum.changes + sum.missed} changes were never said`]
      : [],
  )
  const { count, ms } = disputes
  const disputed = `not counted: ${secondsText(ms)} where file and screen differ, cases: ${count}`
  return [
    ...missed,
    ...(ghosts > 0 ? [`live: sessions listed that were none: ${ghosts}`] : []),
    ...(count > 0 ? [disputed] : []),
  ]
}
