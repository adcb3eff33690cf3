import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { NOW, rows } from '../../test/support/board.ts'
import { aSession } from '../../test/support/sessions.ts'
import { happened, linesIn, viewOf } from '../../test/support/view.ts'
import type { Session } from '../protocol/session.ts'
import { pictureOf } from '../surfaces/tui/layout.ts'
import { FactList } from '../surfaces/web/session/facts.tsx'
import { limitsOf, limitWords, newestLimits } from './limits.ts'

const HOUR_MS = 3_600_000
const window = (usedPercent: number, hours: number, resetsInMs: number) => ({
  ...{ usedPercent, lastsMs: hours * HOUR_MS, resetsAt: NOW + resetsInMs },
})
const limited = (id: string, at: number, ...windows: ReturnType<typeof window>[]): Session =>
  aSession({ id, agent: id.split(':')[0] ?? id, limits: { at, windows } })

const FULL = limited('a:1', 5, window(12.5, 5, 2 * HOUR_MS), window(77, 168, 30 * HOUR_MS))

describe('[VW32] what is left of a subscription', () => {
  it('is said of each window, with when it is reset', () => {
    expect(limitWords(FULL, NOW)).toBe(
      '5 h limit 87 % left, resets in 2 h · 7 d limit 23 % left, resets in 1 d 6 h',
    )
    const bare = { usedPercent: 99.9, lastsMs: null, resetsAt: null }
    expect(limitWords({ limits: { at: 1, windows: [bare] } }, NOW)).toBe('limit 0 % left')
    expect(limitWords({ limits: null }, NOW)).toBe('')
  })

  it('is not said of a window that has been reset since', () => {
    expect(limitsOf(FULL, NOW + 3 * HOUR_MS).map(({ name }) => name)).toEqual(['7 d limit'])
    expect(limitsOf(FULL, NOW + 31 * HOUR_MS)).toEqual([])
  })

  it('is the newest of each agent, in the order of their names', () => {
    const newer = limited('a:2', 9, window(50, 5, HOUR_MS))
    const past = limited('a:3', 99, window(50, 5, -1))
    const other = limited('0:1', 1, window(1, 5, HOUR_MS))
    const newest = newestLimits([FULL, newer, past, other, aSession({ id: 'none' })], NOW)
    expect(newest.map(({ id }) => id)).toEqual(['0:1', 'a:2'])
  })

  it('is in the details of the terminal view and of the page', () => {
    const view = happened(viewOf([FULL], 100, 40), rows(FULL))
    expect(linesIn(pictureOf(view)).join('\n')).toContain(limitWords(FULL, NOW))
    const page = renderToStaticMarkup(createElement(FactList, { session: FULL, now: NOW }))
    expect(page).toContain('5 h limit: 87 % left, resets in 2 h')
    expect(page).toContain('7 d limit: 23 % left')
  })
})
