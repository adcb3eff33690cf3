import { expect, it } from 'vitest'
import { aboutKeystroke, fromKeystroke } from './keystroke.ts'

const reportOf = (fields: object) => ({ t: 1, source: 'keystroke' as const, ...fields })

it('[SC16] a key says that somebody types, Enter too', () => {
  for (const key of ['Enter', 'Escape', 'a', '1'])
    expect(fromKeystroke(reportOf({ key }))).toEqual([{ kind: 'typed' }])
})

it('a look is a look', () => {
  expect(fromKeystroke(reportOf({ what: 'look' }))).toEqual([{ kind: 'looked' }])
})

it('names session or pane', () => {
  const about = { agent: 'claude', session: 's', pane: '%1' }
  expect(aboutKeystroke(reportOf({ session: 's', pane: '%1' }))).toEqual(about)
  expect(aboutKeystroke(reportOf({ pane: 5 }))).toEqual({ agent: 'claude' })
})
