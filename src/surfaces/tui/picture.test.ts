import { describe, expect, it } from 'vitest'
import { NOW, snapshot } from '../../../test/support/board.ts'
import { FLEET, happened, press, viewOf } from '../../../test/support/view.ts'
import { pictureOf } from './layout.ts'
import { block, type Redrawn, redrawn } from './picture.ts'
import { TerminalScreen } from './screen.ts'

describe('[TU18] of a picture', () => {
  const before = viewOf(FLEET, 200, 60)
  const change = (after: typeof before): Redrawn => redrawn(pictureOf(before), pictureOf(after))

  it('nothing is drawn when nothing changed', () => {
    const same = change(happened(before, snapshot(FLEET)))
    expect(same).toEqual({ whole: false, strips: [] })
    expect(written(same)).toEqual([])
  })

  it('only what changed is drawn', () => {
    const other = FLEET.map((one) => (one.id === 'read' ? { ...one, reason: 'other' } : one))
    const { whole, strips } = change(happened(before, snapshot(other)))
    expect(whole).toBe(false)
    expect(strips.map(({ row }) => row)).toEqual([7])
  })

  it('a key that moves the choice leaves the other rows alone', () => {
    const rows = change(press(before, 'j')).strips.filter(({ column }) => column === 0)
    expect(rows.map(({ row }) => row)).toEqual([2, 3])
  })

  it('all of it is drawn at first and in another size', () => {
    const picture = pictureOf(before)
    expect(redrawn(undefined, picture)).toEqual({ whole: true, strips: picture.strips })
    expect(change(happened(before, { kind: 'resized', columns: 90, rows: 30 })).whole).toBe(true)
  })

  it('each part is blanked and written at its place, in one write', () => {
    const strip = { row: 4, column: 2, width: 9, line: [{ text: 'x' }] }
    const [bytes = '', ...more] = written({ whole: false, strips: [strip] })
    expect(more).toEqual([])
    expect(bytes).toContain('\u001b[5;3H\u001b[9Xtext0')
    expect(bytes).not.toContain('2J')
  })

  it('ages alone change the ages', () => {
    const { strips } = change(happened(before, { kind: 'passed', now: NOW + 1_000 }))
    expect(strips.length).toBeLessThan(8)
  })
})

function written(picture: Redrawn): string[] {
  const writes: string[] = []
  const screen = new TerminalScreen({ write: (text: string) => writes.push(text) > 0 })
  screen.enter()
  screen.draw(
    picture,
    picture.strips.map((_, i) => `text${i}`),
  )
  return writes.slice(1)
}

it('[OS10] nothing that is drawn acts, wherever it comes from', () => {
  const hostile = 'rm\n\u001b[2J\u001b]0;x\u0007\u202e-rf'
  const [strip] = block([[{ text: 'a' }, { text: hostile, dim: true }]], {
    ...{ row: 0, column: 0, height: 1, width: 80 },
  })
  expect(strip?.line).toEqual([
    { text: 'a' },
    { text: 'rm<U+000A><U+001B>[2J<U+001B>]0;x<U+0007><U+202E>-rf', dim: true },
  ])
})
