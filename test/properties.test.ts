import fc from 'fast-check'
import { expect, it } from 'vitest'
import { translateClaude } from '../src/agents/claude/translate.ts'
import { judge } from '../src/core/judge.ts'
import { nextLook } from '../src/core/next-look.ts'
import { Sessions } from '../src/core/sessions.ts'
import type { Report } from '../src/core/signal.ts'
import type { Verdict } from '../src/core/verdict.ts'
import { reportsOf } from '../src/recording/read.ts'
import { Random } from './simulation/random.ts'
import { allRecordings } from './support/recordings.ts'

const byName = new Map(allRecordings().map((run) => [run.name, reportsOf(run)]))
const recordings = [...byName.values()]

/** A recording up to some moment of it, and a seed to do something to it. */
const cutRecording = fc.record({
  name: fc.constantFrom(...byName.keys()),
  share: fc.double({ min: 0.05, max: 1, noNaN: true }),
  seed: fc.nat(),
})

/** Hooks name session, process and pane together; any other source may be missing. */
const leftOut = fc.subarray(['registry', 'transcript', 'process', 'statusline', 'screen'])

it('[O1] any interleaving that keeps each source’s own order gives the same verdicts', () => {
  fc.assert(
    fc.property(cutRecording, leftOut, ({ name, share, seed }, without) => {
      const seen = cut(name, share).filter(({ source }) => !without.includes(source))
      fc.pre(everyProcessIsNamed(seen))
      const now = (seen.at(-1)?.t ?? 0) + 700
      const shuffled = interleave(seen, new Random(seed))
      expect(verdicts(shuffled, now)).toEqual(verdicts(seen, now))
    }),
    { numRuns: 3_000 },
  )
})

it('[O2] reports told twice, at once or much later, change nothing', () => {
  fc.assert(
    fc.property(cutRecording, ({ name, share, seed }) => {
      const seen = cut(name, share)
      const now = (seen.at(-1)?.t ?? 0) + 700
      expect(verdicts(stutter(seen, new Random(seed)), now)).toEqual(verdicts(seen, now))
    }),
    { numRuns: 500 },
  )
})

it('[O3] the same reports give the same verdicts, to the last byte', () => {
  for (const reports of recordings) {
    const now = (reports.at(-1)?.t ?? 0) + 20_000
    expect(JSON.stringify(verdicts(reports, now))).toBe(JSON.stringify(verdicts(reports, now)))
  }
})

it('[M6] between two looks no verdict changes by time alone', () => {
  fc.assert(
    fc.property(cutRecording, fc.nat(3_000_000), ({ name, share }, later) => {
      const seen = cut(name, share)
      const sessions = learned(seen)
      const now = seen.at(-1)?.t ?? 0
      for (const id of sessions.ids()) {
        const facts = sessions.facts(id)
        if (!facts) continue
        const look = nextLook(facts, now) ?? Number.POSITIVE_INFINITY
        const then = Math.min(now + later, look - 1)
        expect(judge(facts, then)).toEqual(judge(facts, now))
      }
    }),
    { numRuns: 500 },
  )
})

it('[X1] any JSON in the place of any field of a real report throws nothing', () => {
  fc.assert(
    fc.property(cutRecording, fc.jsonValue(), fc.nat(), ({ name, seed }, value, where) => {
      const reports = cut(name, 1)
      const sessions = new Sessions()
      const random = new Random(seed)
      for (const report of reports.slice(0, 60)) {
        const torn = random.chance(0.3) ? replaceOne(report, value, where) : report
        for (const signal of translateClaude(torn)) sessions.take(signal)
      }
      for (const id of sessions.ids()) {
        const facts = sessions.facts(id)
        if (facts) judge(facts, reports.at(-1)?.t ?? 0)
      }
    }),
    { numRuns: 1_000 },
  )
})

function cut(name: string, share: number): readonly Report[] {
  const reports = byName.get(name) ?? []
  return reports.slice(0, Math.ceil(reports.length * share))
}

/** Until a source has named a process together with its session, whose it is can be a guess. */
function everyProcessIsNamed(reports: readonly Report[]): boolean {
  const signals = reports.flatMap((report) => translateClaude(report))
  const named = new Set(signals.flatMap(({ about }) => (about.session ? [about.pid] : [])))
  return signals.every(({ about }) => about.pid === undefined || named.has(about.pid))
}

function learned(reports: readonly Report[]): Sessions {
  const sessions = new Sessions()
  for (const report of reports) for (const signal of translateClaude(report)) sessions.take(signal)
  return sessions
}

/** What a person would see of every session with a name. */
function verdicts(reports: readonly Report[], now: number): Record<string, unknown> {
  const sessions = learned(reports)
  const all = [...sessions.ids()].toSorted().flatMap((id) => {
    const facts = sessions.facts(id)
    return facts ? [[id, shown(judge(facts, now))] as const] : []
  })
  return Object.fromEntries(all)
}

function shown({ state, for: kind, after, cause, how, since, rule, unread, typing }: Verdict) {
  return { state, kind, after, cause, how, since, rule, unread, typing }
}

/** A random merge of the sources' own sequences. */
function interleave(reports: readonly Report[], random: Random): Report[] {
  const queues = [...Map.groupBy(reports, (report) => report.source).values()].map((q) => [...q])
  const merged: Report[] = []
  while (merged.length < reports.length) {
    const queue = random.pick(queues.filter(({ length }) => length > 0))
    merged.push(queue.shift() as Report)
  }
  return merged
}

/** Some reports again right away, some again at the very end. */
function stutter(reports: readonly Report[], random: Random): Report[] {
  const again = reports.filter(() => random.chance(0.2))
  return [
    ...reports.flatMap((report) => (random.chance(0.3) ? [report, report] : [report])),
    ...again,
  ]
}

function replaceOne(report: Report, value: unknown, where: number): Report {
  const copy = structuredClone(report) as Record<string, unknown>
  const places: [Record<string, unknown>, string][] = []
  const walk = (object: Record<string, unknown>) => {
    for (const key of Object.keys(object)) {
      places.push([object, key])
      const inner = object[key]
      if (typeof inner === 'object' && inner !== null) walk(inner as Record<string, unknown>)
    }
  }
  walk(copy)
  const place = places[where % places.length]
  if (place) place[0][place[1]] = value
  return copy as unknown as Report
}
