import { describe, expect, it } from 'vitest'
import type { Session } from '../../protocol/session.ts'
import { drawFleet } from './session-table.ts'

const plainly = (_: unknown, text: string) => text

describe('[LP60] a session in a loop', () => {
  const session = {
    id: 'one',
    name: 'engine',
    title: null,
    project: 'engine',
    state: 'working',
    since: 0,
    unread: false,
    typing: false,
    tasks: [],
    doing: { what: 'tool', tool: 'Bash', label: `npm ${'test '.repeat(50)}`, since: 0 },
    loop: { state: 'ACTIVE', iteration: 3, max: 10, hold: null, until: null },
  } as unknown as Session

  it('shows its count before what it does, within the terminal', () => {
    const [, , line = ''] = drawFleet([session], 5_000, 100, plainly)
    expect(line).toContain('► working: Bash')
    expect(line).toMatch(/ {3}loop 3\/10 · npm test test/)
    expect([...line].length).toBeLessThanOrEqual(100)
  })

  it('out of a loop shows none', () => {
    const [, , line] = drawFleet([{ ...session, loop: null }], 5_000, 100, plainly)
    expect(line).not.toContain('loop')
  })
})
