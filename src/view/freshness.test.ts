import { describe, expect, it } from 'vitest'
import { detailed, NOW, snapshot } from '../../test/support/board.ts'
import { OTHER_MACHINE } from '../../test/support/machines.ts'
import { aRequest } from '../../test/support/open-request.ts'
import { aSession } from '../../test/support/sessions.ts'
import { STATES } from '../core/verdict.ts'
import type { Session } from '../protocol/session.ts'
import { abilitiesOf, canAnswer, openRequestsOf } from './board/abilities.ts'
import { afterEvent } from './board/after-event.ts'
import { emptyBoard } from './board/board.ts'
import { began, ended } from './board/news.ts'
import { rowsOf } from './board/rows.ts'
import { isStale, UNREACHABLE } from './freshness.ts'
import { inAttention, nextNeedy } from './order.ts'
import { needsUser } from './session.ts'
import { isQuiet, prefixOf, shapeOf } from './shape.ts'
import { figuresOf, segmentOf, summaryOf } from './summary.ts'

const timeOfDay = () => '12h'
const far = (over: Partial<Session> & Pick<Session, 'id'>) =>
  aSession({ machine: OTHER_MACHINE, own: false, host: 'build-7', ...over })
const lost = (over: Partial<Session> & Pick<Session, 'id'>) =>
  far({ stale: NOW - 180_000, since: NOW - 240_000, unread: true, ...over })

const everyState = STATES.map((state) => lost({ id: state, state }))

describe('[FL82] a session of a machine that is not heard from', () => {
  it('needs nobody, whatever it was doing', () => {
    expect(everyState.filter(needsUser)).toEqual([])
    expect(nextNeedy(everyState)).toBe(undefined)
    expect(everyState.filter(isStale).map(({ state }) => state)).not.toContain('closed')
  })

  it('is counted as unreachable alone, and a closed one as closed', () => {
    const summary = summaryOf(everyState)
    const { unreachable, closed, ...others } = summary
    expect([unreachable, closed]).toEqual([STATES.length - 1, 1])
    expect(new Set(Object.values(others))).toEqual(new Set([0]))
    expect(segmentOf(summary)).toBe('')
    expect(figuresOf(summary).find(({ word }) => word === 'unreachable')?.glyph).toBe('⊘')
  })

  it('comes after all open sessions that are known, and before closed ones', () => {
    const known = STATES.map((state) => aSession({ id: `own ${state}`, state }))
    const ids = inAttention([...everyState, ...known]).map(({ id }) => id)
    expect(ids.slice(0, STATES.length - 1).every((id) => id.startsWith('own '))).toBe(true)
    expect(ids.slice(-2).toSorted()).toEqual(['closed', 'own closed'])
  })

  it('begins no call, and ends the one it had', () => {
    const asks = far({ id: 'a', state: 'waiting' })
    const [before, after] = [new Map([['a', asks]]), new Map([['a', { ...asks, stale: NOW }]])]
    expect(ended(before, after)).toEqual(['a'])
    expect(began(before, after)).toEqual([])
  })

  it('cannot be answered, and its request stays in sight', () => {
    const request = aRequest({ id: 'r', session: 'a' })
    const open = far({
      id: 'a',
      state: 'waiting',
      request: { tool: 'Bash', at: 1 },
      asks: ['r'],
      tmuxPane: '%1',
    })
    const { details } = detailed(open, { requests: [request] })
    expect(canAnswer(open, request)).toBe(true)
    expect(abilitiesOf(open, details).answer).toBe(null)
    const gone = { ...open, stale: NOW }
    expect(canAnswer(gone, request)).toBe(false)
    expect(openRequestsOf(gone, details)).toEqual([request])
    const { answer, type, prompt, interrupt, stopLoop } = abilitiesOf(gone, details)
    expect(new Set([answer, type, prompt, interrupt, stopLoop])).toEqual(new Set([UNREACHABLE]))
  })
})

describe('[FL83] it is shown', () => {
  const shape = shapeOf(lost({ id: 'a', state: 'working', reason: 'it works' }), NOW, timeOfDay)

  it('with its last state and age, dimmed, and when it was last heard', () => {
    expect(shape).toMatchObject({ word: 'working', glyph: '⊘', colour: 'grey', age: '1 min' })
    expect(shape).toMatchObject({ heard: 'last heard 3 min ago', needs: false })
    expect(shape.what).toBe('last heard 3 min ago · it works')
    expect(isQuiet(shape)).toBe(true)
  })

  it('as every other once its machine is heard', () => {
    const back = shapeOf(far({ id: 'a', state: 'working' }), NOW, timeOfDay)
    expect(back).toMatchObject({ glyph: '►', colour: 'blue', heard: null })
  })
})

describe('the machine of a session', () => {
  it('[FL84] is named where it is another one', () => {
    const row = far({ id: 'a', detached: true })
    expect(shapeOf(row, NOW, timeOfDay).machine).toBe('on build-7')
    expect(prefixOf(row, timeOfDay)).toBe('on build-7 · detached · ')
    expect(shapeOf(aSession({ id: 'a' }), NOW, timeOfDay).machine).toBe(null)
    expect(shapeOf(far({ id: 'a', host: 'a\u001b[1mb' }), NOW, timeOfDay).machine).not.toContain(
      '\u001b',
    )
  })

  it('[FL85] groups, also where two have one name', () => {
    const sessions = [aSession({ id: 'a', host: 'box' }), far({ id: 'b', host: 'box' })]
    const board = { ...afterEvent(emptyBoard(NOW), snapshot(sessions)), group: 'machine' as const }
    const names = rowsOf(board).flatMap((row) => (row.kind === 'group' ? row.name : []))
    expect(names).toEqual(['box (ma1a1a1a)', 'box (mb2b2b2b)'])
  })
})
