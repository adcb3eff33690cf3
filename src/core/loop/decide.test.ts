import { describe, expect, it } from 'vitest'
import {
  COMPLETE,
  decided,
  frame,
  NOW,
  played,
  run,
  SENTENCE,
  stop,
} from '../../../test/support/loop-machine.ts'
import { decide } from './decide.ts'
import { parseDocument } from './document.ts'
import type { LoopRun } from './run.ts'
import { startRun } from './stack.ts'
import { loopStateOf } from './state.ts'
import type { Stop } from './stop.ts'

const STALE_MS = 7_200_000

interface Line {
  readonly line: string
  readonly given?: LoopRun
  readonly says?: string
  readonly laterMs?: number
  readonly exit: 0 | 2
}

/** The document's table, line by line. One Stop covers both lines of a completion. */
const TABLE: readonly Line[] = [
  { line: '| ACTIVE | ACTIVE | iteration | no completion signal |', exit: 2 },
  { line: '| ACTIVE | COMPLETING | completion | signal found |', says: COMPLETE, exit: 0 },
  { line: '| ACTIVE | STUCK | max_iter | iter >= max |', given: run({ iter: 10 }), exit: 0 },
  { line: '| ACTIVE | STUCK | staleness | age > 7200s |', laterMs: STALE_MS + 1, exit: 0 },
  { line: '| ACTIVE | ABORTED | corruption |', given: run({ iter: Number.NaN }), exit: 0 },
  { line: '| ACTIVE | ABORTED | abort |', given: { ...run({}), event: 'ABORT' }, exit: 0 },
  { line: '| COMPLETING | IDLE | pop frame | stack empty after pop |', says: COMPLETE, exit: 0 },
  {
    line: '| COMPLETING | ACTIVE | pop frame | outer loop continues |',
    given: run({}, {}),
    says: COMPLETE,
    exit: 0,
  },
  { line: '| IDLE | IDLE | Stop | stack empty |', given: run(), says: COMPLETE, exit: 0 },
]

describe('the document’s table', () => {
  it('[LP2] | IDLE | ACTIVE | loop start | stack not empty |', () => {
    expect(loopStateOf(undefined)).toBe('IDLE')
    expect(loopStateOf(startRun('r', frame(), NOW))).toBe('ACTIVE')
  })

  it.each(TABLE)('[LP2][LP3][LP4][LP5][LP6][LP11][LP17] $line', (row) => {
    const { line, given = run({}), says = 'Still at it.', laterMs = 0, exit } = row
    const decision = decide(given, stop(says), NOW + laterMs)
    if (decision.act === 'chore') throw new Error('the document knows no chores')
    const way = [decision.from, decision.to, loopStateOf(decision.run)].join(' | ')
    const [, from, to] = line.split(/ ?\| ?/)
    expect(way).toContain(`${from} | ${to}`)
    expect(decision.act === 'block' ? 2 : 0).toBe(exit)
  })
})

describe('what is kept of it', () => {
  it('[LP11] DONE has the signal as reason and an empty stack', () => {
    const { run: after } = decided('allow', run({}), COMPLETE)
    expect(after).toMatchObject({ event: 'DONE', reason: 'COMPLETE', stack: [] })
  })

  it.each(['STUCK', 'MAX_ITERATIONS'])(
    '[LP11] a signal %s pops too, and calls a person',
    (word) => {
      const says = `<loop-done>${word}</loop-done>`
      const { run: after, to } = decided('allow', run({}), says)
      expect(to).toBe('COMPLETING')
      expect(after).toMatchObject({ event: 'DONE', reason: word, stack: [] })
      expect(loopStateOf(after)).toBe('STUCK')
      const outer = decided('allow', run({}, {}), says).run
      expect(outer).toMatchObject({ event: 'STATE', stack: [{ id: 'f1' }] })
      expect(outer).not.toHaveProperty('reason')
    },
  )

  it('[LP11] the outer loop goes on at the next Stop, by its own signals and its own count', () => {
    const nested = run({ mode: 'grind', iter: 4, max: 100 }, { mode: 'issue', iter: 2 })
    const [first, second, third] = played(nested, [
      '<issue-complete>DONE</issue-complete>',
      '<issue-complete>DONE</issue-complete>',
      '<grind-done>NO_MORE_ISSUES</grind-done>',
    ])
    expect(first).toMatchObject({ act: 'allow', run: { event: 'STATE' } })
    expect(second).toMatchObject({ act: 'block', reason: `[ITERATION 5/100] ${SENTENCE}` })
    expect(third).toMatchObject({ act: 'allow', run: { event: 'DONE', reason: 'NO_MORE_ISSUES' } })
  })

  it('[LP6] used up ends every frame, with MAX_ITERATIONS', () => {
    const { run: after } = decided('allow', run({ iter: 1 }, { iter: 10 }))
    expect(after).toMatchObject({ event: 'DONE', reason: 'MAX_ITERATIONS', stack: [] })
    expect(after?.because).toBe('10 of 10 iterations are used up')
  })

  it('[LP6] no state makes a loop of more than 1,000', () => {
    expect(decided('allow', run({ iter: 1_000, max: 5_000 })).to).toBe('STUCK')
    expect(decided('block', run({ iter: 999, max: 5_000 })).reason).toContain(
      '[ITERATION 1000/5000]',
    )
  })

  it('[LP6] a loop of 10 goes on ten times', () => {
    const decisions = played(run({}), Array(11).fill('Still at it.'))
    expect(decisions.map(({ act }) => act)).toEqual([...Array(10).fill('block'), 'allow'])
    expect(decisions[9]).toMatchObject({ reason: `[ITERATION 10/10] ${SENTENCE}` })
  })

  it('[LP6] a signal in the last iteration counts, of a loop of one too', () => {
    const [first, last] = played(run({ max: 1 }), ['Still at it.', COMPLETE])
    expect(first).toMatchObject({ act: 'block', reason: `[ITERATION 1/1] ${SENTENCE}` })
    expect(last).toMatchObject({ to: 'COMPLETING', run: { event: 'DONE', reason: 'COMPLETE' } })
  })

  it('[LP3] ABORT is emptied and keeps its reason', () => {
    const before: LoopRun = { ...run({}, {}), event: 'ABORT', reason: 'USER_CANCELLED' }
    const { run: after } = decided('allow', before)
    expect(after).toMatchObject({ event: 'ABORT', reason: 'USER_CANCELLED', stack: [] })
  })

  it('[LP2] what is over stays as it is, frames left behind or not', () => {
    for (const over of [
      { ...run({}), event: 'DONE' as const, reason: 'COMPLETE' },
      { ...run(), event: 'ABORT' as const },
      run(),
    ]) {
      expect(decided('allow', over, COMPLETE).run).toBe(over)
    }
    expect(decided('allow', undefined)).toMatchObject({ from: 'IDLE', to: 'IDLE' })
  })
})

describe('safety invariants', () => {
  it('[LP4] 1: never goes on when stale; 7200 s exactly is fresh', () => {
    expect(decided('block', run({}), {}, NOW + STALE_MS).to).toBe('ACTIVE')
    const { run: after, to } = decided('allow', run({}, {}), {}, NOW + STALE_MS + 1)
    expect(to).toBe('STUCK')
    expect(after).toMatchObject({ event: 'DONE', reason: 'STUCK', stack: [] })
    expect(after?.because).toBe('no iteration for 2 h; the limit is 2 h')
  })

  it('[LP4] a clock that was set back makes nothing stale', () => {
    expect(decided('block', run({}), {}, NOW - 86_400_000).run.updatedAt).toBe(NOW - 86_400_000)
  })

  it.each([Number.NaN, -1, 1.5, Number.POSITIVE_INFINITY, 2 ** 60])(
    '[LP5] 2: never goes on with a count of %s, in any frame',
    (bad) => {
      const states = [
        run({ iter: bad }),
        run({ max: bad }),
        run({ iter: bad }, {}),
        run({ patience: bad }),
      ]
      for (const before of states) {
        const { run: after, to } = decided('allow', before, COMPLETE)
        expect(to).toBe('ABORTED')
        expect(after).toMatchObject({ event: 'ABORT', reason: 'CORRUPT', stack: [] })
      }
    },
  )

  it('[LP5] a limit that is no number is not a limit that never comes', () => {
    const bad = Number.NaN
    const states = [
      run({ deadlineAt: bad }),
      run({ budgetUsd: bad }),
      run({ costAtStartUsd: bad }),
      { ...run({}), updatedAt: bad },
    ]
    for (const before of states) {
      expect(decided('allow', before, { costUsd: 1 }).to).toBe('ABORTED')
    }
  })

  it('[LP17] 3: blocks only where an iteration is counted', () => {
    const { run: after, from, to } = decided('block', run({ iter: 3 }))
    expect({ from, to }).toEqual({ from: 'ACTIVE', to: 'ACTIVE' })
    expect(after.stack).toEqual([frame({ iter: 4 })])
  })

  it('[LP9] 4: signals stand on their own line', () => {
    decided('block', run({}), `I would say ${COMPLETE} but for the tests.`)
    decided('allow', run({}), `All of it is done.\n${COMPLETE}`)
  })
})

/** Each line applies together with all lines behind it: the first one's answer counts. */
const ORDER: readonly [string, Partial<Stop>, (run: LoopRun) => LoopRun, string][] = [
  ['disabled', { disabled: true }, (r) => r, ': loops are switched off'],
  ['ABORT', {}, (r) => ({ ...r, event: 'ABORT' }), 'ABORTED: the loop was aborted'],
  ['stale', {}, (r) => ({ ...r, updatedAt: NOW - STALE_MS - 1 }), 'STUCK: no iteration'],
  ['numbers', {}, (r) => top(r, { patience: -1 }), 'ABORTED: patience'],
  ['held', {}, (r) => ({ ...r, hold: { kind: 'parked', why: 'e', since: 0 } }), 'ACTIVE: parked'],
  ['signal', { message: COMPLETE }, (r) => r, 'COMPLETING: the agent said COMPLETE'],
  ['used up', {}, (r) => top(r, { iter: 10 }), 'STUCK: 10 of 10'],
  ['deadline', {}, (r) => top(r, { deadlineAt: NOW }), 'STUCK: its time'],
  ['budget', { costUsd: 9 }, (r) => top(r, { budgetUsd: 1 }), 'STUCK: $9.00'],
  ['progress', { failing: 'x' }, (r) => top(r, { patience: 1 }), 'STUCK: x failed'],
  ['breaker', { breaker: { why: 'too many', until: NOW + 1 } }, (r) => r, 'ACTIVE: too many'],
]

function top(before: LoopRun, over: object): LoopRun {
  return { ...before, stack: before.stack.map((one) => ({ ...one, ...over })) }
}

it.each(ORDER.map((row, i) => [row[0], i] as const))(
  '[LP1][LP7][LP16] %s is asked before all that stands behind it',
  (_, i) => {
    const { stop: said, run: before } = ORDER.slice(i).reduceRight(
      (all, [, over, change]) => ({ stop: { ...all.stop, ...over }, run: change(all.run) }),
      { stop: stop(), run: run({}) },
    )
    const decision = decide(before, said, NOW)
    if (decision.act !== 'allow') throw new Error('nothing here lets it go on')
    expect(`${decision.to}: ${decision.why}`).toContain(ORDER[i]?.[3])
  },
)

it('[LP1] switched off, not even a broken state is looked at', () => {
  const broken = { ...run({ iter: Number.NaN }), updatedAt: 0 }
  expect(decided('allow', broken, { disabled: true, message: COMPLETE }).run).toBe(broken)
})

it('[LP24] the document’s own state, from JSON to its reason', () => {
  const text = JSON.stringify({
    schema: 1,
    event: 'STATE',
    run_id: 'loop-1703123456-42',
    updated_at: '2027-01-15T08:00:00Z',
    stack: [{ id: 'a', mode: 'loop', iter: 2, max: 10, prompt_file: '/tmp/p.txt' }],
  })
  const before = parseDocument(text, NOW)
  if ('malformed' in before) throw new Error(before.malformed)
  const { reason } = decided('block', before, 'On it.', Date.parse('2027-01-15T09:00:00Z'))
  expect(reason).toBe(`[ITERATION 3/10] ${SENTENCE}`)
})
