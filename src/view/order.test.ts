import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aSession } from '../../test/support/sessions.ts'
import { STATES } from '../core/verdict.ts'
import type { Session } from '../protocol/session.ts'
import { arrange, inAttention, nextNeedy, type PlacedRow } from './order.ts'
import { needsUser } from './session.ts'

const one = (id: string, state: Session['state'], since = 1_000, unread = false) =>
  aSession({ id, state, since, unread })
type Placed = Pick<Session, 'id' | 'state' | 'since' | 'unread'>
const arranged = (
  before: readonly PlacedRow<Placed>[],
  sessions: readonly Placed[],
  looking: boolean,
) => arrange(before, new Map(sessions.map((session) => [session.id, session])), looking)
const ids = (sessions: readonly { readonly id: string }[]) => sessions.map(({ id }) => id).join(' ')
const placed = (rows: readonly PlacedRow<Placed>[]) => ids(rows.map(({ session }) => session))

const anySessions = fc.uniqueArray(
  fc.record({
    id: fc.stringMatching(/^[a-z]$/),
    state: fc.constantFrom(...STATES),
    since: fc.nat(5),
    unread: fc.boolean(),
  }),
  { selector: ({ id }) => id, maxLength: 12 },
)

describe('the order of attention', () => {
  const order = [
    // The lower the kind ranks, the older the session: only the kind may decide.
    ...[one('a', 'waiting', 9), one('b', 'error', 8), one('c', 'stuck', 7)],
    ...[one('d', 'idle', 6, true), one('e', 'working', 5), one('f', 'background', 4)],
    ...[one('g', 'idle', 3), one('h', 'closed', 2)],
  ]

  it('[VW2] is waiting, error, stuck, unread, working, background, idle, closed', () => {
    expect(ids(inAttention(order.toReversed()))).toBe('a b c d e f g h')
  })

  it('[VW3] has within a kind the one that has waited longest first, and then the ids', () => {
    const [young, old, other] = [
      one('a', 'waiting', 9),
      one('ä', 'waiting', 3),
      one('z', 'waiting', 3),
    ]
    expect(ids(inAttention([young, old, other]))).toBe('z ä a')
  })

  it('[VW3] does not depend on the order they come in', () => {
    fc.assert(
      fc.property(anySessions, (sessions) => {
        expect(inAttention(sessions.toReversed())).toEqual(inAttention(sessions))
      }),
    )
  })
})

describe('sessions that need the user', () => {
  it.each(STATES)('[VW4] %s', (state) => {
    const calls = ['waiting', 'error', 'stuck', 'idle'].includes(state)
    expect(needsUser({ state, unread: true })).toBe(calls)
    expect(needsUser({ state, unread: false })).toBe(state === 'waiting')
  })
})

describe('rows', () => {
  const before = [one('a', 'waiting', 1), one('b', 'working', 1), one('c', 'working', 2)]
  const rows = arranged([], before, false)

  it('[VW5] are in the order of urgency while the user does not look', () => {
    expect(placed(rows)).toBe('a b c')
    const after = [one('a', 'working', 9), one('b', 'closed'), one('c', 'working', 2)]
    expect(placed(arranged(rows, after, false))).toBe('c a b')
  })

  it('[VW5] stay where they are while the user looks', () => {
    const after = [one('b', 'closed'), one('c', 'background', 5), one('a', 'working', 9)]
    expect(placed(arranged(rows, after, true))).toBe('a b c')
  })

  it('[VW5] move up when they begin to need their user, and only then', () => {
    const asks = [one('a', 'working', 9), one('b', 'working', 1), one('c', 'waiting', 8)]
    const moved = arranged(rows, asks, true)
    expect(placed(moved)).toBe('c a b')
    const answered = asks.map((session) => ({ ...session, state: 'working' as const }))
    expect(placed(arranged(moved, answered, true))).toBe('c a b')
  })

  it('[VW5] that need their user longer stay above one that begins to', () => {
    const asks = [one('a', 'waiting', 1), one('b', 'working', 1), one('c', 'waiting', 8)]
    const moved = arranged(rows, asks, true)
    expect(placed(moved)).toBe('a c b')
    const again = [one('a', 'idle', 9, true), one('b', 'working', 1), one('c', 'waiting', 8)]
    expect(placed(arranged(moved, again, true))).toBe('a c b')
  })

  it('[VW5] of new sessions come last, unless they need their user; gone ones leave', () => {
    const after = [one('c', 'closed'), one('d', 'working', 0), one('e', 'error', 1, true)]
    expect(placed(arranged(rows, after, true))).toBe('e c d')
  })

  it('[VW5] are of all sessions, each once, whatever was there before', () => {
    const anyRows = anySessions.map((sessions) => arranged([], sessions, false))
    fc.assert(
      fc.property(anyRows, anySessions, fc.boolean(), (shown, sessions, looking) => {
        const after = arranged(shown, sessions, looking)
        expect(placed(after).split(' ').toSorted()).toEqual(ids(sessions).split(' ').toSorted())
        expect(arranged(after, sessions, true)).toEqual(after)
      }),
    )
  })
})

describe('the next one that needs its user', () => {
  const [asks, done, failed, works] = [
    one('asks', 'waiting', 20),
    one('done', 'idle', 10, true),
    one('failed', 'error', 30, true),
    one('works', 'working', 1),
  ] as const
  const all = [works, failed, asks, done]

  it('[VW6] is the one that has longest, of whatever kind', () => {
    expect(nextNeedy(all)).toBe(done)
    expect(nextNeedy([works])).toBeUndefined()
    expect(nextNeedy([], 'asks')).toBeUndefined()
  })

  it('[VW6] after one comes the one after, and after the last the first', () => {
    expect(nextNeedy(all, 'done')).toBe(asks)
    expect(nextNeedy(all, 'asks')).toBe(failed)
    expect(nextNeedy(all, 'failed')).toBe(done)
    expect(nextNeedy([asks], 'asks')).toBe(asks)
  })

  it('[VW6] after one that needs it no more is again the one that has longest', () => {
    const seen = { ...done, unread: false }
    expect(nextNeedy([seen, failed, asks], 'done')).toBe(asks)
    expect(nextNeedy(all, 'works')).toBe(done)
    expect(nextNeedy(all, 'nobody')).toBe(done)
  })
})
