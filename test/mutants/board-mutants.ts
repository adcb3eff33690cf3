import type { Mutant } from './mutants.ts'

type Breakage = readonly [breaks: string, find: string, replace: string, caughtBy: string]

const board = 'src/view/board'
const boardTest = `${board}/board.test.ts`
const changes = 'src/daemon/stream/row-changes'

/** The stream of sessions and the board that follows it: each rule broken once. */
export const BOARD_MUTANTS: readonly Mutant[] = [
  ...within(`${changes}.ts`, `${changes}.test.ts`, [
    ['a position of another run hides sessions', 'run !== this.#run || ', '', 'P17'],
    ['what changed is forgotten', 'last > count ?', 'last > count + 1 ?', 'P17'],
    ['a client never learns what left', '|| count < this.#oldest', '', 'P17'],
    ['every change is a row', 'if (recent) recent.again = true', 'if (!id) return', 'P18'],
    ['the newest row is not sent', 'if (again) this.#publish(id)', '', 'P18'],
    ['what was closed stays in the list', 'this.touch(left)', 'left.pop()', 'P20'],
  ]),
  ...within('src/daemon/api/row-events.ts', 'test/api/stream.test.ts', [
    ['a position is ahead of what was sent', ': oldest - 1', ': oldest', 'P17'],
    ['a page of a snapshot has a position', 'more ? eventText(page) : ', '', 'P16'],
    ['a slow reader gets every row', 'if (!this.#due.has(id)) ', 'this.#due.delete(id), ', 'P19'],
    ['troubles are not sent', 'this.#isMachineDue = true\n', '', 'P16'],
  ]),
  ...within('src/daemon/intake.ts', 'src/daemon/engine.test.ts', [
    [
      'a stand-in stays in the list',
      '      touched.add(session)\n      if (became',
      '      if (became',
      'P16',
    ],
  ]),
  ...within('src/client/event-blocks.ts', 'src/client/event-blocks.test.ts', [
    ['an event cut in two is lost', '(this.#rest + text)', 'text', 'P13'],
  ]),
  ...within('src/client/subscribe.ts', 'test/api/stream.test.ts', [
    [
      'a client begins anew with each connection',
      '?.id ?? lastId',
      '?.data ? lastId : lastId',
      'P17',
    ],
  ]),
  ...within(`${board}/after-event.ts`, boardTest, [
    ['half a snapshot replaces all', 'if (event.more) continue', '', 'BD1'],
    [
      'what is gone stays',
      "else if (event.kind === 'gone') removeOne(sessions, event)",
      "else if (event.kind === 'gone') continue",
      'BD1',
    ],
    [
      'a snapshot that was cut off counts',
      'arriving: [], lostSince: null',
      'lostSince: null',
      'BD2',
    ],
    [
      'rows move at once',
      'arranged({ ...known, sessions }, false)',
      'arranged({ ...known, sessions }, true)',
      'BD3',
    ],
    ['rows never move', 'arranged(later, !isLookedAt(later))', 'arranged(later, false)', 'BD3'],
    ['rows of a window that was left stay', 'return focused && ', 'return ', 'BD3'],
  ]),
  ...within(`${board}/settle.ts`, boardTest, [
    [
      'what you chose is left',
      'if (isChosen && (isListed || ',
      'if (isChosen && (!isListed || ',
      'BD4',
    ],
    ['a neighbour is passed over', 'before.slice(at + 1)', 'before.slice(at + 2)', 'BD4'],
    ['the selection changes under your eyes', 'isListed && isLookedAt(board)', 'false', 'BD4'],
  ]),
  ...within(`${board}/rows.ts`, boardTest, [
    ['what is dismissed stays so', '.get(id) === since', '.has(id)', 'TU11'],
  ]),
  ...within(`${board}/choose.ts`, 'src/surfaces/tui/model.test.ts', [
    ['the choice leaves the list', 'Math.min(sessions.length - 1, ', 'Math.max(0, ', 'TU5'],
    [
      'next is always the first',
      'sessionsIn(board.list), after)',
      'sessionsIn(board.list))',
      'TU7',
    ],
    ['what was read is read again', 'session.unread ? {', '!session.unread ? {', 'TU10'],
  ]),
  ...within(`${board}/board.ts`, 'src/surfaces/tui/layout.test.ts', [
    [
      'details of another are shown',
      'details?.id === selected ? details',
      'details ? details',
      'TU16',
    ],
  ]),
  ...within(`${board}/after-event.ts`, 'src/surfaces/web/model/update.test.ts', [
    ['the loss begins anew with each attempt', 'board.lostSince ?? now', 'now', 'PG4'],
    [
      'what was known when it was lost is forgotten',
      '(board.lost ?? board.sessions)',
      'null',
      'PG4',
    ],
  ]),
  ...within(`${board}/abilities.ts`, `${board}/abilities.test.ts`, [
    ['what is over can be answered', 'session?.asks.includes(id) === true', 'true', 'BD5'],
    [
      'what is over stays',
      '|| !one.answerable) && isOpen)',
      '|| !one.answerable) || isOpen)',
      'BD5',
    ],
    ['a session at work takes a prompt', "state === 'idle' || ", "state === 'working' || ", 'BD6'],
  ]),
  ...within('src/surfaces/details-loader.ts', 'src/surfaces/details-loader.test.ts', [
    ['details are loaded with every row', 'this.#loadedAt + AGAIN_MS', 'this.#loadedAt', 'BD8'],
    ['what is asked waits for its turn', 'loop, asks, isStale(row)])', 'loop])', 'BD8'],
    ['details of another session come', 'if (this.#row?.id !== row.id) return\n', '', 'BD8'],
    ['an unreachable machine is asked', 'if (isStale(row)) return this.#stays(row)\n', '', 'FL200'],
    ['the same row is asked about', 'row === before || ', '', 'BD9'],
  ]),
]

function within(file: string, test: string, breakages: readonly Breakage[]): Mutant[] {
  return breakages.map(([breaks, find, replace, caughtBy]) => ({
    ...{ breaks: `board: ${breaks}`, file, find, replace, test, caughtBy },
  }))
}
