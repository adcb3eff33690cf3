import { describe, expect, it } from 'vitest'
import { STATES, type Verdict } from '../core/verdict.ts'
import { ageOf, byAttention, colourOf, detailOf, glyphOf, plain, wordsOf } from './session.ts'

function verdict(over: Partial<Verdict> = {}): Verdict & { id: string } {
  return {
    id: over.session ?? 'one',
    session: 'one',
    state: 'idle',
    since: 1000,
    rule: 'T3',
    reason: 'the test says so',
    grounds: [],
    unread: false,
    typing: false,
    tasks: [],
    details: {},
    ...over,
  }
}

describe('the state in words', () => {
  it.each<[Partial<Verdict>, string]>([
    [{ state: 'waiting', for: 'permission' }, 'waiting for permission'],
    [{ state: 'waiting', for: 'plan' }, 'waiting for plan'],
    [{ state: 'idle', after: 'work' }, 'idle after work'],
    [{ state: 'error', cause: 'rate_limit' }, 'error: rate limit'],
    [{ state: 'closed', how: 'killed' }, 'closed: killed'],
    [{ state: 'working', doing: { what: 'tool', tool: 'Bash', since: 1 } }, 'working: Bash'],
    [{ state: 'working', doing: { what: 'thinking', since: 1 } }, 'working: thinking'],
    [{ state: 'background' }, 'background'],
    [{ state: 'unknown' }, 'unknown'],
  ])('%o: %s', (over, words) => {
    expect(wordsOf(verdict(over))).toBe(words)
  })

  it.each([
    ['clear', 'closed: cleared'],
    ['resume', 'closed: another session was resumed'],
    ['bypass_permissions_disabled', 'closed: bypass permissions disabled'],
    ['other', 'closed'],
  ])('[VW27] of one that was closed by %s: %s', (how, words) => {
    expect(wordsOf(verdict({ state: 'closed', how }))).toBe(words)
  })

  it('come with a glyph of their own and a colour for every state', () => {
    const glyphs = STATES.map((state) => glyphOf(verdict({ state })))
    expect(new Set(glyphs).size).toBe(STATES.length)
    for (const state of STATES) expect(colourOf(verdict({ state }))).toMatch(/^[a-z]+$/)
    expect(colourOf(verdict({ state: 'error' }))).toBe('red')
  })
})

describe('what it asks, does or left running', () => {
  const asks = { request: { tool: 'Bash', at: 1, text: 'rm -r build' } }
  const does = { doing: { what: 'tool' as const, tool: 'Bash', label: 'npm test', since: 1 } }
  const runs = {
    tasks: [
      { id: '1', what: 'shell', label: 'npm run dev' },
      { id: '2', what: 'agent' },
    ],
  }

  it('is the request before the work before the tasks', () => {
    expect(detailOf(verdict({ ...asks, ...does, ...runs }))).toBe('rm -r build')
    expect(detailOf(verdict({ ...does, ...runs }))).toBe('npm test')
    expect(detailOf(verdict(runs))).toBe('npm run dev, agent')
    const loop = { state: 'STUCK', iteration: 9, max: 9, hold: '9 of 9 are used up', until: null }
    expect(detailOf(verdict({ ...runs, loop }))).toBe('npm run dev, agent')
    expect(detailOf(verdict({ loop }))).toBe('9 of 9 are used up')
    expect(detailOf(verdict())).toBe('')
  })
})

describe('the order of attention', () => {
  const order = [
    verdict({ session: 'waiting', state: 'waiting' }),
    verdict({ session: 'error', state: 'error' }),
    verdict({ session: 'stuck', state: 'stuck' }),
    verdict({ session: 'unread', state: 'idle', unread: true }),
    verdict({ session: 'working', state: 'working' }),
    verdict({ session: 'background', state: 'background' }),
    verdict({ session: 'read', state: 'idle' }),
    verdict({ session: 'unknown', state: 'unknown' }),
    verdict({ session: 'closed', state: 'closed' }),
  ]
  const names = (verdicts: readonly Verdict[]) => verdicts.map(({ session }) => session)

  it('puts sessions that need the user first, from any order', () => {
    // Nine verdicts, rotated and reversed: the given order must not matter.
    for (let turn = 0; turn < order.length; turn++) {
      const rotated = [...order.slice(turn), ...order.slice(0, turn)]
      expect(names(rotated.toSorted(byAttention))).toEqual(names(order))
      expect(names(rotated.toReversed().toSorted(byAttention))).toEqual(names(order))
    }
  })

  it('has within a kind the one that has waited longest first', () => {
    const young = verdict({ session: 'a', state: 'waiting', since: 3000 })
    const old = verdict({ session: 'b', state: 'waiting', since: 2000 })
    expect(names([young, old].toSorted(byAttention))).toEqual(['b', 'a'])
  })

  it('never leaves two sessions to chance', () => {
    const [a, b] = [verdict({ session: 'a' }), verdict({ session: 'b' })]
    expect(names([b, a].toSorted(byAttention))).toEqual(['a', 'b'])
    expect(names([a, b].toSorted(byAttention))).toEqual(['a', 'b'])
    expect(byAttention(a, a)).toBe(0)
  })
})

describe('an age', () => {
  it.each([
    [-5000, '0 s'],
    [0, '0 s'],
    [999, '0 s'],
    [1000, '1 s'],
    [59_999, '59 s'],
    [60_000, '1 min'],
    [3_599_999, '59 min'],
    [3_600_000, '1 h'],
    [90_000_000, '25 h'],
  ])('of %i ms is %s', (ms, age) => {
    expect(ageOf(ms)).toBe(age)
  })
})

describe('text of an agent', () => {
  it('stays as it is where it is harmless', () => {
    expect(plain('naïve 日本語 👍 — “ok”', 80)).toBe('naïve 日本語 👍 — “ok”')
  })

  it.each([
    ['colours', 'a\u001b[31mb', 'a [31mb'],
    ['the clipboard', 'a\u001b]52;c;aGk=\u0007b', 'a ]52;c;aGk= b'],
    ['one-byte control sequences', 'a\u009b2Jb', 'a 2Jb'],
    ['line breaks and tabs', 'a\r\n\tb', 'a b'],
    ['backspace, delete and null', 'a\b\u007f\u0000b', 'a b'],
    ['overrides of direction', 'a\u202eb\u202cc', 'a b c'],
    ['isolates of direction', 'a\u2066b\u2069c', 'a b c'],
  ])('loses %s', (_, text, left) => {
    expect(plain(text, 80)).toBe(left)
  })

  it('is cut to its columns, and says so', () => {
    expect(plain('12345', 5)).toBe('12345')
    expect(plain('123456', 5)).toBe('1234…')
    expect(plain('123456', 1)).toBe('…')
  })

  it('is nothing in no columns', () => {
    expect(plain('123456', 0)).toBe('')
  })

  it('is not cut in the middle of a character', () => {
    for (let columns = 1; columns < 8; columns++)
      expect(plain('👍👍👍👍', columns).isWellFormed(), `${columns} columns`).toBe(true)
  })
})
