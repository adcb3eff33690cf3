import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ABOVE_MAX_LINES } from '../../src/daemon/panes/limits.ts'
import {
  growthOf,
  isSame,
  PanePicture,
  type SentLines,
} from '../../src/daemon/panes/pane-picture.ts'
import type { PaneFrame } from '../../src/tmux/frame.ts'
import { Painted } from './painted.ts'

const WIDTH = 12
const HEIGHT = 4

/** A pane whose lines are all known: the last four of them are its screen. */
function frameOf(lines: readonly string[], over: Partial<PaneFrame> = {}): PaneFrame {
  const padded = [...lines, ...Array.from({ length: HEIGHT }, () => '')]
  const rows = lines.length >= HEIGHT ? lines.slice(-HEIGHT) : padded.slice(0, HEIGHT)
  const above = lines.slice(0, Math.max(0, lines.length - HEIGHT))
  return {
    width: WIDTH,
    height: HEIGHT,
    rows,
    above: above.slice(-ABOVE_MAX_LINES),
    cursor: { x: 1, y: 2, shown: true },
    history: above.length,
    historyMax: 2_000,
    tty: '/dev/pts/1',
    dead: false,
    session: '$0',
    attached: 0,
    ...over,
  }
}

/** What happens to a pane: lines are printed, one of the screen's is redrawn, a viewer reads. */
const happening = fc.oneof(
  fc.record({ print: fc.array(fc.stringMatching(/^[a-z ]{0,12}$/), { maxLength: 12 }) }),
  fc.record({ row: fc.nat(HEIGHT - 1), as: fc.stringMatching(/^[a-z]{0,12}$/) }),
  fc.constant('look' as const),
)

describe('a picture', () => {
  it('[PA1][PA2] painted from what a viewer receives is what the pane shows', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { maxLength: 30 }), async (happenings) => {
        const picture = new PanePicture()
        const painted = new Painted()
        let lines = ['begin']
        let frame = frameOf(lines)
        let sent: SentLines | undefined
        picture.begin(frame)
        const look = async () => {
          const found = picture.newsTo(sent)
          sent = found?.sent ?? sent
          if (found) await painted.take(found.news)
        }
        await look()
        for (const what of happenings) {
          if (what === 'look') await look()
          else {
            lines = 'print' in what ? [...lines, ...what.print] : drawn(lines, what.row, what.as)
            const after = frameOf(lines)
            if (isSame(frame, after)) continue
            const left = growthOf(frame, after) ?? 0
            if (left === 0) picture.change(after)
            else expect(picture.scroll(after, left)).toBe(true)
            frame = after
          }
        }
        await look()
        const shown = painted.lines()
        expect(shown.rows.map(trimmed)).toEqual(frame.rows.map(trimmed))
        expect(shown.above.map(trimmed)).toEqual(frame.above.map(trimmed))
        expect(painted.cursor).toEqual([1, 2])
      }),
    )
  })

  it('[PA1] a viewer who has it gets nothing, and for one changed row that row', () => {
    const picture = new PanePicture()
    picture.begin(frameOf(['a', 'b', 'c', 'd']))
    const first = picture.newsTo(undefined)
    expect(first?.news).toMatchObject({ kind: 'screen', rows: ['a', 'b', 'c', 'd'], above: [] })
    expect(picture.newsTo(first?.sent)).toBeUndefined()
    picture.change(frameOf(['a', 'b', 'x', 'd']))
    const news = picture.newsTo(first?.sent)?.news
    expect(news).toMatchObject({ kind: 'change', left: [], rows: [[2, 'x']] })
  })

  it('[PA2] a viewer who has missed more than is kept gets everything again', () => {
    const picture = new PanePicture()
    const lines = ['a', 'b', 'c', 'd']
    picture.begin(frameOf(lines))
    const sent = picture.newsTo(undefined)?.sent
    for (let i = 0; i < 3; i++) {
      lines.push(...Array.from({ length: 200 }, (_, n) => `${i} ${n}`))
      expect(picture.scroll(frameOf(lines), 200)).toBe(true)
    }
    const news = picture.newsTo(sent)?.news
    expect(news?.kind).toBe('screen')
    expect(news?.kind === 'screen' && news.above).toHaveLength(ABOVE_MAX_LINES)
  })

  it('[PA2] lines that look like others are no lines that have left', () => {
    const picture = new PanePicture()
    picture.begin(frameOf(['a', 'b', 'c', 'd', 'e']))
    // Everything was wiped and written again: the line above is another.
    expect(picture.scroll(frameOf(['1', '2', '3', '4', '5', '6']), 1)).toBe(false)
    expect(picture.scroll(frameOf(['a', 'b', 'c', 'd', 'e', 'f']), 1)).toBe(true)
    expect(picture.scroll(frameOf(['x']), 3)).toBe(false)
  })

  it('[PA2] another size says nothing about lines, nor does what was wiped', () => {
    const before = frameOf(['a'], { history: 1_990 })
    expect(growthOf(before, frameOf(['a'], { history: 1_995 }))).toBe(5)
    expect(growthOf(before, frameOf(['a'], { history: 1_995, width: 9 }))).toBeUndefined()
    expect(growthOf(before, frameOf(['a'], { history: 0 }))).toBeUndefined()
    // tmux drops a tenth of what it keeps when that is full.
    expect(growthOf(before, frameOf(['a'], { history: 1_810 }))).toBe(20)
    expect(growthOf(frameOf(['a'], { history: 500 }), frameOf(['a'], { history: 490 }))).toBe(
      undefined,
    )
  })
})

const trimmed = (row: string) => row.trimEnd()

function drawn(lines: readonly string[], row: number, as: string): string[] {
  const first = Math.max(0, lines.length - HEIGHT)
  const padded = [...lines]
  while (padded.length <= first + row) padded.push('')
  padded[first + row] = as
  return padded
}
