import { describe, expect, it } from 'vitest'
import { aSession } from '../../../../test/support/sessions.ts'
import type { BoardRow } from '../../../view/board/rows.ts'
import { scrollTo, sightOf, WIDE } from './sight.ts'

const rows: readonly BoardRow[] = [
  { kind: 'group', name: 'g', count: 1000 },
  ...Array.from({ length: 1000 }, (_, at): BoardRow => {
    return { kind: 'session', session: aSession({ id: `s${at}` }) }
  }),
]
const { session, group } = WIDE

describe('[PG8] the list', () => {
  it('draws what is in sight and a little more, each at its place', () => {
    const { drawn, total } = sightOf(rows, WIDE, 20 * session, 560, null)
    expect(total).toBe(group + 1000 * session)
    expect(drawn.length).toBeLessThan(25)
    for (const { row, at, top } of drawn)
      expect(top).toBe(row.kind === 'group' ? 0 : group + (at - 1) * session)
  })

  it('knows which rows are seen whole', () => {
    expect(sightOf(rows, WIDE, 0, group + 3 * session, null)).toMatchObject({ from: 0, count: 4 })
    const scrolled = sightOf(rows, WIDE, group + 10, 3 * session, null)
    expect(scrolled).toMatchObject({ from: 2, count: 2 })
  })

  it('draws the chosen row wherever it is: it may hold the focus', () => {
    const { drawn } = sightOf(rows, WIDE, 0, 560, 's900')
    expect(drawn.at(-1)).toMatchObject({ at: 901, top: group + 900 * session })
  })

  it('brings what is chosen into sight, with the name of its group, and moves no further', () => {
    expect(scrollTo(rows, WIDE, 0, 560, 's2')).toBeNull()
    expect(scrollTo(rows, WIDE, 0, 560, 's20')).toBe(group + 21 * session - 560)
    expect(scrollTo(rows, WIDE, 900, 560, 's3')).toBe(group + 3 * session)
    expect(scrollTo(rows, WIDE, 900, 560, 's0')).toBe(0)
    expect(scrollTo(rows, WIDE, 900, 560, 'nobody')).toBeNull()
  })
})
