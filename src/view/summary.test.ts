import { describe, expect, it } from 'vitest'
import { STATES } from '../core/verdict.ts'
import { GLYPHS } from './glyphs.ts'
import { figuresOf, segmentOf, summaryOf } from './summary.ts'

const counted = (text: string) =>
  text.split(' ').map((state) => {
    const unread = state === 'unread'
    return { state: unread ? ('idle' as const) : (state as (typeof STATES)[number]), unread }
  })
const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0)

describe('all sessions in figures', () => {
  it('[VW7] each counts once, an unread one apart from those that were seen', () => {
    expect(summaryOf(counted('waiting waiting unread idle idle idle starting unknown'))).toEqual({
      ...{ waiting: 2, error: 0, stuck: 0, unread: 1, working: 0, background: 0 },
      ...{ idle: 3, closed: 0, starting: 1, unknown: 1, unreachable: 0 },
    })
    const everyone = STATES.flatMap((state) => [true, false].map((unread) => ({ state, unread })))
    expect(sum(Object.values(summaryOf(everyone)))).toBe(everyone.length)
    const figures = figuresOf(summaryOf(everyone))
    expect(sum(figures.map(({ count }) => count))).toBe(everyone.length)
  })

  it('[VW7] in words, the neediest first', () => {
    const figures = figuresOf(summaryOf(counted('working background unread idle error closed')))
    expect(figures.map(({ glyph, count, word }) => `${glyph} ${count} ${word}`)).toEqual([
      ...['◆ 0 waiting', '✗ 1 in error', '◌ 0 stuck', '► 2 working', '✓ 2 idle'],
      ...['○ 0 starting', '? 0 unknown', '⊘ 0 unreachable', '· 1 closed'],
    ])
    expect(figures[1]?.colour).toBe('red')
  })
})

describe('the segment of a status bar', () => {
  it.each([
    ['waiting waiting error working working background working working', '◆2 ✗1 ►5'],
    ['stuck unread idle closed starting unknown', '◌1 *1'],
    ['idle closed', ''],
    ['background', '►1'],
  ])('[VW8] of %s is %j', (states, segment) => {
    expect(segmentOf(summaryOf(counted(states)))).toBe(segment)
  })

  it('[VW8] is drawn with the glyphs its user has chosen', () => {
    const summary = summaryOf(counted('waiting error stuck unread working'))
    expect(segmentOf(summary, GLYPHS.ascii)).toBe('!1 x1 ~1 *1 >1')
  })
})
