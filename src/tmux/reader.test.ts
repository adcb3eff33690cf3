import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ControlReader } from './reader.ts'

const SAID = `%begin 1 7 0
not asked by us
%end 1 7 0
%session-changed $0 one
%begin 1 8 1
%end 1 9 1
%begin
text
%end 1 8 1
%window-renamed @1 a  b
%begin 2 9 1
no such thing
%error 2 9 1
`

it('[TM3] a block ends only with its own mark, and notices stand between blocks', () => {
  expect(new ControlReader().read(SAID)).toEqual([
    { kind: 'notice', name: 'session-changed', rest: '$0 one' },
    { kind: 'block', lines: ['%end 1 9 1', '%begin', 'text'], failed: false },
    { kind: 'notice', name: 'window-renamed', rest: '@1 a  b' },
    { kind: 'block', lines: ['no such thing'], failed: true },
  ])
})

it('[TM3] however it is cut into pieces', () => {
  const whole = new ControlReader().read(SAID)
  fc.assert(
    fc.property(fc.array(fc.nat(SAID.length)), (cuts) => {
      const reader = new ControlReader()
      const places = [0, ...cuts.toSorted((a, b) => a - b), SAID.length]
      const said = places.slice(1).flatMap((to, i) => reader.read(SAID.slice(places[i], to)))
      expect(said).toEqual(whole)
    }),
  )
})

it('[TM3] anything at all is read without an error', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      new ControlReader().read(text)
    }),
  )
})
