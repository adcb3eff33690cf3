import { describe, expect, it } from 'vitest'
import { changed, detailed, NOW, snapshot } from '../../../test/support/board.ts'
import { aRequest } from '../../../test/support/open-request.ts'
import { aSession } from '../../../test/support/sessions.ts'
import { effectsOf, FLEET, happened, linesIn, press, viewOf } from '../../../test/support/view.ts'
import type { OpenRequest } from '../../protocol/request.ts'
import { pictureOf } from './layout.ts'
import type { TerminalState } from './state.ts'

const EDITS = { index: 2, words: 'accept every edit in this session' }

const options = [
  { label: 'Red', description: 'warm' },
  { label: 'Blue', description: null },
]
const question = aRequest({
  kind: 'question',
  tool: 'AskUserQuestion',
  questions: [
    { question: 'Which colour?', header: 'Colour', several: false, options },
    { question: 'Which size?', header: 'Size', several: true, options },
  ],
})

const asking = FLEET.map((session) =>
  session.id === 'asks' ? { ...session, asks: ['r1'] } : session,
)

/** The request as it is loaded. */
function details(request: OpenRequest | null, now = NOW) {
  return detailed(aSession({ id: 'asks' }), { requests: request ? [request] : [] }, now)
}

/** The view with a request in its details, visible for long enough. */
function viewing(
  request: OpenRequest | null,
  seenMs = 1_000,
  columns = 80,
  rows = 30,
): TerminalState {
  const earlier = { ...viewOf(asking, columns, rows), now: NOW - seenMs }
  return { ...happened(earlier, details(request, NOW - seenMs)), now: NOW }
}

const textOf = (state: TerminalState) => linesIn(pictureOf(state)).join('\n')
const answered = (answer: object) => [
  { do: 'answer', request: expect.anything(), answer: { ...answer, shown: '0'.repeat(64) } },
]

describe('keys that answer', () => {
  it('[AN25] is shown even if the verdict knows no request', () => {
    const silent = asking.map((session) => ({ ...session, request: null }))
    const state = happened(viewOf(silent), details(aRequest()))
    expect(textOf(state)).toContain('y allow')
    const over = silent.map((session) => ({ ...session, asks: [] }))
    expect(textOf(happened(state, snapshot(over)))).not.toContain('y allow')
  })

  it('[AN25] y allows what is shown, and the details say so', () => {
    const state = viewing(aRequest())
    expect(textOf(state)).toContain('y allow')
    expect(textOf(state)).not.toContain('Y allow')
    expect(effectsOf(state, 'y')).toEqual(answered({ choice: 'allow', where: 'live' }))
  })

  it('[AN25] Y offers the client’s suggestions, by their own numbers', () => {
    expect(textOf(press(viewing(aRequest()), 'Y'))).toContain('the client has no suggestions')
    const state = press(viewing(aRequest({ suggestions: [EDITS] })), 'Y')
    expect(textOf(state)).toContain('1. accept every edit in this session')
    expect(effectsOf(state, '2')).toEqual([])
    const allow = { choice: 'allow', suggestion: 2, where: 'live' }
    expect(effectsOf(state, '1')).toEqual(answered(allow))
  })

  it('[AN25] d denies with a word, which may be any', () => {
    const typed = press(viewing(aRequest()), 'd', ...'no, yY1', 'x', 'backspace')
    expect(textOf(typed)).toContain('› no, yY1▏')
    const deny = { choice: 'deny', word: 'no, yY1', where: 'live' }
    expect(effectsOf(typed, 'enter')).toEqual(answered(deny))
    const bare = press(viewing(aRequest()), 'd')
    expect(effectsOf(bare, 'enter')).toEqual(answered({ choice: 'deny', where: 'live' }))
    expect(press(typed, 'escape').answering).toBe(null)
  })

  it('[AN25] questions are answered one after the other', () => {
    const first = press(viewing(question), 'y')
    expect(textOf(first)).toContain('1 of 2: Which colour?')
    expect(textOf(first)).toContain('1. Red: warm')
    const second = press(first, '2')
    expect(textOf(second)).toContain('2 of 2: Which size?')
    const both = press(second, ' ', 'down', ' ')
    expect(textOf(both)).toMatch(/1\. \[x\] Red.*\n.*2\. \[x\] Blue/)
    const answers = { 'Which colour?': 'Blue', 'Which size?': ['Red', 'Blue'] }
    expect(effectsOf(both, 'enter')).toEqual(answered({ choice: 'answer', answers, where: 'live' }))
    const one = press(both, '1')
    const fewer = { ...answers, 'Which size?': ['Blue'] }
    expect(effectsOf(one, 'enter')).toEqual(
      answered({ choice: 'answer', answers: fewer, where: 'live' }),
    )
    expect(textOf(press(one, 'backspace'))).toContain('1 of 2')
  })

  it('[AN25] Enter takes what the cursor is at, o takes words of one’s own', () => {
    const own = press(viewing(question), 'y', 'o', ...'a 1', 'enter')
    expect(textOf(own)).toContain('2 of 2')
    const more = press(own, 'o', 'escape', 'o', ...'big', 'enter')
    expect(more.answering).toBe(null)
    const second = press(viewing(question), 'y', 'down', 'enter')
    const answers = { 'Which colour?': 'Blue', 'Which size?': ['Red'] }
    expect(effectsOf(second, 'enter')).toEqual(
      answered({ choice: 'answer', answers, where: 'live' }),
    )
    const typed = press(own, 'o', ...'big')
    const words = { 'Which colour?': 'a 1', 'Which size?': ['big'] }
    expect(effectsOf(typed, 'enter')).toEqual(
      answered({ choice: 'answer', answers: words, where: 'live' }),
    )
  })

  it('[AN26] nothing that has just appeared is answered', () => {
    const state = viewing(aRequest(), 400)
    expect(effectsOf(state, 'y')).toEqual([])
    expect(textOf(press(state, 'y'))).toContain('the request has just appeared')
    expect(press(state, 'd').answering).toBe(null)
    const other = changed(asking, 'asks', { asks: ['r2'] })
    const anew = happened(viewing(aRequest()), other, details(aRequest({ id: 'r2' })))
    expect(effectsOf(anew, 'y')).toEqual([])
  })

  it('[AN26] nothing but what is shown: not another session’s, not what cannot be', () => {
    expect(effectsOf(press(viewing(aRequest()), 'down'), 'y')).toEqual([])
    expect(textOf(press(viewing(null), 'y'))).toContain('no request that can be answered')
    const why = 'its hook no longer waits; answer in its terminal'
    const mute = happened(
      viewing(aRequest({ answerable: false, why })),
      changed(asking, 'asks', { asks: [] }),
    )
    expect(textOf(mute)).not.toContain('y allow')
    expect(textOf(press(mute, 'y'))).toContain('its hook no longer waits')
  })

  it('[AN26] where there is no room for it, it is shown first', () => {
    const small = press(viewing(aRequest(), 1_000, 80, 12), 'y')
    expect(textOf(small)).toContain('$ npm test')
    expect(effectsOf(small, 'y')).toEqual([])
    const later = { ...small, now: NOW + 600 }
    expect(effectsOf(later, 'j')).toEqual([])
    expect(effectsOf(later, 'y')).toEqual(answered({ choice: 'allow', where: 'live' }))
  })

  it('[AN27] what is over meanwhile is taken away, and said', () => {
    const typing = press(viewing(aRequest()), 'd', ...'no')
    const still = happened(typing, snapshot(asking))
    expect(still.answering).toMatchObject({ text: 'no' })
    const over = happened(typing, changed(asking, 'asks', { asks: [] }))
    expect(over.answering).toBe(null)
    expect(textOf(over)).toContain('the request is over: it was answered elsewhere')
    const gone = happened(typing, snapshot([aSession({ id: 'works' })]))
    expect(gone.answering).toBe(null)
  })

  it('[AN25] hostile words stay within their lines', () => {
    const evil = '\u001b[31mred\u202e\n'.repeat(200)
    const odd = aRequest({
      kind: 'question',
      questions: [
        {
          question: evil,
          header: null,
          several: true,
          options: Array.from({ length: 40 }, () => ({ label: evil, description: evil })),
        },
      ],
      suggestions: [{ index: 0, words: evil }],
      input: { questions: [{ question: evil, options: [{ label: evil }] }], [evil]: evil },
    })
    for (const keys of [['y'], ['y', 'o', ...evil.slice(0, 300)], ['d', ...evil.slice(0, 300)]]) {
      const state = press(viewing(odd), ...keys)
      for (const mark of ['\u001b', '\u202e']) expect(textOf(state)).not.toContain(mark)
      for (const line of linesIn(pictureOf(state))) expect(line.length).toBeLessThanOrEqual(80)
    }
  })
})
