import { describe, expect, it } from 'vitest'
import { aListing } from '../../../test/support/listing.ts'
import { OWN_MACHINE } from '../../../test/support/machines.ts'
import { aSession } from '../../../test/support/sessions.ts'
import {
  effectsOf,
  FLEET,
  happened,
  listing,
  NOW,
  press,
  viewOf,
} from '../../../test/support/view.ts'
import type { Verdict } from '../../core/verdict.ts'
import type { SessionChange } from '../../protocol/session.ts'
import { rowsOf, shownOf } from '../../view/rows.ts'
import { selectedOf } from './keys.ts'
import type { Event, State } from './state.ts'

const idsOf = (state: State) => shownOf(state).map(({ id }) => id)
const chosenOf = (state: State) => selectedOf(state)?.id

function verdict(id: number, session: string, over: Partial<Verdict>): SessionChange {
  const base = { since: NOW, rule: 'T1', reason: 'told', grounds: [], unread: false, typing: false }
  const whole = { session, state: 'working' as const, ...base, tasks: [], details: {}, ...over }
  return { kind: 'verdict', id, t: NOW, machine: OWN_MACHINE, session, verdict: whole }
}

const changed = (...changes: SessionChange[]): Event => ({ kind: 'changed', changes, now: NOW })

describe('what is known', () => {
  it('[TU3] a listing replaces it', () => {
    const state = happened(viewOf(FLEET), listing(FLEET.slice(0, 2), 2))
    expect(idsOf(state)).toEqual(['asks', 'wonders'])
  })

  it('[TU3] a change is taken at once, and a listing made before it does not undo it', () => {
    const told = happened(viewOf(FLEET), changed(verdict(7, 'works', { state: 'error' })))
    expect(told.sessions.get('works')?.state).toBe('error')
    const older = happened(told, listing(FLEET, 6))
    expect(older.sessions.get('works')?.state).toBe('error')
    const newer = happened(older, listing(FLEET, 7))
    expect(newer.sessions.get('works')?.state).toBe('working')
  })

  it('[TU3] a change that comes after a listing that had it undoes nothing', () => {
    const told = happened(viewOf(FLEET), listing(FLEET, 7))
    const late = happened(told, changed(verdict(7, 'works', { state: 'error' })))
    expect(late.sessions.get('works')).toBe(told.sessions.get('works'))
    const next = happened(late, changed(verdict(8, 'works', { state: 'error' })))
    expect(next.sessions.get('works')?.state).toBe('error')
  })

  it('[TU3] who is gone does not come back with a listing made before', () => {
    const gone: SessionChange = {
      kind: 'gone',
      id: 7,
      t: NOW,
      machine: OWN_MACHINE,
      session: 'read',
      became: null,
    }
    const told = happened(viewOf(FLEET), changed(gone))
    expect(idsOf(happened(told, listing(FLEET, 6)))).not.toContain('read')
    expect(idsOf(happened(told, listing(FLEET, 8)))).toContain('read')
  })

  it('[TU3] one of what is new leaves the rest as it is', () => {
    const [first, ...rest] = FLEET
    if (!first) throw new Error('expected a fleet')
    const told = happened(viewOf(FLEET), changed(verdict(7, 'works', { state: 'error' })))
    const sessions = [{ ...first, title: 'renamed' }, ...rest.filter(({ id }) => id === 'works')]
    const some = { kind: 'listed' as const, listing: aListing(sessions, { seq: 6, partial: true }) }
    const state = happened(told, some)
    expect(state.sessions.size).toBe(FLEET.length)
    expect(state.sessions.get(first.id)?.title).toBe('renamed')
    expect(state.sessions.get('works')?.state).toBe('error')
    const none = { kind: 'listed' as const, listing: aListing([], { seq: 7, partial: true }) }
    expect(happened(state, none).sessions).toBe(state.sessions)
  })

  it('[TU3] with another log a listing replaces all, whatever ids were heard', () => {
    const told = happened(viewOf(FLEET), changed(verdict(7, 'works', { state: 'error' })))
    const anew = happened(told, { kind: 'reset' }, listing(FLEET.slice(0, 2), 1))
    expect(idsOf(anew)).toEqual(['asks', 'wonders'])
  })

  it('[TU3] of a session not heard of before the listing tells, even an older one', () => {
    const told = happened(viewOf([]), changed(verdict(7, 'works', {})))
    expect(idsOf(happened(told, listing(FLEET, 6)))).toContain('works')
  })
})

describe('the order', () => {
  const ids = FLEET.map(({ id }) => id)

  it('[TU2] has the neediest on top', () => {
    expect(idsOf(viewOf(FLEET.toReversed()))).toEqual(ids)
  })

  it('[TU2] stays for 15 s after a key, but for who begins to need its user', () => {
    const looked = press(viewOf(FLEET), 'j')
    const calmer = changed(verdict(7, 'asks', { state: 'working' }))
    expect(idsOf(happened(looked, calmer))).toEqual(ids)
    const later: Event = { kind: 'passed', now: NOW + 15_001 }
    expect(idsOf(happened(looked, calmer, later))[0]).toBe('wonders')
    const soon: Event = { kind: 'passed', now: NOW + 1_000 }
    expect(idsOf(happened(looked, calmer, soon))).toEqual(ids)
    const away: Event = { kind: 'focus', focused: false }
    expect(idsOf(happened(looked, calmer, away, soon))[0]).toBe('wonders')
    const needier = changed(verdict(8, 'read', { state: 'waiting', for: 'plan', since: 5 }))
    expect(idsOf(happened(looked, needier))[0]).toBe('read')
  })
})

describe('the chosen session', () => {
  it('[TU4] is the topmost until one is chosen', () => {
    const state = viewOf(FLEET)
    expect(chosenOf(state)).toBe('asks')
    const told = happened(state, changed(verdict(7, 'asks', { state: 'working' })))
    const calmer = happened(told, { kind: 'passed', now: NOW + 60_000 })
    expect(chosenOf(calmer)).toBe('wonders')
    expect(chosenOf(press(calmer, 'j', 'escape'))).toBe('wonders')
  })

  it('[TU4] stays chosen wherever its row goes, and leaves its place to its neighbour', () => {
    const chosen = press(viewOf(FLEET), 'j', 'j')
    expect(chosenOf(chosen)).toBe('failed')
    const moved = happened(chosen, changed(verdict(7, 'failed', { state: 'working' })), {
      kind: 'passed',
      now: NOW + 60_000,
    })
    expect(chosenOf(moved)).toBe('failed')
    const without = FLEET.filter(({ id }) => id !== 'failed')
    expect(chosenOf(happened(chosen, listing(without, 9)))).toBe('done')
    expect(chosenOf(happened(press(viewOf(FLEET), 'end'), listing(FLEET.slice(0, -1), 9)))).toBe(
      'read',
    )
  })

  it('[TU5] moves by arrows and letters, pages and ends, and not beyond them', () => {
    const state = viewOf(FLEET)
    expect(chosenOf(press(state, 'down', 'j', 'up', 'k', 'k'))).toBe('asks')
    expect(chosenOf(press(state, 'end', 'down'))).toBe('ended')
    expect(chosenOf(press(state, 'end', 'home'))).toBe('asks')
    expect(chosenOf(press(state, 'pagedown'))).toBe('ended')
    expect(chosenOf(press(state, 'end', 'pageup'))).toBe('asks')
  })

  it('[TU5] is in sight on every terminal, in groups too', () => {
    const many = Array.from({ length: 50 }, (_, i) =>
      aSession({ id: `s${i}`, since: i, project: `p${i % 7}` }),
    )
    for (const [columns, rows] of [
      [80, 24],
      [200, 60],
      [40, 10],
      [20, 5],
    ] as const)
      for (const keys of [[], ['g']]) {
        let state = press(viewOf(many, columns, rows), ...keys)
        for (const key of [...'jjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjkkkkkkkkkkkk']) {
          state = press(state, key)
          const inSight = rowsOf(state).slice(state.top, state.top + heightIn(state))
          const ids = inSight.flatMap((row) => (row.kind === 'session' ? row.session.id : []))
          expect(ids).toContain(state.selected)
        }
      }
  })

  it('[TU6] is chosen by the numbers of those in sight', () => {
    expect(chosenOf(press(viewOf(FLEET), '3'))).toBe('failed')
    expect(chosenOf(press(viewOf(FLEET), 'j', '9'))).toBe('wonders')
    const many = Array.from({ length: 50 }, (_, i) => aSession({ id: `s${i}`, since: i }))
    const scrolled = press(viewOf(many), 'end')
    expect(chosenOf(press(scrolled, '1'))).toBe(`s${scrolled.top}`)
  })

  it('[TU7] n chooses who has needed its user longest, then the one happened, and round', () => {
    const once = press(viewOf(FLEET), 'n')
    const all = [once, press(once, 'n'), press(once, 'n', 'n'), press(once, 'n', 'n', 'n')]
    expect(all.map(chosenOf)).toEqual(['failed', 'done', 'asks', 'wonders'])
    expect(chosenOf(press(once, 'n', 'n', 'n', 'n'))).toBe('failed')
    const calm = press(viewOf(FLEET.slice(-2)), 'n')
    expect(calm.notice?.text).toBe('nobody needs you')
  })
})

function heightIn(state: State): number {
  return Math.max(1, state.rows - 4) // No list is higher than this.
}

describe('keys that do something', () => {
  it('[TU10] u tells that the session was looked at', () => {
    const [effect] = effectsOf(viewOf(FLEET), 'u')
    expect(effect).toMatchObject({ do: 'read', session: { id: 'asks' } })
    const read = press(viewOf(FLEET), '2')
    expect(effectsOf(read, 'u')).toEqual([])
    expect(press(read, 'u').notice?.text).toBe('was read already')
  })

  it('[TU12] Enter goes to one that is open and takes up one that is closed', () => {
    expect(effectsOf(viewOf(FLEET), 'enter')).toMatchObject([
      { do: 'jump', session: { id: 'asks' } },
    ])
    const closed = press(viewOf(FLEET), 'end')
    expect(effectsOf(closed, 'enter')).toMatchObject([{ do: 'resume', session: { id: 'ended' } }])
    expect(effectsOf(viewOf([]), 'enter')).toEqual([])
  })

  it('[TU12] q and Ctrl-C leave, from wherever one is', () => {
    const leave = [{ do: 'leave' }]
    expect(effectsOf(viewOf(FLEET), 'q')).toEqual(leave)
    for (const keys of [[], ['f'], ['w'], ['?']])
      expect(effectsOf(press(viewOf(FLEET), ...keys), 'ctrl-c')).toEqual(leave)
  })
})
