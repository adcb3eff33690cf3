import { describe, expect, it } from 'vitest'
import { decided, NOW, played, run } from '../../../test/support/loop-machine.ts'
import { fingerprint, streaksAfter } from './progress.ts'
import { NO_STREAKS } from './stack.ts'
import type { Stop } from './stop.ts'

describe('time', () => {
  it('[LP13] at its deadline a run is stuck, a moment before it is not', () => {
    const before = run({ deadlineAt: NOW + 60_000 })
    decided('block', before, {}, NOW + 59_999)
    const { run: after, to } = decided('allow', before, {}, NOW + 60_000)
    expect(to).toBe('STUCK')
    expect(after).toMatchObject({ event: 'DONE', reason: 'STUCK', stack: [] })
    expect(after?.because).toBe('its time ran out 0 s ago')
  })

  it('[LP13] an outer frame’s deadline holds for what is nested in it', () => {
    expect(decided('allow', run({ deadlineAt: NOW }, { deadlineAt: NOW + 1 })).to).toBe('STUCK')
    expect(decided('allow', run({ deadlineAt: NOW + 1 }, { deadlineAt: NOW })).to).toBe('STUCK')
  })
})

describe('money', () => {
  it('[LP14] spent since its start is counted, all of the budget ends it', () => {
    const before = run({ budgetUsd: 2, costAtStartUsd: 5 })
    decided('block', before, { costUsd: 6.99 })
    const { run: after, to } = decided('allow', before, { costUsd: 7 })
    expect(to).toBe('STUCK')
    expect(after?.because).toBe('$2.00 spent of $2.00')
  })

  it('[LP14] what cannot be measured cannot be kept', () => {
    for (const costs of [{}, { costUsd: Number.NaN }]) {
      const { run: after, to } = decided('allow', run({ budgetUsd: 2 }), costs)
      expect(to).toBe('STUCK')
      expect(after?.because).toContain('not known')
    }
    decided('block', run({}), {})
  })

  it('[LP14] without a known start all of the session’s cost counts', () => {
    expect(decided('allow', run({ budgetUsd: 2 }), { costUsd: 2 }).to).toBe('STUCK')
  })

  it('[LP14] an outer frame’s budget holds for what is nested in it', () => {
    const before = run({ budgetUsd: 2, costAtStartUsd: 1 }, { costAtStartUsd: 2.5 })
    expect(decided('allow', before, { costUsd: 3 }).to).toBe('STUCK')
  })

  it('[LP14] a counter that begins anew gives nothing back', () => {
    const costs = [6, 6.5, 0.1, 0.4, 0.6].map((costUsd) => ({ costUsd }))
    const decisions = played(run({ budgetUsd: 2, costAtStartUsd: 5 }), costs)
    expect(decisions.map(({ act }) => act)).toEqual(['block', 'block', 'block', 'block', 'allow'])
    expect(decisions[4]).toMatchObject({ run: { because: '$2.10 spent of $2.00' } })
    const atOnce = played(run({ budgetUsd: 2, costAtStartUsd: 5 }), [{ costUsd: 2.5 }])
    expect(atOnce[0]).toMatchObject({ to: 'STUCK' })
  })
})

describe('progress', () => {
  const different: readonly Partial<Stop>[] = Array.from({ length: 13 }, (_, i) => ({
    message: `Turn ${i}.`,
  }))

  it('[LP15] the same message three turns in a row, white space aside', () => {
    const says = ['Not yet.', 'Not yet.', 'Nearly.', 'Not yet.', ' Not\n yet.', 'Not  yet.']
    const decisions = played(run({ patience: 3 }), says)
    expect(decisions.map(({ act }) => act).join(' ')).toBe('block block block block block allow')
    expect(decisions[5]).toMatchObject({
      to: 'STUCK',
      run: { event: 'DONE', reason: 'STUCK', because: 'the same message 3 turns in a row' },
    })
  })

  it('[LP15] the same command failing three turns in a row, whatever is said and changed', () => {
    const failing = ['npm test', 'npm test', 'make', 'npm test', 'npm  test', 'npm test']
    const turns = failing.map((command, i) => ({ ...different[i], failing: command }))
    const decisions = played(run({ patience: 3 }), turns)
    expect(decisions.map(({ act }) => act).join(' ')).toBe('block block block block block allow')
    expect(decisions[5]).toMatchObject({
      to: 'STUCK',
      run: { because: 'npm test failed at the end of 3 turns in a row' },
    })
  })

  it('[LP15] a turn without a failing command breaks the row', () => {
    const failing = ['npm test', 'npm test', undefined, 'npm test', 'npm test']
    const turns = failing.map((command, i) => ({
      ...different[i],
      ...(command && { failing: command }),
    }))
    const decisions = played(run({ patience: 3 }), turns)
    expect(decisions.every(({ act }) => act === 'block')).toBe(true)
  })

  it('[LP15] no file changed for four times as many turns', () => {
    const turns = different.map((said) => ({ ...said, changed: false }))
    const decisions = played(run({ patience: 3, max: 100 }), turns)
    expect(decisions.map(({ act }) => act)).toEqual([...Array(11).fill('block'), 'allow', 'allow'])
    expect(decisions[11]).toMatchObject({
      run: { because: 'no file changed in 12 turns in a row' },
    })
    const broken = turns.map((said, i) => (i === 10 ? { ...said, changed: true } : said))
    expect(played(run({ patience: 3, max: 100 }), broken).at(-1)).toMatchObject({ act: 'block' })
  })

  it('[LP15] a patience of 0 bears everything', () => {
    const turn = { message: 'No.', failing: 'make', changed: false }
    const decisions = played(run({ patience: 0, max: 100 }), Array(99).fill(turn))
    expect(decisions.every(({ act }) => act === 'block')).toBe(true)
  })

  it('[LP15] a patience of 1 still takes two messages to be the same', () => {
    const decisions = played(run({ patience: 1 }), ['No.', 'No.'])
    expect(decisions.map(({ act }) => act)).toEqual(['block', 'allow'])
  })

  it('[LP15] what was not said, or is not known, is no repetition', () => {
    const decisions = played(run({ patience: 2 }), ['', ' ', '', '\n'])
    expect(decisions.every(({ act }) => act === 'block')).toBe(true)
  })

  it('[LP15] the work of a frame is not held against the next', () => {
    const done = '<loop-done>COMPLETE</loop-done>'
    const turns = ['No.', 'No.', done, 'No.', 'No.', 'No.'].map((message) => ({ message }))
    const decisions = played(run({ patience: 3 }, { patience: 3 }), turns)
    expect(decisions.map(({ act }) => act).join(' ')).toBe('block block allow block block allow')
  })

  it('[LP15] a megabyte is kept as a few characters', () => {
    const long = 'word '.repeat(200_000)
    const { message } = streaksAfter(NO_STREAKS, { message: long, changed: true })
    expect(message.length).toBeLessThan(20)
    expect(message).toBe(fingerprint(`\n${long}\t`))
    expect(message).not.toBe(fingerprint(`${long.slice(0, -1)}!`))
    expect(fingerprint('ab')).not.toBe(fingerprint('ba'))
  })
})

it('[LP16] an open breaker parks the run until it closes', () => {
  const before = run({ iter: 3 })
  const breaker = { why: 'all loops are parked: x', until: NOW + 9 }
  const { run: after, from, to, why } = decided('allow', before, { breaker })
  expect({ from, to, why }).toEqual({ from: 'ACTIVE', to: 'ACTIVE', why: breaker.why })
  const hold = { kind: 'parked', why: breaker.why, since: NOW, until: NOW + 9 }
  expect(after).toEqual({ ...before, hold })
})
