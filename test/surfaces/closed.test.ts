import { describe, expect, it } from 'vitest'
import { drawFleet } from '../../src/surfaces/cli/session-table.ts'
import { pictureOf } from '../../src/surfaces/tui/layout.ts'
import { wordsOf } from '../../src/view/session.ts'
import { changed, NOW } from '../support/board.ts'
import { happened, pageOf, press as pressOnPage, rowNames } from '../support/page-state.ts'
import { aSession } from '../support/sessions.ts'
import { linesIn, press, viewOf } from '../support/view.ts'

const closed = (id: string) => aSession({ id, project: id, state: 'closed', how: 'exit' })
const works = aSession({ id: 'works', state: 'working', project: 'engine' })
const SESSIONS = [closed('one'), works, closed('two'), closed('three')]

const VIEWS = [
  ['terminal', (keys: readonly string[]) => press(viewOf(SESSIONS), ...keys)],
  ['page', (keys: readonly string[]) => pressOnPage(pageOf(SESSIONS), ...keys)],
] as const

describe.each(VIEWS)('closed sessions: %s', (_, after) => {
  const names = (...keys: string[]) => rowNames(after(keys))

  it('[VW27] are one line that opens', () => {
    expect(names()).toBe('works [3 closed]')
    expect(names('c')).toBe('works [3 closed] one three two')
    expect(names('c', 'c')).toBe('works [3 closed]')
    expect(names('g')).toBe('[engine] works [3 closed]')
  })

  it('[VW27] leave what you chose in sight', () => {
    expect(names('c', 'end', 'c')).toBe('works two [2 closed]')
  })
})

describe('closed sessions', () => {
  it('[VW27] are listed where they match a filter', () => {
    expect(rowNames(press(viewOf(SESSIONS), 'f', 'e'))).toBe('works one three two')
    const filtered = happened(pageOf(SESSIONS), { kind: 'filtered', filter: 'closed', now: NOW })
    expect(rowNames(filtered)).toBe('one three two')
  })

  it('[VW27] stay where they were while you look at the list', () => {
    const ends = changed(SESSIONS, 'works', { state: 'closed', since: NOW })
    expect(rowNames(happened(pageOf(SESSIONS), ends))).toBe('[4 closed]')
    const two = [...SESSIONS, aSession({ id: 'rests', project: 'rests' })]
    const looking = pressOnPage(pageOf(two), 'home')
    const gone = changed(two, 'works', { state: 'closed', since: NOW })
    expect(rowNames(looking)).toBe('works rests [3 closed]')
    expect(rowNames(happened(looking, gone))).toBe('works rests [3 closed]')
  })

  it('[VW27] are counted last, in the terminal and by vigil status; one alone is shown', () => {
    const lines = linesIn(pictureOf(viewOf(SESSIONS)))
    expect(lines[3]).toBe('   · 3 closed   c lists them')
    const drawn = (all: boolean, sessions = SESSIONS) =>
      drawFleet(sessions, NOW, 80, (_, text) => text, { all }).slice(2)
    expect(drawn(false)).toHaveLength(2)
    expect(drawn(false)[1]).toBe('   · 3 closed   vigil status --all lists them')
    expect(drawn(true).map((line) => line.trim().split(' ')[0])).toEqual([
      ...['engine', 'one', 'three', 'two'],
    ])
    expect(drawn(false, [works, closed('one')])[1]).toContain('closed: exit')
  })

  it('[VW27] show in words how they were closed', () => {
    const how = (said: string) => wordsOf({ ...closed('one'), how: said })
    expect(['other', 'logged_out', 'killed'].map(how)).toEqual([
      ...['closed', 'closed: logged out', 'closed: killed'],
    ])
  })
})
