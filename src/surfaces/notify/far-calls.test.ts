import { expect, it } from 'vitest'
import { OTHER_MACHINE } from '../../../test/support/machines.ts'
import { aSession } from '../../../test/support/sessions.ts'
import type { Session } from '../../protocol/session.ts'
import { Calls } from './calls.ts'
import { FarCalls } from './far-calls.ts'

it('[FL93] a row of another machine names no terminal, socket or process here', () => {
  const row = aSession({
    ...{ id: 'a', machine: OTHER_MACHINE, own: false, unread: true, pid: 1, tty: '/dev/tty1' },
    ...{ tmuxSocket: '/tmp/tmux-1000/default', tmuxPane: '%0', terminal: 'kitty' },
  })
  const known: Session[] = []
  const feed = { rows: () => [row], onRow: () => () => {} }
  const onKnown = (session: Session) => known.push(session)
  const far = new FarCalls({ feed, calls: new Calls(), onKnown, onStep: () => {} })
  far.begin()
  const nowhere = { pid: null, tty: null, tmuxSocket: null, tmuxPane: null, terminal: null }
  expect(known).toMatchObject([{ id: `${OTHER_MACHINE}/a`, ...nowhere }])
  expect(far.get(`${OTHER_MACHINE}/a`)).toBe(known[0])
})
