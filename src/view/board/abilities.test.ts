import { describe, expect, it } from 'vitest'
import { detailed } from '../../../test/support/board.ts'
import { aRequest } from '../../../test/support/open-request.ts'
import { aSession } from '../../../test/support/sessions.ts'
import type { LoopView } from '../../protocol/loop.ts'
import type { Session } from '../../protocol/session.ts'
import { abilitiesOf, canAnswer, mainRequest, openRequestsOf } from './abilities.ts'

const asked = { tool: 'Bash', at: 1 }

function asking(over: Partial<Session> = {}): Session {
  return aSession({ id: 'asks', state: 'waiting', request: asked, asks: ['r1'], ...over })
}

const withRequests = (row: Session, ...requests: readonly Partial<ReturnType<typeof aRequest>>[]) =>
  detailed(row, { requests: requests.map((over) => aRequest(over)) }).details

describe('[BD5] a request', () => {
  it('can be answered while its row names it, whatever was so when it was loaded', () => {
    const session = asking()
    for (const answerable of [true, false])
      expect(canAnswer(session, aRequest({ answerable }))).toBe(true)
    expect(canAnswer(asking({ asks: [] }), aRequest())).toBe(false)
    expect(canAnswer(undefined, aRequest())).toBe(false)
  })

  it('is over at once when its row does not name it any more', () => {
    const session = asking({ asks: [] })
    expect(openRequestsOf(session, withRequests(session, {}))).toEqual([])
    const elsewhere = { answerable: false, why: 'a subagent asks' }
    expect(openRequestsOf(session, withRequests(session, elsewhere))).toHaveLength(1)
    const mute = asking({ asks: [], request: null })
    expect(openRequestsOf(mute, withRequests(mute, elsewhere))).toHaveLength(1)
    const over = asking({ asks: [], request: null, state: 'working' })
    expect(openRequestsOf(over, withRequests(over, elsewhere))).toEqual([])
  })

  it('of several is the first that can be answered, else the newest', () => {
    const session = asking({ asks: ['r2', 'r3'] })
    const several = [{ id: 'r1', answerable: false }, { id: 'r2' }, { id: 'r3' }]
    expect(mainRequest(session, withRequests(session, ...several))?.id).toBe('r2')
    const none = asking({ asks: [] })
    const mute = several.map((one) => ({ ...one, answerable: false }))
    expect(mainRequest(none, withRequests(none, ...mute))?.id).toBe('r3')
    expect(mainRequest(none, null)).toBe(undefined)
  })

  it('that the verdict does not know of can be answered all the same', () => {
    const session = asking({ state: 'working', request: null })
    expect(abilitiesOf(session, withRequests(session, {})).answer).toBe(null)
  })
})

const HELD = { why: 'paused' } as unknown as LoopView['hold']

describe('[BD6] what can be done', () => {
  const able = (over: Partial<Session>) => abilitiesOf(aSession({ id: 'one', ...over }), null)

  it('is said with why not', () => {
    const mute = asking({ asks: [] })
    const why = 'a subagent asks; answer in its terminal'
    expect(abilitiesOf(mute, withRequests(mute, { answerable: false, why })).answer).toBe(why)
    expect(able({}).answer).toBe('the session has no request that can be answered here')
    expect(able({ tty: '/dev/pts/7' })).toMatchObject({
      jump: 'the session is not in tmux; it runs in /dev/pts/7',
      type: 'the session is not in tmux',
      prompt: 'the session is not in tmux',
      interrupt: 'the session is not in tmux',
    })
  })

  it.each([
    ['idle', null, 'it is idle; there is nothing to interrupt'],
    ['error', null, 'it is error; there is nothing to interrupt'],
    ['working', null, null],
    ['stuck', null, null],
    ['background', null, 'it is background; there is nothing to interrupt'],
    [
      'waiting',
      'it is waiting; wait until it is idle to send a prompt',
      'it is waiting; there is nothing to interrupt',
    ],
    ['closed', 'the session is closed', 'the session is closed'],
  ] as const)('in a pane that is %s', (state, prompt, interrupt) => {
    const resume = state === 'closed' ? null : 'the session is not closed'
    expect(able({ state, tmuxPane: '%1' })).toMatchObject({ prompt, interrupt, resume })
  })

  it('[TM36] without a terminal, a jump attaches one, if there is a command for it', () => {
    const detached = { state: 'waiting', detached: true } as const
    expect(able({ ...detached, attach: 'fable again told' }).jump).toBe(null)
    expect(able({ ...detached, attach: null }).jump).toContain('its terminal was closed')
    expect(able({ ...detached, attach: 'fable again told' }).type).not.toBe(null)
  })

  it('with a loop depends on the loop', () => {
    const loopAt = (over: Partial<LoopView>) => {
      const row = aSession({ id: 'one' })
      const loop = { open: true, hold: null, ...over } as LoopView
      const able = abilitiesOf(row, detailed(row, { loop }).details)
      return [able.pauseLoop, able.resumeLoop, able.stopLoop]
    }
    expect(loopAt({})).toEqual([null, 'its loop is running', null])
    expect(loopAt({ hold: HELD })).toEqual(['its loop is paused', null, null])
    expect(loopAt({ open: false })).toEqual(Array(3).fill('the session is not in a loop'))
  })
})
