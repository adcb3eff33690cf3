import { describe, expect, it } from 'vitest'
import { aSession } from '../../../test/support/sessions.ts'
import { FLEET, linesIn, press, viewOf } from '../../../test/support/view.ts'
import { STATES } from '../../core/verdict.ts'
import type { Session } from '../../protocol/session.ts'
import { briefWordsOf } from '../../view/session.ts'
import { pictureOf } from './layout.ts'

const shades: readonly Partial<Session>[] = [
  ...STATES.map((state) => ({ state })),
  ...(['permission', 'question', 'plan', 'dialog'] as const).map((kind) => ({
    ...{ state: 'waiting' as const, for: kind },
  })),
  ...(['start', 'work', 'talk', 'interrupt', 'compact'] as const).map((after) => ({
    ...{ state: 'idle' as const, after },
  })),
]

describe('a narrow terminal', () => {
  it('[VW28] has words for every state that fit and stay apart', () => {
    const words = shades.map((shade, at) => briefWordsOf(aSession({ id: `${at}`, ...shade })))
    for (const word of words) expect(word.length, word).toBeLessThanOrEqual(15)
    expect(new Set(words).size).toBe(words.length)
    const text = linesIn(pictureOf(viewOf(FLEET, 60, 20))).join('\n')
    expect(text).toMatch(/payments\S* +permission\? /)
    expect(text).toMatch(/website +question\? /)
    expect(text).not.toContain('waiting for p…')
  })

  it.each([24, 30, 40, 60, 80, 120])(
    '[TU26] says how to get help and out: %i columns',
    (columns) => {
      const foot = (...keys: string[]) =>
        linesIn(pictureOf(press(viewOf(FLEET, columns, 20), ...keys))).at(-1) ?? ''
      expect(foot()).toMatch(/ \? help {2}q quit$/)
      expect(foot('w')).toMatch(/ Esc back$/)
      // Whole keys only.
      expect(foot()).toMatch(/^(?: (?:⏎|space|[a-z?]) [a-z ]+?){2,}$/)
    },
  )
})
