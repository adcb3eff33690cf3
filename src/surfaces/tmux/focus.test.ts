import { describe, expect, it } from 'vitest'
import { aSession } from '../../../test/support/sessions.ts'
import type { TmuxServer } from '../../tmux/server.ts'
import { Focus } from './focus.ts'
import type { Seen } from './reading.ts'

const NOW = 1_000_000_000

function setUp() {
  const asked: string[] = []
  const looked: string[] = []
  const ask = async (line: string) => {
    asked.push(line)
    return []
  }
  const server = { attached: true, ask } as unknown as TmuxServer
  const focus = new Focus({ server, now: () => NOW, onLook: ({ id }) => looked.push(id) })
  return { focus, asked, looked }
}

/** Who sits there pressed a key this many seconds ago. */
function seen(inSight: string, keySecondsAgo: number): Seen {
  const panes = ['%1', '%2'].map((id) => {
    return { id, tty: '', window: '@1', session: '$0', seen: id === inSight }
  })
  return {
    panes: new Map(panes.map((pane) => [pane.id, pane])),
    windows: new Map(),
    segment: '',
    activeAt: new Map([['$0', NOW / 1_000 - keySecondsAgo]]),
  }
}

const unread = aSession({ id: 'one', tmuxPane: '%1', unread: true, since: NOW - 5_000 })

describe('looking', () => {
  it('[TM28] who has gone away leaves it unread, and reads it with the next key', () => {
    const { focus, asked, looked } = setUp()
    focus.see(seen('%1', 600), [unread])
    expect(looked).toEqual([])
    expect(asked).toEqual([expect.stringMatching(/^refresh-client -B 'vigil-keys::/)])
    focus.see(seen('%1', 600), [unread])
    expect(asked).toHaveLength(1)
    focus.see(seen('%1', 1), [unread])
    expect(looked).toEqual(['one'])
    expect(asked[1]).toBe('refresh-client -B vigil-keys')
  })

  it('[TM28] who comes to it reads it, however long he has not typed', () => {
    const { focus, looked } = setUp()
    focus.see(seen('%2', 600), [unread])
    expect(looked).toEqual([])
    focus.see(seen('%1', 600), [unread])
    expect(looked).toEqual(['one'])
  })

  it('[TM28] nothing is asked for while nobody unread is in sight', () => {
    const { focus, asked, looked } = setUp()
    focus.see(seen('%2', 600), [unread])
    focus.see(seen('%1', 600), [{ ...unread, unread: false }])
    expect([asked, looked]).toEqual([[], []])
  })
})
