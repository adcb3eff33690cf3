import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anyRun } from '../../../test/support/loop-arbitraries.ts'
import { frame, NOW, run, stop } from '../../../test/support/loop-machine.ts'
import { STACK_MAX } from '../limits.ts'
import { anchorOf } from './anchor.ts'
import { decide } from './decide.ts'
import { documentOf, parseDocument } from './document.ts'
import { pauseRun } from './holds.ts'
import { openingOf } from './opening.ts'
import { reviveRun } from './revive.ts'

const throughJson = (value: unknown) => JSON.parse(JSON.stringify(value))

it('[LP26] a run comes back from JSON as it was, NaN too', () => {
  fc.assert(
    fc.property(anyRun, (before) => {
      expect(reviveRun(throughJson(before))).toEqual(before)
    }),
    { numRuns: 2_000 },
  )
})

it('[LP26] anything in the place of any field gives a run or none, and never throws', () => {
  fc.assert(
    fc.property(anyRun, fc.jsonValue(), fc.nat(), (before, value, where) => {
      const read = reviveRun(withOne(throughJson(before), throughJson(value), where))
      if (read === undefined) return
      decide(read, stop(), NOW)
      openingOf(read)
      anchorOf(read, [])
      expect(reviveRun(throughJson(read))).toEqual(read)
    }),
    { numRuns: 5_000 },
  )
})

it('[LP26] what is no run is none', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(reviveRun(value)).toBeUndefined()
    }),
  )
  expect(reviveRun(undefined)).toBeUndefined()
  expect(reviveRun(Object.create(run({})))).toBeUndefined()
})

it('[LP26] a field that may have been a limit is not guessed', () => {
  const kept = pauseRun(run({ until: 'npm test', source: { kind: 'github' } }), 'Esc', NOW)
  expect(reviveRun(kept)).toEqual(kept)
  const framed = (over: object) => ({ ...kept, stack: [{ ...kept.stack[0], ...over }] })
  const torn = [
    { ...kept, hold: { kind: 'asleep', why: '', since: 0 } },
    { ...kept, hold: 'paused' },
    { ...kept, parkedTimes: null },
    { ...kept, streaks: { ...kept.streaks, unchanged: -1 } },
    { ...kept, stack: Array(STACK_MAX + 1).fill(frame()) },
    framed({ until: 7 }),
    framed({ deadlineAt: 'soon' }),
    framed({ mode: 'dance' }),
    framed({ source: { kind: 'github', filter: 7 } }),
    framed({ source: { kind: 'mail' } }),
    framed({ taken: [7] }),
  ]
  for (const one of torn) expect(reviveRun(one)).toBeUndefined()
})

it('[LP24] any text at all is a run or malformed, and a Stop of it throws nothing', () => {
  const keys = fc.constantFrom('id', 'mode', 'iter', 'max', 'vigil', 'issue_id', 'branch')
  const state = fc.record(
    {
      schema: fc.constant(1),
      event: fc.jsonValue(),
      run_id: fc.jsonValue(),
      updated_at: fc.jsonValue(),
      stack: fc.oneof(fc.jsonValue(), fc.array(fc.dictionary(keys, fc.jsonValue()))),
    },
    { requiredKeys: ['schema'] },
  )
  const anyText = fc.oneof(
    fc.string(),
    fc.json(),
    state.map((value) => JSON.stringify(value)),
  )
  fc.assert(
    fc.property(anyText, (text) => {
      const read = parseDocument(text, NOW)
      if ('malformed' in read) return
      decide(read, stop(), NOW)
      expect(reviveRun(throughJson(read))).toEqual(read)
    }),
    { numRuns: 5_000 },
  )
})

it('[LP25] what a document keeps of a run is the same when it is read and written again', () => {
  fc.assert(
    fc.property(anyRun, (before) => {
      const once = throughJson(documentOf(before))
      const read = parseDocument(JSON.stringify(once), NOW)
      if ('malformed' in read) throw new Error(read.malformed)
      expect(throughJson(documentOf(read))).toEqual(once)
    }),
    { numRuns: 2_000 },
  )
})

/** The same with one of its values, however deep, replaced. */
function withOne(root: Record<string, unknown>, value: unknown, where: number): unknown {
  const places: [Record<string, unknown>, string][] = []
  const walk = (object: Record<string, unknown>) => {
    for (const [key, inner] of Object.entries(object)) {
      places.push([object, key])
      if (typeof inner === 'object' && inner !== null) walk(inner as Record<string, unknown>)
    }
  }
  walk(root)
  const [object, key] = places[where % places.length] ?? [root, 'id']
  object[key] = value
  return root
}
