import { describe, expect, it } from 'vitest'
import { changed, detailed, NOW } from '../../../test/support/board.ts'
import { aRequest } from '../../../test/support/open-request.ts'
import { aSession } from '../../../test/support/sessions.ts'
import { effectsOf, FLEET, happened, linesIn, press, viewOf } from '../../../test/support/view.ts'
import type { OpenRequest } from '../../protocol/request.ts'
import { pictureOf } from './layout.ts'
import type { TerminalState } from './state.ts'

const command = Array.from({ length: 200 }, (_, at) => `echo line ${at + 1}`).join('\n')

const request = aRequest({
  digest: 'd1',
  input: { command, sudo: true },
  suggestions: [{ index: 0, words: 'always allow echo in this project' }],
})

const asking = FLEET.map((one) => (one.id === 'asks' ? { ...one, asks: ['r1'] } : one))

/** The request as it is loaded. */
function details(asked: OpenRequest, now = NOW) {
  return detailed(aSession({ id: 'asks' }), { requests: [asked] }, now)
}

function viewing(columns = 80, rows = 24, asked: OpenRequest = request): TerminalState {
  const earlier = { ...viewOf(asking, columns, rows), now: NOW - 5_000 }
  return later(happened(earlier, details(asked, NOW - 5_000)), 5_000)
}

const later = (state: TerminalState, ms = 600): TerminalState => ({ ...state, now: state.now + ms })
const textOf = (state: TerminalState) => linesIn(pictureOf(state)).join('\n')
/** Page after page, each visible for long enough, until the end. */
function toEnd(state: TerminalState): TerminalState {
  let read = press(state, ' ')
  for (let page = 0; page < 400 && !textOf(read).includes('end of the request'); page += 1)
    read = press(later(read), ' ')
  return read
}

describe('[SH8] a request that has no room', () => {
  it.each([
    [80, 24],
    [120, 40],
    [60, 20],
    [200, 60],
    [80, 12],
  ])('at %i×%i is not allowed before its last line was in sight', (columns, rows) => {
    const state = viewing(columns, rows)
    if (rows >= 16) expect(textOf(state)).toMatch(/▼ \d+ more lines: space/)
    for (const key of ['y', 'Y']) {
      expect(effectsOf(state, key)).toEqual([])
      expect(textOf(press(state, key))).toContain('scroll to the end first')
    }
    const end = toEnd(state)
    expect(effectsOf(end, 'y')).toEqual([])
    expect(textOf(end)).toContain('! sudo: true')
    expect(textOf(end)).toContain('always allow echo in this project')
    expect(effectsOf(later(end), 'y')).toMatchObject([{ do: 'answer', answer: { shown: 'd1' } }])
    expect(textOf(press(later(end), 'Y'))).toContain('1. always allow echo in this project')
  })

  it('says how much is below and above, and every line of it comes', () => {
    const seen = new Set<string>()
    let state = press(viewing(), ' ')
    expect(textOf(state)).toMatch(/▼ \d+ more lines below: space/)
    for (let page = 0; page < 30; page += 1) {
      for (const [line] of textOf(state).matchAll(/echo line \d+\b/g)) seen.add(line)
      state = press(state, ' ')
    }
    expect(seen.size).toBe(200)
    expect(textOf(state)).toMatch(/▲ \d+ above \(b\) +end of the request/)
    expect(textOf(press(state, 'b'))).toMatch(/more lines below/)
  })

  it('has the rows that the list leaves empty, and a short one needs no other page', () => {
    const some = asking.slice(0, 3)
    const short = { ...request, input: { command: 'echo 1\necho 2\necho 3', sudo: true } }
    const at = (rows: number) => happened(viewOf(some, 80, rows), details(short))
    expect(textOf(at(24))).not.toContain('more line')
    expect(effectsOf(later(at(24), 6_000), 'y')).toHaveLength(1)
    expect(textOf(at(24))).toContain('1. always allow echo in this project')
    for (const one of some) expect(textOf(at(24))).toContain(one.name)
  })

  it('that was whole for less than half a second was not seen', () => {
    const end = toEnd(viewing())
    expect(effectsOf(later(press(later(end, 300), 'b'), 6_000), 'y')).toEqual([])
    expect(effectsOf(press(later(end, 600), 'b'), 'y')).toHaveLength(1)
  })

  it('is read anew when it is another one, has another content or another size', () => {
    const end = later(toEnd(viewing()))
    expect(effectsOf(end, 'y')).toHaveLength(1)
    const smaller = happened(end, { kind: 'resized', columns: 79, rows: 20 })
    expect(effectsOf(press(smaller, 'b'), 'y')).toEqual([])
    for (const other of [{ id: 'r2' }, { digest: 'd2' }]) {
      const both = changed(asking, 'asks', { asks: ['r1', 'r2'] }, end.now)
      const back = happened(press(end, 'escape'), both)
      const anew = later(happened(back, details({ ...request, ...other }, end.now)))
      expect(effectsOf(anew, 'y')).toEqual([])
    }
  })

  it('is denied at any time, and left by Esc', () => {
    expect(press(viewing(), 'd').answering).toMatchObject({ mode: 'word' })
    expect(press(viewing(), ' ', 'd').answering).toMatchObject({ mode: 'word' })
    expect(press(viewing(), ' ', 'escape').shows).toBe('sessions')
  })

  it('that the daemon has cut cannot be allowed', () => {
    const end = later(toEnd(viewing(80, 24, { ...request, cut: true })))
    expect(effectsOf(end, 'y')).toEqual([])
    expect(textOf(press(end, 'y'))).toContain('too long to be shown in full')
  })

  it('is gone from the page when it is answered elsewhere', () => {
    const read = press(viewing(), ' ')
    const over = happened(read, changed(asking, 'asks', { asks: [] }))
    expect(over.shows).toBe('sessions')
    expect(textOf(over)).toContain('the request is over: it was answered elsewhere')
  })
})
