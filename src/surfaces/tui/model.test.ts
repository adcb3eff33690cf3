import { describe, expect, it } from 'vitest'
import { changed, NOW } from '../../../test/support/board.ts'
import { aSession } from '../../../test/support/sessions.ts'
import { effectsOf, FLEET, happened, press, viewOf } from '../../../test/support/view.ts'
import { selectedOf } from '../../view/board/board.ts'
import type { TerminalState } from './state.ts'

const chosenOf = (state: TerminalState) => selectedOf(state)?.id

describe('the chosen session', () => {
  it('[BD4] is the topmost again after Esc', () => {
    const told = happened(
      viewOf(FLEET),
      changed(FLEET, 'asks', { state: 'working', unread: false }),
    )
    const calmer = happened(told, { kind: 'passed', now: NOW + 60_000 })
    expect(chosenOf(press(calmer, 'j', 'escape'))).toBe('wonders')
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
          const inSight = state.list.slice(state.top, state.top + heightIn(state))
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

  it('[TU7] n selects the session that has needed its user longest, then the next', () => {
    const once = press(viewOf(FLEET), 'n')
    const all = [once, press(once, 'n'), press(once, 'n', 'n'), press(once, 'n', 'n', 'n')]
    expect(all.map(chosenOf)).toEqual(['failed', 'done', 'asks', 'wonders'])
    expect(chosenOf(press(once, 'n', 'n', 'n', 'n'))).toBe('failed')
    const calm = press(viewOf(FLEET.slice(-2)), 'n')
    expect(calm.notice?.text).toBe('no session needs you')
  })
})

function heightIn(state: TerminalState): number {
  return Math.max(1, state.rows - 4) // No list is higher than this.
}

describe('keys that do something', () => {
  it('[TU10] u tells that the session was looked at', () => {
    const [effect] = effectsOf(viewOf(FLEET), 'u')
    expect(effect).toMatchObject({ do: 'read', session: { id: 'asks' } })
    const read = press(viewOf(FLEET), '2')
    expect(effectsOf(read, 'u')).toEqual([])
    expect(press(read, 'u').notice?.text).toBe('already read')
  })

  it('[TU12] Enter goes to one that is open and takes up one that is closed', () => {
    const inTmux = viewOf(FLEET.map((session) => ({ ...session, tmuxPane: '%1' })))
    expect(effectsOf(inTmux, 'enter')).toMatchObject([{ do: 'jump', session: { id: 'asks' } }])
    expect(press(viewOf(FLEET), 'enter').notice?.text).toBe('the session is not in tmux')
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
