import { expect, it } from 'vitest'
import { paintedSize } from './paint.ts'

it('[FL187] a terminal is as large as its pane, within what a page can hold', () => {
  expect(paintedSize({ width: 200, height: 60 })).toEqual({ columns: 200, rows: 60 })
  expect(paintedSize({ width: 1e9, height: 1_001 })).toEqual({ columns: 1_000, rows: 1_000 })
  for (const said of [0, -5, 0.5, Number.NaN, 'x', null, undefined, {}] as number[])
    expect(paintedSize({ width: said, height: said })).toEqual({ columns: 1, rows: 1 })
})
