import { describe, expect, it } from 'vitest'
import { gone, machineGone, machineNews, NOW, rows, snapshot } from '../../../test/support/board.ts'
import { OTHER_MACHINE } from '../../../test/support/machines.ts'
import { aSession } from '../../../test/support/sessions.ts'
import { afterEvent } from './after-event.ts'
import { type Board, type BoardEvent, emptyBoard } from './board.ts'

const here = aSession({ id: 'same', project: 'here' })
const there = aSession({ id: 'same', project: 'there', machine: OTHER_MACHINE, own: false })
const KEY = `${OTHER_MACHINE}/same`

const boardAfter = (...events: readonly BoardEvent[]) =>
  events.reduce<Board>((board, event) => afterEvent(board, event), emptyBoard(NOW))
const keys = ({ sessions }: Board) => [...sessions.keys()]

describe('sessions of several machines', () => {
  it('[FL80] of one id have two rows, each by its key', () => {
    const board = boardAfter(snapshot([here, there]))
    expect(keys(board)).toEqual(['same', KEY])
    expect(board.sessions.get(KEY)).toMatchObject({ id: KEY, project: 'there' })
    const changed = afterEvent(board, rows({ ...there, state: 'waiting' }))
    expect(changed.sessions.get(KEY)?.state).toBe('waiting')
    expect(changed.sessions.get('same')?.state).toBe('idle')
  })

  it('[FL80] go one by one, by their machine', () => {
    const board = boardAfter(snapshot([here, there]))
    expect(keys(afterEvent(board, gone('same')))).toEqual([KEY])
    const event = { kind: 'gone' as const, now: NOW, machine: OTHER_MACHINE, session: 'same' }
    expect(keys(afterEvent(board, { kind: 'stream', events: [event] }))).toEqual(['same'])
  })

  it('[FL81] go with their machine; the own one stays the board’s', () => {
    const board = boardAfter(
      snapshot([here, there]),
      machineNews({ id: OTHER_MACHINE, name: 'far' }),
    )
    expect([...board.machines.values()].map(({ name }) => name)).toEqual(['here', 'far'])
    expect(board.machine?.name).toBe('here')
    const left = afterEvent(board, machineGone(OTHER_MACHINE))
    expect([keys(left), left.machines.size]).toEqual([['same'], 1])
    expect(afterEvent(board, snapshot([here])).machines.size).toBe(1)
  })

  it('[FL81] of other machines do not end the loading: the own machine comes last', () => {
    expect(boardAfter(machineNews({ id: OTHER_MACHINE })).loading).toBe(true)
  })
})
