import { describe, expect, it } from 'vitest'
import { changed, gone, NOW, snapshot } from '../../../../test/support/board.ts'
import { happened, pageOf, rowNames } from '../../../../test/support/page-state.ts'
import { aSession } from '../../../../test/support/sessions.ts'
import { FLEET } from '../../../../test/support/view.ts'
import type { Session } from '../../../protocol/session.ts'
import type { PageEvent } from './state.ts'

const page = pageOf(FLEET)

const passed = (ms: number): PageEvent => ({ kind: 'passed', now: NOW + ms })

describe('what the page knows', () => {
  it('[PG1] is in the order of attention', () => {
    expect(rowNames(page)).toBe('asks wonders failed done works read ended')
  })
})

it('[PG1] the same events give the same page', () => {
  const events: PageEvent[] = [
    snapshot(FLEET),
    changed(FLEET, 'works', { state: 'waiting', since: NOW }),
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

describe('the chosen session', () => {
  it('[PG6] beside the list is the topmost until you choose one or point at one', () => {
    expect(page.selected).toBe('asks')
    const needier = changed(FLEET, 'works', { state: 'waiting', since: 1 })
    expect(happened(page, needier).selected).toBe('works')
    const pointed = happened(page, { kind: 'pointed', session: 'asks', at: NOW })
    expect(happened(pointed, needier).selected).toBe('asks')
  })

  it('[PG6] is none on a phone until one is opened', () => {
    const phone = pageOf(FLEET, { wide: false })
    expect(phone.selected).toBeNull()
    expect(happened(phone, { kind: 'chose', id: 'works', now: NOW, at: NOW }).selected).toBe(
      'works',
    )
  })

  it('[PG6] that is open stays so, filtered out or gone', () => {
    const open = happened(page, { kind: 'chose', id: 'works', now: NOW, at: NOW })
    const filtered = happened(open, { kind: 'filtered', filter: 'payments', now: NOW })
    expect(filtered.selected).toBe('works')
    expect(happened(open, gone('works')).selected).toBe('works')
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

  it('[PG4] and what happened meanwhile is reported when it is back', () => {
    const back = happened(lost, { kind: 'connection', connected: true, now: NOW + 9 })
    const others = FLEET.filter(({ id }) => id !== 'ended').map((session): Session => {
      if (session.id === 'works') return { ...session, state: 'waiting', since: NOW + 5 }
      return session.id === 'read' ? { ...session, state: 'working', since: NOW + 5 } : session
    })
    const told = happened(back, snapshot([...others, aSession({ id: 'fresh' })]))
    expect(told.notice?.text).toBe(
      'connected to the daemon again; meanwhile 1 now need you, 2 changed, 1 went away',
    )
    expect(happened(told, snapshot(others)).notice?.text).toBe(told.notice?.text)
    expect(happened(back, snapshot(FLEET)).notice).toBeNull()
  })
})

describe('a screen reader', () => {
  it('[PG12] announces sessions that begin to need their user, and none from before', () => {
    expect(page.said).toBe('')
    const waits = happened(
      page,
      changed(FLEET, 'works', { state: 'waiting', for: 'plan', request: { tool: 'x', at: 9 } }),
    )
    expect(waits.said).toBe('engine: waiting for plan')
    expect(happened(waits, changed(FLEET, 'read', { state: 'working' })).said).toBe(waits.said)
  })
})
