import fc from 'fast-check'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { rowLine } from '../../src/surfaces/tui/list-lines.ts'
import { updateTerminal } from '../../src/surfaces/tui/model.ts'
import { type TerminalState, initialTerminal as terminal } from '../../src/surfaces/tui/state.ts'
import { SessionLine } from '../../src/surfaces/web/board/row.tsx'
import { type PageState, initialPage as page } from '../../src/surfaces/web/model/state.ts'
import { updatePage } from '../../src/surfaces/web/model/update.ts'
import { abilitiesOf, requestOf } from '../../src/view/board/abilities.ts'
import { type Board, type BoardEvent, detailsOf, selectedOf } from '../../src/view/board/board.ts'
import type { BoardRow } from '../../src/view/board/rows.ts'
import { figuresOf, summaryOf } from '../../src/view/summary.ts'
import { changed, detailed, gone, NOW, rows, snapshot } from '../support/board.ts'
import { aRequest } from '../support/open-request.ts'
import { aSession } from '../support/sessions.ts'
import { FLEET } from '../support/view.ts'

/** What happens, or a key that both views have. */
type Happening = BoardEvent | { readonly kind: 'key'; readonly key: string; readonly now: number }

interface Views {
  readonly terminal: TerminalState
  readonly page: PageState
}

const BEGIN: Views = { terminal: terminal(200, 60, NOW), page: page(NOW, { at: 'board' }, true) }

function stepOf({ terminal, page }: Views, event: Happening): Views {
  const forPage = event.kind === 'key' ? { ...event, at: event.now } : event
  return {
    terminal: updateTerminal(terminal, event).state,
    page: updatePage(page, forPage).state,
  }
}

/** All that a person sees of a board, but for colours and places. */
function seenOn(board: Board, wordsOf: (row: BoardRow, selected: boolean) => string) {
  const session = selectedOf(board)
  return {
    rows: board.list.map((row) =>
      wordsOf(row, row.kind === 'session' && row.session.id === board.selected),
    ),
    figures: figuresOf(summaryOf([...board.sessions.values()])).map(({ count }) => count),
    selected: board.selected,
    details: detailsOf(board)?.talk?.said ?? null,
    request: requestOf(board)?.id ?? null,
    abilities: session && abilitiesOf(session, detailsOf(board)),
    lost: board.lostSince,
    notice: board.notice?.text ?? null,
  }
}

const COLUMNS = 400

/** The words of a row as each view draws it; blanks do not count. */
function terminalWords(row: BoardRow, selected: boolean): string {
  const line = rowLine(row, { number: undefined, selected, now: NOW }, COLUMNS)
  return bare(line.map(({ text }) => text).join(' '))
}

function pageWords(row: BoardRow, selected: boolean): string {
  if (row.kind === 'group') return bare(`${row.name} ${row.count}`)
  if (row.kind === 'closed') return terminalWords(row, selected)
  const look = { number: null, selected, now: NOW, onChoose: () => {} }
  const markup = renderToStaticMarkup(createElement(SessionLine, { session: row.session, ...look }))
  const text = markup.replace(/<[^>]*>/g, ' ').replaceAll('&#x27;', "'")
  return `${selected ? '▌' : ''}${bare(text.replace('unread,', ''))}`
}

/** Every word once, in the order of the alphabet: a terminal and a page place them otherwise. */
function bare(text: string): string {
  const isSelected = text.startsWith('▌')
  const words = text
    .replaceAll('▌', ' ')
    .split(/[\s,·]+/)
    .filter(Boolean)
  return `${isSelected ? '▌' : ''}${[...new Set(words)].toSorted().join(' ')}`
}

function expectSame(views: Views): void {
  expect(seenOn(views.terminal, terminalWords)).toEqual(seenOn(views.page, pageWords))
}

const key = (name: string, now = NOW): Happening => ({ kind: 'key', key: name, now })
const asked = FLEET.map((one) => (one.id === 'asks' ? { ...one, asks: ['r1'] } : one))
const [asking = aSession({ id: 'asks' })] = asked

describe('[BD7] terminal view and page show the same', () => {
  it('through a day of a fleet', () => {
    const day: Happening[] = [
      { kind: 'connection', connected: true, now: NOW },
      snapshot(FLEET),
      rows(asking),
      detailed(asking, { requests: [aRequest()], talk: { said: ['so be it'], call: null } }),
      key('j'),
      changed(asked, 'works', { state: 'waiting', for: 'plan', since: NOW, unread: true }),
      key('n'),
      key('g'),
      key('g'),
      key('x'),
      { kind: 'passed', now: NOW + 1_000 },
      changed(asked, 'works', { detached: true, attach: 'fable again works' }),
      changed(asked, 'asks', { asks: [], state: 'working', request: null, unread: false }),
      key('X'),
      key('home'),
      { kind: 'passed', now: NOW + 20_000 },
      gone('failed', 'done'),
      { kind: 'connection', connected: false, now: NOW + 21_000 },
      { kind: 'connection', connected: true, now: NOW + 22_000 },
      snapshot([...asked, aSession({ id: 'fresh', tmuxPane: '%3' })], NOW + 22_000),
      key('end'),
      key('u'),
      key('escape'),
      { kind: 'focus', focused: false },
      { kind: 'passed', now: NOW + 24_000 },
      gone(...asked.map(({ id }) => id)),
    ]
    let views = BEGIN
    for (const event of day) {
      views = stepOf(views, event)
      expectSame(views)
    }
    expect(views.page.selected).toBe('fresh')
  })

  it('whatever happens', () => {
    const ids = ['asks', 'wonders', 'failed', 'done', 'works', 'fresh']
    const session = fc
      .record({
        id: fc.constantFrom(...ids),
        state: fc.constantFrom('waiting', 'working', 'idle', 'error', 'closed'),
        since: fc.integer({ min: NOW - 5, max: NOW }),
        unread: fc.boolean(),
        asks: fc.constantFrom([], ['r1'], ['r2', 'r1']),
        tmuxPane: fc.constantFrom(null, '%1'),
        detached: fc.boolean(),
        attach: fc.constantFrom(null, 'fable again told'),
        project: fc.constantFrom('payments', 'engine', null),
      })
      .map((over) => aSession(over as Parameters<typeof aSession>[0]))
    const keys = ['j', 'k', 'down', 'up', 'home', 'end', 'n', 'g', 'x', 'X', 'u', '1', '3']
    const requests = fc.subarray([aRequest(), aRequest({ id: 'r2', answerable: false, why: 'no' })])
    const happening: fc.Arbitrary<Happening> = fc.oneof(
      fc.uniqueArray(session, { selector: ({ id }) => id }).map((all) => snapshot(all)),
      { arbitrary: session.map((one) => rows(one)), weight: 4 },
      fc.constantFrom(...ids).map((id) => gone(id)),
      fc.tuple(session, requests).map(([row, some]) => detailed(row, { requests: some })),
      { arbitrary: fc.constantFrom(...keys).map((name) => key(name)), weight: 4 },
      fc.integer({ min: 0, max: 40_000 }).map((ms) => ({ kind: 'passed' as const, now: NOW + ms })),
      fc.boolean().map((focused) => ({ kind: 'focus' as const, focused })),
      fc.boolean().map((connected) => ({ kind: 'connection' as const, connected, now: NOW })),
    )
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 40 }), (events) => {
        let views = BEGIN
        for (const event of events) {
          views = stepOf(views, event)
          expectSame(views)
        }
      }),
      { numRuns: 150 },
    )
  })
})
