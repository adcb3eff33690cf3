import { describe, expect, it } from 'vitest'
import { effectsOf, FLEET, press, viewOf } from '../../../test/support/view.ts'
import type { BoardRow } from '../../view/board/rows.ts'
import { sessionsIn } from '../../view/board/rows.ts'
import type { TerminalState } from './state.ts'

const idsOf = (state: TerminalState) => sessionsIn(state.list).map(({ id }) => id)

describe('[TU8] a filter', () => {
  const typed = (...words: string[]) => press(viewOf(FLEET), 'f', ...[...words.join(' ')])

  it.each([
    ['pay', ['asks']],
    ['WAITING', ['asks', 'wonders']],
    ['engine there', ['works']],
    ['unread', ['asks', 'failed', 'done']],
    ['main', ['asks']],
    ['nobody', []],
  ])('%s', (word, ids) => {
    expect(idsOf(typed(word))).toEqual(ids)
  })

  it('takes every letter, keys among them, until Enter keeps it or Esc ends it', () => {
    expect(effectsOf(typed('pay'), 'q')).toEqual([])
    expect(idsOf(press(typed('payx'), 'backspace'))).toEqual(['asks'])
    const kept = press(typed('pay'), 'enter')
    expect(kept.typing).toBe(false)
    expect(idsOf(kept)).toEqual(['asks'])
    expect(idsOf(press(kept, 'escape'))).toHaveLength(FLEET.length)
    expect(idsOf(press(typed('pay'), 'escape'))).toHaveLength(FLEET.length)
  })

  it('has an end', () => {
    expect(typed('x'.repeat(500)).filter.length).toBeLessThanOrEqual(60)
  })
})

describe('[TU9] groups', () => {
  const namesOf = (state: TerminalState) =>
    state.list.map((row) => (row.kind === 'session' ? row.session.id : `${nameIn(row)}:`))

  it('are by project, by machine, and not at all', () => {
    const byProject = press(viewOf(FLEET), 'g')
    expect(namesOf(byProject).filter((name) => name.endsWith(':'))).toEqual([
      'payments:',
      'website:',
      'parser:',
      'planner:',
      'engine:',
      'sandbox:',
    ])
    const byHost = press(byProject, 'g')
    const here = ['asks', 'wonders', 'failed', 'done', 'read', 'ended']
    expect(namesOf(byHost)).toEqual(['here:', ...here, 'there:', 'works'])
    expect(namesOf(press(byHost, 'g'))).toEqual(FLEET.map(({ id }) => id))
  })

  it('keep groups together, the most urgent group first', () => {
    expect(namesOf(press(viewOf(FLEET), 'g')).slice(-5)).toEqual([
      'engine:',
      'works',
      'read',
      'sandbox:',
      'ended',
    ])
  })
})

describe('[TU11] a dismissed session', () => {
  it('comes back by X', () => {
    expect(idsOf(press(viewOf(FLEET), 'x', 'x', 'X'))).toHaveLength(FLEET.length)
  })

  it('leaves its place to the next', () => {
    expect(press(viewOf(FLEET), 'j', 'x').selected).toBe('failed')
  })
})

function nameIn(row: Exclude<BoardRow, { kind: 'session' }>): string {
  return row.kind === 'group' ? row.name : `${row.count} closed`
}
