import { describe, expect, it } from 'vitest'
import { changed, gone, NOW, rows, snapshot } from '../../../test/support/board.ts'
import { aSession } from '../../../test/support/sessions.ts'
import { FLEET } from '../../../test/support/view.ts'
import type { Session } from '../../protocol/session.ts'
import { afterEvent, joinedEvents } from './after-event.ts'
import { type Board, type BoardEvent, emptyBoard } from './board.ts'
import { dismissed, filtered, grouped, movedBy, nextOne, restored } from './choose.ts'
import { warningOf } from './news.ts'
import { rowsOf, sessionsIn } from './rows.ts'
import { settle } from './settle.ts'

const OPTIONS = { selectsTopmost: true, open: null }

function happened(board: Board, ...events: readonly BoardEvent[]): Board {
  return events.reduce((before, event) => settle(before, afterEvent(before, event), OPTIONS), board)
}

/** A key at this moment. */
function acted(board: Board, act: (board: Board) => Board): Board {
  return settle(board, { ...act(board), lastActAt: board.now }, OPTIONS)
}

const boardOf = (sessions: readonly Session[]) => happened(emptyBoard(NOW), snapshot(sessions))
const idsOf = (board: Board) => sessionsIn(board.list).map(({ id }) => id)
const passed = (ms: number): BoardEvent => ({ kind: 'passed', now: NOW + ms })
const fleet = boardOf(FLEET)
const ids = FLEET.map(({ id }) => id)

describe('what is known', () => {
  it('[BD1] a snapshot replaces it, in pages that count once all are there', () => {
    const [first, second] = [FLEET.slice(0, 3), FLEET.slice(3, 5)]
    const page = (sessions: readonly Session[], more: boolean): BoardEvent => ({
      kind: 'stream',
      events: [{ kind: 'snapshot', now: NOW, sessions, more }],
    })
    const half = happened(fleet, page(first, true))
    expect(half.sessions).toBe(fleet.sessions)
    const whole = happened(half, page(second, false))
    expect([...whole.sessions.keys()]).toEqual(ids.slice(0, 5))
  })

  it('[BD1] a row replaces one session, and one that is gone is removed', () => {
    const told = happened(fleet, changed(FLEET, 'works', { state: 'error' }), gone('read'))
    expect(told.sessions.get('works')?.state).toBe('error')
    expect(told.sessions.has('read')).toBe(false)
    expect(told.sessions.get('asks')).toBe(fleet.sessions.get('asks'))
    const fresh = happened(told, rows(aSession({ id: 'fresh' })))
    expect(idsOf(fresh)).toContain('fresh')
  })

  it('[BD1] parts that came in one frame are one step, in their order', () => {
    const other = { kind: 'other' as const }
    const parts = joinedEvents([gone('a'), gone('b'), other, gone('c')])
    expect(parts.map((part) => ('events' in part ? part.events.length : part.kind))).toEqual([
      2,
      'other',
      1,
    ])
    const events = [changed(FLEET, 'works', { state: 'error' }), gone('works'), gone('read')]
    const atOnce = happened(fleet, ...(joinedEvents(events) as BoardEvent[]))
    expect(idsOf(atOnce)).toEqual(idsOf(happened(fleet, ...events)))
  })

  it('[BD2] a snapshot that was cut off counts for nothing', () => {
    const half: BoardEvent = {
      kind: 'stream',
      events: [{ kind: 'snapshot', now: NOW, sessions: FLEET.slice(0, 3), more: true }],
    }
    const lost: BoardEvent = { kind: 'connection', connected: false, now: NOW }
    const back: BoardEvent = { kind: 'connection', connected: true, now: NOW }
    const again = happened(fleet, half, lost, back, snapshot(FLEET.slice(5)))
    expect([...again.sessions.keys()]).toEqual(ids.slice(5))
  })
})

describe('the order', () => {
  it('[BD3] has the neediest on top', () => {
    expect(idsOf(boardOf(FLEET.toReversed()))).toEqual(ids)
  })

  it('[BD3] stays for 15 s after you did something, but for what begins to need you', () => {
    const looked = acted(fleet, (board) => movedBy(board, 1))
    const calmer = changed(FLEET, 'asks', { state: 'working', unread: false })
    expect(idsOf(happened(looked, calmer, passed(14_000)))).toEqual(ids)
    const needier = changed(FLEET, 'read', { state: 'waiting', for: 'plan', since: 5 })
    expect(idsOf(happened(looked, needier))[0]).toBe('read')
  })

  it('[BD3] is made anew once you do not look, or have left the window', () => {
    const looked = acted(fleet, (board) => movedBy(board, 1))
    const calmer = happened(looked, changed(FLEET, 'asks', { state: 'working', unread: false }))
    expect(idsOf(happened(calmer, passed(15_001)))[0]).toBe('wonders')
    const left: BoardEvent = { kind: 'focus', focused: false }
    expect(idsOf(happened(calmer, left, passed(1_000)))[0]).toBe('wonders')
  })
})

describe('the selected session', () => {
  const needier = changed(FLEET, 'works', { state: 'waiting', since: 1 })

  it('[BD4] is the topmost until you choose one', () => {
    expect(fleet.selected).toBe('asks')
    expect(happened(fleet, needier).selected).toBe('works')
    expect(
      happened(
        acted(fleet, (board) => movedBy(board, 1)),
        needier,
      ).selected,
    ).toBe('wonders')
  })

  it('[BD4] does not change under your eyes, though you chose none', () => {
    const looked = acted(fleet, (board) => grouped(board))
    expect(looked.isChosen).toBe(false)
    expect(happened(looked, needier).selected).toBe('asks')
    expect(happened(looked, needier, passed(15_001)).selected).toBe('works')
    expect(happened(looked, gone('asks')).selected).toBe('wonders')
  })

  it('[BD4] that you chose stays, and leaves its place to its neighbour', () => {
    const third = acted(acted(fleet, nextOne), (board) => ({ ...board, selected: 'failed' }))
    const moved = changed(FLEET, 'failed', { state: 'working', unread: false })
    expect(happened(third, moved, passed(60_000)).selected).toBe('failed')
    expect(happened(third, gone('failed')).selected).toBe('done')
    const last = acted(fleet, (board) => movedBy(board, Number.POSITIVE_INFINITY))
    expect(happened(last, gone('ended')).selected).toBe('read')
    expect(happened(last, snapshot([])).selected).toBe(null)
  })

  it('[BD4] stays though it left the list, where it is open', () => {
    const open = { selectsTopmost: true, open: 'works' }
    const chosen = { ...fleet, selected: 'works', isChosen: true }
    const without = afterEvent(chosen, gone('works'))
    expect(settle(chosen, without, open).selected).toBe('works')
    expect(settle(chosen, filtered(chosen, 'payments'), OPTIONS).selected).toBe('asks')
    const none = { selectsTopmost: false, open: null }
    expect(settle(fleet, { ...fleet, selected: null }, none).selected).toBe(null)
  })
})

describe('the list', () => {
  it('[TU11] is without a dismissed session until its state begins anew', () => {
    const without = acted(fleet, dismissed)
    expect(idsOf(without)).toEqual(ids.slice(1))
    expect(without.selected).toBe('wonders')
    expect(idsOf(happened(without, snapshot(FLEET)))).not.toContain('asks')
    expect(idsOf(happened(without, changed(FLEET, 'asks', { since: NOW })))).toContain('asks')
    expect(idsOf(acted(without, restored))).toEqual(ids)
  })

  it('is made once for each change of it', () => {
    expect(happened(fleet, { kind: 'focus', focused: true }).list).toBe(fleet.list)
    expect(rowsOf(fleet)).toEqual(fleet.list)
  })
})

describe('[BD10] what is wrong', () => {
  const troubled = (...troubles: string[]): Board => ({
    ...fleet,
    machine: fleet.machine && { ...fleet.machine, troubles },
  })

  it('is said: that the daemon is lost, else its first trouble and how many more', () => {
    expect(warningOf(fleet)).toBe(null)
    expect(warningOf(troubled('log: cannot be written'))).toBe('log: cannot be written')
    expect(warningOf(troubled('a', 'b', 'c'))).toBe('a (and 2 more: vigil doctor)')
    const lost = { ...troubled('a'), lostSince: NOW - 3_000 }
    expect(warningOf(lost)).toBe('lost connection to the daemon 3 s ago, reconnecting')
  })

  it('holds nothing that acts on a terminal', () => {
    expect(warningOf(troubled('a\u001b[31mb'))).not.toContain('\u001b')
  })
})
