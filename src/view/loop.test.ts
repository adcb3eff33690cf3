import { describe, expect, it } from 'vitest'
import type { LoopFacet } from '../core/signal.ts'
import type { LoopView } from '../protocol/loop.ts'
import { dollars, loopLookOf, loopWordsOf, spanOf } from './loop.ts'

const timeOfDay = (at: number) => `${at}h`

describe('[LP60] a loop beside its session', () => {
  const facet = (over: Partial<LoopFacet>): LoopFacet => ({
    state: 'ACTIVE',
    iteration: 3,
    max: 10,
    hold: null,
    until: null,
    ...over,
  })

  it.each<[Partial<LoopFacet>, string]>([
    [{}, 'loop 3/10'],
    [{ iteration: 0 }, 'loop 0/10'],
    [{ hold: 'paused: interrupted by you' }, 'loop 3/10 paused'],
    [{ hold: 'parked: rate_limit', until: 12 }, 'loop 3/10 waits for 12h'],
    [{ hold: 'parked: rate_limit' }, 'loop 3/10 waits'],
    [{ hold: 'the session is not in tmux' }, 'loop 3/10 needs you'],
    [{ state: 'STUCK', iteration: 10 }, 'loop 10/10 stuck'],
    [{ state: 'STUCK', hold: 'three times the same' }, 'loop 3/10 stuck'],
  ])('%o: %s', (over, words) => {
    expect(loopWordsOf({ loop: facet(over) }, timeOfDay)).toBe(words)
  })

  it('is nothing where there is none', () => {
    expect(loopWordsOf({ loop: null }, timeOfDay)).toBe('')
    expect(loopWordsOf({}, timeOfDay)).toBe('')
  })
})

describe('[LP61] a loop in a list of loops', () => {
  const view = (over: Partial<LoopView>): LoopView =>
    ({ open: true, hold: null, state: 'ACTIVE', event: 'STATE', ...over }) as LoopView
  const held = (kind: 'paused' | 'parked' | 'human', until: number | null = null) =>
    view({ hold: { kind, why: 'so', since: 1, until } })
  const over = (event: LoopView['event'], reason: string, because: string | null = null) =>
    view({ open: false, event, reason, because })
  const look = (loop: LoopView, waits = '') => loopLookOf(loop, waits, timeOfDay)

  it.each([
    [view({}), 'running'],
    [held('human'), 'needs you: so'],
    [held('paused'), 'paused: so'],
    [held('parked', 12), 'waits for 12h: so'],
    [over('DONE', 'COMPLETE'), 'done'],
    [over('DONE', 'NO_MORE_ISSUES'), 'done, no items left'],
    [over('DONE', 'MAX_ITERATIONS'), 'ended at its limit'],
    [over('DONE', 'STUCK', 'the same three times'), 'stuck: the same three times'],
    [over('ABORT', 'USER_CANCELLED'), 'stopped by you'],
    [over('ABORT', 'USER_CANCELLED', 'stopped by you'), 'stopped by you'],
    [over('ABORT', 'SOMETHING_ELSE'), 'something_else'],
  ])('%#: %s', (loop, words) => {
    expect(look(loop).words).toBe(words)
  })

  it('whose agent waits for its user says so, unless it is held', () => {
    expect(look(view({}), 'waiting for permission').words).toBe('waiting for permission')
    expect(look(held('paused'), 'waiting for permission').words).toBe('paused: so')
  })

  it('comes the earlier the more it needs its user', () => {
    const ranks = [
      look(held('human')),
      look(view({}), 'waiting for permission'),
      look(over('DONE', 'STUCK')),
      look(held('parked')),
      look(held('paused')),
      look(view({})),
      look(over('DONE', 'COMPLETE')),
      look(over('ABORT', 'USER_CANCELLED')),
    ].map(({ rank }) => rank)
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b))
    expect(new Set(ranks).size).toBe(ranks.length)
  })
})

describe('a span', () => {
  it.each([
    [-1, '0 s'],
    [999, '0 s'],
    [45_000, '45 s'],
    [90_000, '1 min 30 s'],
    [1_800_000, '30 min'],
    [5_400_000, '1 h 30 min'],
    [5_405_000, '1 h 30 min'],
    [7_200_000, '2 h'],
    [86_400_000, '1 d'],
    [90_060_000, '1 d 1 h'],
    [86_460_000, '1 d'],
  ])('of %i ms is %s', (ms, span) => {
    expect(spanOf(ms)).toBe(span)
  })
})

describe('money', () => {
  it.each([
    [0, '$0.00'],
    [0.004, '$0.004'],
    [0.42, '$0.42'],
    [5, '$5.00'],
    [1234.5, '$1234.50'],
  ])('%d is %s', (usd, shown) => {
    expect(dollars(usd)).toBe(shown)
  })
})
