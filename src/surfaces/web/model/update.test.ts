import { describe, expect, it } from 'vitest'
import { aListing } from '../../../../test/support/listing.ts'
import { OWN_MACHINE } from '../../../../test/support/machines.ts'
import {
  happened,
  listing,
  NOW,
  pageOf,
  press,
  rowNames,
} from '../../../../test/support/page-state.ts'
import { aSession } from '../../../../test/support/sessions.ts'
import { FLEET } from '../../../../test/support/view.ts'
import type { Verdict } from '../../../core/verdict.ts'
import type { Session } from '../../../protocol/session.ts'
import type { Event } from './state.ts'

const page = pageOf(FLEET)

function verdict(session: string, over: Partial<Verdict>, id = 2): Event {
  const known = {
    ...{ session, state: 'working' as const, since: NOW, rule: 'T1', reason: 'so', grounds: [] },
    ...{ unread: false, typing: false, tasks: [], details: {} },
  }
  const change = {
    kind: 'verdict' as const,
    id,
    t: NOW,
    machine: OWN_MACHINE,
    session,
    verdict: { ...known, ...over },
  }
  return { kind: 'changed', changes: [change], now: NOW }
}

const passed = (ms: number): Event => ({ kind: 'passed', now: NOW + ms })

describe('what the page knows', () => {
  it('[PG1] is in the order of attention', () => {
    expect(rowNames(page)).toBe('asks wonders failed done works read ended')
  })

  it('[PG3] a listing replaces it, but for what was heard since it was made', () => {
    const changed = happened(page, verdict('works', { state: 'error' }, 5))
    expect(happened(changed, listing(FLEET, 4)).sessions.get('works')?.state).toBe('error')
    expect(happened(changed, listing(FLEET, 5)).sessions.get('works')?.state).toBe('working')
  })

  it('[PG3] of what is new, a listing replaces only that; with another log, all', () => {
    const changed = happened(page, verdict('works', { state: 'error' }, 5))
    const one = FLEET.filter(({ id }) => id === 'asks').map((it) => ({ ...it, title: 'renamed' }))
    const some = aListing(one, { seq: 6, partial: true })
    const told = happened(changed, { kind: 'listed', listing: some })
    expect(told.sessions.size).toBe(FLEET.length)
    expect(told.sessions.get('asks')?.title).toBe('renamed')
    const again = happened(changed, { kind: 'reset' }, listing(one, 1))
    expect([...again.sessions.keys()]).toEqual(['asks'])
  })

  it('[PG3] what can be answered from here is known at once', () => {
    const asked = happened(page, { kind: 'asks', session: 'asks', asks: ['r1'] })
    expect(asked.sessions.get('asks')?.asks).toEqual(['r1'])
    expect(happened(page, { kind: 'asks', session: 'nobody', asks: ['r1'] })).toEqual(page)
  })
})

it('[PG1] the same events give the same page', () => {
  const events: Event[] = [
    listing(FLEET, 3),
    verdict('works', { state: 'waiting', since: NOW }),
    { kind: 'key', key: 'j', now: NOW, at: NOW },
    { kind: 'chose', id: 'failed', now: NOW + 5, at: NOW + 5 },
    { kind: 'filtered', filter: 'e', now: NOW + 6 },
    { kind: 'connection', connected: false, now: NOW + 7 },
    passed(20_000),
  ]
  const before = JSON.stringify(FLEET)
  expect(happened(page, ...events)).toEqual(happened(pageOf(FLEET), ...events))
  expect(JSON.stringify(FLEET)).toBe(before)
})

describe('rows', () => {
  const waits = { state: 'waiting' as const, for: 'permission' as const, since: NOW - 1 }

  it('[PG5] stay while somebody is at it, but for who begins to need its user', () => {
    const used = press(page, 'j')
    const answered = happened(used, verdict('asks', { since: NOW }), passed(14_000))
    expect(rowNames(answered)).toBe('asks wonders failed done works read ended')
    expect(rowNames(happened(used, verdict('works', waits)))).toMatch(/^asks works wonders|^asks/)
    expect(rowNames(happened(used, verdict('read', waits)))).toBe(
      'asks wonders read failed done works ended',
    )
  })

  it('[PG5] go where they belong when nobody is, or the window was left', () => {
    const answered = happened(press(page, 'j'), verdict('asks', { since: NOW }))
    const order = 'wonders failed done works asks read ended'
    expect(rowNames(happened(answered, passed(15_000)))).toBe(order)
    const left = happened(answered, { kind: 'focus', focused: false }, passed(1_000))
    expect(rowNames(left)).toBe(order)
    expect(rowNames(happened(answered, { kind: 'acted', now: NOW + 9_000 }, passed(15_000)))).toBe(
      'asks wonders failed done works read ended',
    )
  })
})

describe('the chosen session', () => {
  const without = (id: string) => FLEET.filter((session) => session.id !== id)

  it('[PG6] beside the list is the topmost at first, and stays when another moves up', () => {
    expect(page.selected).toBe('asks')
    const first = { state: 'waiting' as const, since: 1 }
    const moved = happened(page, verdict('works', first))
    expect(rowNames(moved)).toMatch(/^works/)
    expect(moved.selected).toBe('asks')
  })

  it('[PG6] is none on a phone until one is opened', () => {
    const phone = pageOf(FLEET, { wide: false })
    expect(phone.selected).toBeNull()
    expect(happened(phone, { kind: 'chose', id: 'works', now: NOW, at: NOW }).selected).toBe(
      'works',
    )
  })

  it('[PG6] leaves its place to its neighbour when it is gone', () => {
    const chosen = press(page, 'j', 'j')
    expect(chosen.selected).toBe('failed')
    expect(happened(chosen, listing(without('failed'), 9)).selected).toBe('done')
    const last = press(page, 'end')
    expect(happened(last, listing(without('ended'), 9)).selected).toBe('read')
  })

  it('[PG6] that is open stays so, filtered out or gone', () => {
    const open = happened(page, { kind: 'chose', id: 'works', now: NOW, at: NOW })
    const filtered = happened(open, { kind: 'filtered', filter: 'payments', now: NOW })
    expect(filtered.selected).toBe('works')
    expect(happened(open, listing(without('works'), 9)).selected).toBe('works')
  })
})

describe('a daemon that is lost', () => {
  const lost = happened(page, { kind: 'connection', connected: false, now: NOW + 1 })

  it('[PG4] is said to be, since the first attempt that failed', () => {
    const again = happened(lost, { kind: 'connection', connected: false, now: NOW + 900 })
    expect(again.lostSince).toBe(NOW + 1)
    const back = happened(again, { kind: 'connection', connected: true, now: NOW + 950 })
    expect(back.lostSince).toBeNull()
  })

  it('[PG4] and what happened meanwhile is told when it is back', () => {
    const back = happened(lost, { kind: 'connection', connected: true, now: NOW + 9 })
    const changed = FLEET.filter(({ id }) => id !== 'ended').map((session): Session => {
      if (session.id === 'works') return { ...session, state: 'waiting', since: NOW + 5 }
      return session.id === 'read' ? { ...session, state: 'working', since: NOW + 5 } : session
    })
    const told = happened(back, listing([...changed, aSession({ id: 'fresh' })], 7))
    expect(told.notice?.text).toBe(
      'the daemon is back; meanwhile 1 came to need you, 2 changed, 1 went away',
    )
    expect(happened(told, listing(changed, 8)).notice?.text).toBe(told.notice?.text)
    expect(happened(back, listing(FLEET, 7)).notice).toBeNull()
  })
})

describe('who listens', () => {
  it('[PG12] is told who begins to need its user, and not of what was there before', () => {
    expect(page.said).toBe('')
    const waits = happened(
      page,
      verdict('works', { state: 'waiting', for: 'plan', request: { tool: 'x', at: 9 } }),
    )
    expect(waits.said).toBe('engine: waiting for plan')
    expect(happened(waits, verdict('read', { state: 'working' }, 3)).said).toBe(waits.said)
  })
})
