import { describe, expect, it } from 'vitest'
import type { LoopView } from '../../protocol/loop.ts'
import type { Session } from '../../protocol/session.ts'
import { loopDetails } from './loop-details.ts'
import type { LoopStatusRow } from './loop-status.ts'
import { tableOf } from './loop-table.ts'

const NOW = 10_000_000

function row(name: string, over: Partial<LoopView> = {}, last = '', fields = {}): LoopStatusRow {
  const loop: LoopView = {
    id: `loop-${name}`,
    session: name,
    state: 'ACTIVE',
    event: 'STATE',
    reason: null,
    because: null,
    hold: null,
    mode: 'loop',
    iteration: 3,
    max: 10,
    prompt: null,
    item: null,
    until: null,
    deadlineAt: null,
    budgetUsd: null,
    spentUsd: null,
    startedAt: NOW - 120_000,
    updatedAt: NOW,
    frames: [],
    open: true,
    ...over,
  }
  const session = { id: name, name, project: name, state: 'working', tasks: [], ...fields }
  return { loop, session: session as unknown as Session, last }
}

const plainly = (_: unknown, text: string) => text
const human = { kind: 'human', why: 'its time is up', since: 1, until: null } as const

describe('[LP62] the table of loops', () => {
  it('has the neediest first, and each column as wide as it has to be', () => {
    const rows = [
      row('engine', {}, 'still 3'),
      row('shop', { iteration: 12, max: 100, mode: 'grind', hold: human }),
      row('web', { spentUsd: 0.42, budgetUsd: 5, deadlineAt: NOW + 3_600_000 }, '', {
        state: 'waiting',
        for: 'permission',
      }),
    ]
    expect(tableOf(rows, NOW, 120, plainly)).toEqual([
      'name    turn    mode   state                      since  cost            left  last text',
      'shop    12/100  grind  needs you: its time is up  2 min  –               –',
      'web     3/10    loop   waiting for permission     2 min  $0.42 of $5.00  1 h',
      'engine  3/10    loop   running                    2 min  –               –     still 3',
    ])
  })

  it('shows what an agent said in one line, harmless, within the terminal', () => {
    const said = `done\u001b[2J\nnext ${'x'.repeat(300)}`
    const [, line = ''] = tableOf([row('a', {}, said)], NOW, 80, plainly)
    expect(line).toContain('done [2J next')
    expect([...line].length).toBeLessThanOrEqual(80)
  })

  it('says what a loop waits for that has not begun, or whose session is gone', () => {
    const how = (over: Partial<LoopView>, state: string) =>
      tableOf([row('a', over, '', { state })], NOW, 120, plainly)[1]
    expect(how({ iteration: 0 }, 'idle')).toContain('starts at your next prompt')
    expect(how({ iteration: 0 }, 'working')).toContain('running')
    expect(how({}, 'idle')).toContain('running')
    expect(how({}, 'closed')).toContain('its session is closed')
  })

  it('says that a budget is not measured, and that time is up', () => {
    const rows = [row('a', { budgetUsd: 5, deadlineAt: NOW - 1 })]
    expect(tableOf(rows, NOW, 120, plainly)[1]).toMatch(/\? of \$5\.00 {2}none$/)
  })
})

describe('[LP62] a loop in full', () => {
  it('tells all that is known of it, and nothing that is not', () => {
    const tree = { path: '/r/.vigil/worktrees/12-x', branch: 'vigil/12-x', baseRef: 'main' }
    const frame = { id: 'f', iteration: 2, max: 100, item: null, worktree: null, prompt: null }
    const lines = loopDetails(
      row(
        'engine',
        {
          mode: 'issue',
          item: 'Fix x',
          until: 'npm test',
          spentUsd: 1.2,
          frames: [
            { ...frame, mode: 'grind' },
            { ...frame, mode: 'issue', worktree: tree },
          ],
        },
        'almost\u0007 there',
      ),
      NOW,
      plainly,
    )
    expect(lines).toEqual([
      'engine  [IT 3/10]  issue  running  started 2 min ago',
      'engine  loop-engine',
      '  item        Fix x',
      '  worktree    /r/.vigil/worktrees/12-x (vigil/12-x, from main)',
      '  within      grind 2/100',
      '  until       npm test exits 0',
      '  cost        $1.20',
      '  last text   almost  there',
    ])
  })
})
