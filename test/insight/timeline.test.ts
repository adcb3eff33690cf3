import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { translateClaude } from '../../src/agents/claude/translate.ts'
import type { Verdict } from '../../src/core/verdict.ts'
import { type Noted, piecesOf } from '../../src/insight/pieces.ts'
import { Steps } from '../../src/insight/steps.ts'
import { LANE_SPANS_MAX, timelineOf, timelineStretches } from '../../src/insight/timeline.ts'
import type { Lane, Timeline } from '../../src/protocol/insight.ts'
import { play } from '../../src/recording/play.ts'
import { reportsOf } from '../../src/recording/read.ts'
import { allRecordings } from '../support/recordings.ts'

describe('states over time', () => {
  it('[IN20] at every moment are what was last said, and nothing but', () => {
    const change = fc.record({
      gap: fc.integer({ min: 0, max: 9 }),
      state: fc.constantFrom('working', 'waiting', 'idle', 'closed', 'gone'),
      for: fc.constantFrom('permission', 'question', null),
    })
    const times = fc.integer({ min: 0, max: 120 })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 20 }), times, times, (changes, a, b) => {
        let t = 0
        const noted = changes.map(({ gap, state, ...rest }, id) => {
          t += gap
          return { id, t, state, ...rest } as Noted
        })
        const [from, to] = [Math.min(a, b), Math.max(a, b) + 1]
        const pieces = piecesOf(noted, from, to)
        for (let at = from; at < to; at += 1) {
          const last = noted.findLast((one) => one.t <= at)
          const there = pieces.filter((piece) => piece.from <= at && (piece.to ?? to) > at)
          const expected = last && last.state !== 'gone' ? [last.state] : []
          expect(there.map(({ state }) => state)).toEqual(expected)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('[IN20] go on with a change that says the same', () => {
    const said = [
      ['working', null],
      ['working', null],
      ['waiting', 'permission'],
      ['waiting', 'question'],
      ['waiting', 'question'],
      ['idle', null],
    ] as const
    const noted = said.map(([state, what], id): Noted => ({ id, t: id, state, for: what }))
    expect(piecesOf(noted, 0, 10).map(({ change }) => change)).toEqual([0, 2, 3, 5])
  })

  it('[IN20] come with the rule, the reason and the signals that decided each', () => {
    const { lanes } = timelineFrom('bash_approve')
    const states = laneOf(lanes, 'state').spans
    expect(states.map(({ word }) => word)).toContain('waiting for permission')
    for (const { why, to, from } of states) {
      expect(why?.rule).toMatch(/^[A-Z]{1,2}\d+$/)
      expect(why?.grounds.length).toBeGreaterThan(0)
      expect(to ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(from)
    }
    const [wait] = laneOf(lanes, 'waiting').spans
    expect(wait).toMatchObject({ word: 'permission', tone: 'waiting' })
    expect(wait?.detail).toBeTruthy()
  })

  it('[IN20] a turn goes on through its waits', () => {
    const { lanes } = timelineFrom('bash_approve')
    const turns = laneOf(lanes, 'turn').spans
    const [wait] = laneOf(lanes, 'waiting').spans
    expect(turns.map(({ word }) => word)).toEqual(['turn 1'])
    expect(turns[0]?.from).toBeLessThan(wait?.from ?? 0)
    expect(turns[0]?.to ?? 0).toBeGreaterThan(wait?.to ?? 0)
  })

  it('[IN20] what waits between two turns belongs to neither', () => {
    const { lanes } = timelineFrom('agent_perm')
    const [wait] = laneOf(lanes, 'waiting').spans
    const turns = laneOf(lanes, 'turn').spans
    expect(turns).toHaveLength(2)
    for (const turn of turns)
      expect(turn.from > (wait?.from ?? 0) || (turn.to ?? 0) <= (wait?.from ?? 0)).toBe(true)
  })
})

describe('steps', () => {
  it('[IN21] tools have their name, what they were called with, beginning and end', () => {
    const [tool] = laneOf(timelineFrom('bash_approve').lanes, 'tool').spans
    expect(tool).toMatchObject({ word: 'Bash', tone: 'tool' })
    expect(tool?.detail).toBeTruthy()
    expect(tool?.to ?? 0).toBeGreaterThan(tool?.from ?? 0)
  })

  it('[IN21] a subagent has a lane of its own, with its tools in it', () => {
    const { lanes } = timelineFrom('agent_perm')
    const lane = laneOf(lanes, 'subagent')
    const [own, ...tools] = lane.spans
    expect(own).toMatchObject({ tone: 'task' })
    expect(tools.map(({ tone }) => tone)).toContain('tool')
    const ids = tools.map(({ from, word }) => `${word} ${from}`)
    const main = lanes.find(({ kind }) => kind === 'tool')?.spans ?? []
    expect(main.filter(({ from, word }) => ids.includes(`${word} ${from}`))).toEqual([])
  })

  it('[IN21] are the same in whatever order they arrive', () => {
    const recording = named('agent_perm')
    const signals = reportsOf(recording).flatMap((report) => [...translateClaude(report)])
    const lanesOf = (order: typeof signals) => {
      const steps = new Steps()
      for (const signal of order) steps.take(signal)
      return steps.lanes(null).map(({ name, spans }) => ({
        name,
        spans: spans.map(({ detail: _, ...span }) => span),
      }))
    }
    expect(lanesOf(signals.toReversed())).toEqual(lanesOf(signals))
  })
})

describe('too much', () => {
  it('[IN22] leaves out the shortest of a lane, says how many, and keeps the order', () => {
    const noted = Array.from({ length: 3_000 }, (_, id): Noted => {
      const state = id % 2 === 0 ? 'working' : 'idle'
      return { id, t: id * 100 + (id % 7), state, for: null }
    })
    const to = 400_000
    const { pieces, changes } = timelineStretches(noted, 0, to)
    expect(changes).toHaveLength(LANE_SPANS_MAX)
    const parts = { session: 'one', from: 0, to, pieces, verdicts: new Map(), stepsFrom: null }
    const { lanes, thinned } = timelineOf({ ...parts, steps: new Steps() })
    const states = laneOf(lanes, 'state').spans
    expect(states).toHaveLength(LANE_SPANS_MAX)
    expect(thinned).toBe(3_000 - LANE_SPANS_MAX + 1_500 - LANE_SPANS_MAX)
    const length = (span: { from: number; to: number | null }) => (span.to ?? to) - span.from
    const shown = new Set(states.map(({ from }) => from))
    const shortest = Math.min(...states.map(length))
    const left = pieces.filter(({ from }) => !shown.has(from))
    expect(Math.max(...left.map(length))).toBeLessThanOrEqual(shortest)
    expect(states.map(({ from }) => from)).toEqual([...shown].toSorted((a, b) => a - b))
  })

  it('[IN22] a closer look has them all', () => {
    const noted = Array.from({ length: 3_000 }, (_, id): Noted => {
      return { id, t: id * 100, state: id % 2 === 0 ? 'working' : 'idle', for: null }
    })
    expect(piecesOf(noted, 10_000, 20_000)).toHaveLength(100)
    expect(timelineStretches(noted, 10_000, 20_000).changes).toHaveLength(100)
  })
})

function named(name: string) {
  const found = allRecordings().find((recording) => recording.name === name)
  if (!found) throw new Error(`no recording is called ${name}`)
  return found
}

function timelineFrom(name: string): Timeline {
  const reports = reportsOf(named(name))
  const to = (reports.at(-1)?.t ?? 0) + 20_000
  const changes = [...play(reports, to)]
  const session = changes.at(-1)?.verdict.session ?? ''
  const own = changes.filter(({ verdict }) => verdict.session === session)
  const noted = own.map(({ t, verdict }, id): Noted => {
    return { id, t, state: verdict.state, for: verdict.for ?? null }
  })
  const verdicts = new Map<number, Verdict>(own.map(({ verdict }, id) => [id, verdict]))
  const steps = new Steps()
  for (const report of reports) for (const signal of translateClaude(report)) steps.take(signal)
  const from = noted[0]?.t ?? 0
  const { pieces } = timelineStretches(noted, from, to)
  return timelineOf({ session, from, to, pieces, verdicts, steps, stepsFrom: null })
}

function laneOf(lanes: readonly Lane[], kind: Lane['kind']): Lane {
  const lane = lanes.find((one) => one.kind === kind)
  if (!lane) throw new Error(`there is no lane of ${kind}`)
  return lane
}
