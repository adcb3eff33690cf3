import { describe, expect, it } from 'vitest'
import { detailed, NOW } from '../../../test/support/board.ts'
import { aSession } from '../../../test/support/sessions.ts'
import {
  COMMAND_LAYOUT,
  FLEET,
  happened,
  linesIn,
  press,
  viewOf,
} from '../../../test/support/view.ts'
import type { Explanation } from '../../protocol/session.ts'
import type { SessionDetails } from '../../view/board/board.ts'
import { pictureOf } from './layout.ts'
import type { TerminalState } from './state.ts'
import { widthOf } from './text.ts'

const shown = (state: TerminalState) => linesIn(pictureOf(state))
const textOf = (state: TerminalState) => shown(state).join('\n')

function withDetails(
  state: TerminalState,
  { id = 'asks', ...over }: Partial<SessionDetails>,
): TerminalState {
  return happened(state, detailed(state.sessions.get(id) ?? aSession({ id }), over))
}

const explanation = {
  grounds: [{ source: 'hook', saw: 'request-opened', at: NOW - 5_000 }],
  wouldChange: ['an answer to the request'],
  heard: { hook: NOW - 5_000 },
  history: [
    { id: 2, t: NOW - 45_000, verdict: { state: 'waiting', for: 'permission', rule: 'W1' } },
    { id: 1, t: NOW - 300_000, verdict: { state: 'working', rule: 'T1', tasks: [] } },
  ],
} as unknown as Explanation

describe('the list', () => {
  it('[TU15] tells of each session its name, branch, state, since when and what', () => {
    const [, , first, second] = shown(viewOf(FLEET))
    expect(first).toMatch(/^▌1 ◆ \* payments@main +waiting for permission +45 s {2}Rebuild from/)
    expect(second).toMatch(/^ 2 ◆ {3}website +waiting for question +0 s/)
    expect(textOf(viewOf(FLEET))).toContain('loop 2/10 · npm test')
  })

  it('[TU15] on a wide terminal also loop, tasks and context left', () => {
    const lines = shown(viewOf(FLEET, 200, 60))
    expect(lines.find((line) => line.includes('engine '))).toMatch(/loop 2\/10 {2}3\/7 done/)
    expect(lines[2]).toContain('42 % left')
  })

  it('[TU15] counts them above, the neediest first, and only what there is', () => {
    expect(shown(viewOf(FLEET))[0]).toMatch(/vigil +◆ 2 waiting +✗ 1 in error +► 1 working/)
    expect(shown(viewOf(FLEET))[0]).not.toContain('stuck')
  })

  it('[TU15] tells how many are above and below what is in sight', () => {
    const many = Array.from({ length: 50 }, (_, i) => aSession({ id: `s${i}`, since: i }))
    const state = viewOf(many)
    const [, note = ''] = shown(state)
    const below = Number(/↓ (\d+)$/.exec(note)?.[1])
    expect(shown(state).filter((line) => /idle/.test(line)).length - 2 + below).toBe(50)
    expect(shown(press(state, 'end'))[1]).toMatch(new RegExp(`↑ ${below}$`))
    expect(shown(viewOf(FLEET))[1]).toBe('')
  })

  it('[TU29] leaves its empty rows to the details', () => {
    const said = Array.from({ length: 300 }, (_, i) => `word${i}`).join(' ')
    const state = withDetails(viewOf(FLEET, 100, 60), { talk: { said: [said], call: null } })
    const rule = shown(state).findIndex((line) => line.startsWith('──'))
    expect(60 - rule).toBeGreaterThan(25)
    expect(textOf(state)).toContain('word91')
  })

  it('[TU15] without any session says so, and how to see one', () => {
    expect(textOf(viewOf([]))).toContain('vigil run ')
    expect(textOf(press(viewOf(FLEET), 'f', 'z', 'z'))).toContain('No session matches the filter')
  })
})

describe('the details', () => {
  const talk = {
    said: ['First words.', 'I will rebuild.'],
    call: {
      tool: 'Bash',
      input: { command: 'rm -rf build', sudo: true },
      layout: COMMAND_LAYOUT,
    },
  }

  it.each([
    [80, 24],
    [200, 60],
  ])('[TU16] at %i×%i: request, reason, last words, what was before, where', (columns, rows) => {
    const text = textOf(withDetails(viewOf(FLEET, columns, rows), { talk, explanation }))
    expect(text).toContain('$ rm -rf build')
    expect(text).toContain('! sudo: true')
    expect(text).toContain('T3 the test says so')
    expect(text).toContain('I will rebuild.')
    expect(text).toMatch(/before .*working +5 min ago/)
  })

  it('[VW29] have the last messages from the newest, as many as have room', () => {
    const said = ['one', 'two', 'three'].map((word) => `word ${word}`)
    const shownAt = (rows: number) =>
      textOf(withDetails(viewOf(FLEET, 80, rows), { id: 'asks', talk: { said, call: null } }))
    expect(shownAt(50)).toMatch(/said +word three\n +word two\n +word one/)
    expect(shownAt(20)).toContain('word three')
  })

  it('[TU16] of another session are not shown under this one', () => {
    const other = withDetails(viewOf(FLEET), { id: 'works', talk, explanation })
    expect(textOf(other)).not.toContain('rm -rf build')
    expect(textOf(other)).toContain('Rebuild from scratch')
  })

  it('[TU13] w tells why, ? the keys; one scrolls there as far as there is text', () => {
    const why = press(withDetails(viewOf(FLEET), { explanation }), 'w')
    expect(textOf(why)).toContain('hook reported request-opened, 5 s ago')
    expect(textOf(why)).toContain('an answer to the request')
    for (const key of ['escape', 'q', 'w']) expect(press(why, key).shows).toBe('sessions')
    const help = press(viewOf(FLEET, 80, 10), '?')
    expect(textOf(help)).toContain('Keys')
    const end = press(help, ...Array(50).fill('j'))
    expect(textOf(end)).toContain('of its context')
    expect(textOf(press(end, 'k'))).not.toBe(textOf(end))
  })
})

describe('what is the past', () => {
  it('[TU22] is said to be, with since when, until the daemon is back', () => {
    const lost = happened(
      viewOf(FLEET),
      { kind: 'connection', connected: false, now: NOW },
      { kind: 'connection', connected: false, now: NOW + 3_000 },
      { kind: 'passed', now: NOW + 5_000 },
    )
    expect(shown(lost)[0]).toMatch(/lost connection to the daemon 5 s ago, reconnecting$/)
    const back = happened(lost, { kind: 'connection', connected: true, now: NOW + 6_000 })
    expect(textOf(back)).not.toContain('lost')
  })
})

describe('every terminal', () => {
  const wide = '文字列👍🏽é'.repeat(40)
  const rude = `\u001b[2J\u0007\u202e\r\n${wide}`
  const sessions = [
    ...FLEET,
    aSession({
      id: `${rude}1`,
      title: rude,
      project: rude,
      branch: rude,
      state: 'waiting',
      for: 'permission',
      reason: rude,
      request: { tool: rude, text: rude, at: 1 },
      tasks: [{ id: '1', what: rude, label: rude }],
    }),
  ]
  const sizes = [1, 2, 5, 10, 39, 80, 139, 140, 200].flatMap((columns) =>
    [1, 2, 3, 4, 5, 8, 15, 16, 24, 60].map((rows) => [columns, rows] as const),
  )

  it('[TU14] holds all of the picture, whatever its size and the text', () => {
    for (const [columns, rows] of sizes)
      for (const keys of [[], ['g'], ['w'], ['?'], ['f', 'a']]) {
        const state = press(viewOf(sessions, columns, rows), '1', ...keys)
        const { strips } = pictureOf(state)
        for (const { row, column, width, line } of strips) {
          const text = line.map((span) => span.text).join('')
          expect(row).toBeLessThan(rows)
          expect(column + Math.max(width, widthOf(text))).toBeLessThanOrEqual(columns)
          expect(widthOf(text)).toBeLessThanOrEqual(Math.max(0, width))
        }
        const places = strips.map(({ row, column }) => `${row}:${column}`)
        expect(new Set(places).size).toBe(places.length)
      }
  })

  it('[TU17] gets no control character of an agent', () => {
    for (const keys of [[], ['g'], ['w']]) {
      const state = press(viewOf(sessions, 200, 60), '1', ...keys)
      for (const { line } of pictureOf(state).strips)
        for (const { text } of line) expect(text).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
    }
  })

  it('[TU1] shows the same for the same events', () => {
    const events = () => press(viewOf(sessions, 200, 60), 'j', 'g', 'w')
    expect(pictureOf(events())).toEqual(pictureOf(events()))
  })
})
