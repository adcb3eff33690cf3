import { describe, expect, it } from 'vitest'
import { aSession } from '../../../test/support/sessions.ts'
import type { TmuxServer } from '../../tmux/server.ts'
import { Focus } from './focus.ts'
import type { Seen } from './reading.ts'

const NOW = 1_000_000_000

function setUp() {
  const asked: string[] = []
  const looked: string[] = []
  const typed: string[] = []
  const screen = { text: '' }
  const ask = async (line: string) => {
    asked.push(line)
    return line.includes('capture-pane') ? screen.text.split('\n') : []
  }
  const server = { attached: true, ask } as unknown as TmuxServer
  const focus = new Focus({
    server,
    now: () => NOW,
    onLook: ({ id }) => looked.push(id),
    onTyped: ({ id }) => typed.push(id),
  })
  return { focus, asked, looked, typed, screen }
}

/** The user pressed a key this many seconds ago. */
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

const failed = { state: 'error', unread: true, since: NOW - 5_000 } as const
const unread = aSession({ id: 'one', tmuxPane: '%1', ...failed })

describe('looking', () => {
  it('[TM28] a user who has gone away leaves it unread, and reads it with the next key', () => {
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

  it('[TM28] a user who goes there reads it, however long ago the last key was', () => {
    const { focus, looked } = setUp()
    focus.see(seen('%2', 600), [unread])
    expect(looked).toEqual([])
    focus.see(seen('%1', 600), [unread])
    expect(looked).toEqual(['one'])
  })

  it('[TM28] nothing is asked for while keys would tell nothing', () => {
    const { focus, asked, looked } = setUp()
    focus.see(seen('%2', 600), [unread])
    focus.see(seen('%1', 600), [{ ...unread, unread: false, state: 'working' }])
    expect([asked, looked]).toEqual([[], []])
  })
})

describe('typing', () => {
  const RULE = '─'.repeat(40)
  const idle = aSession({ id: 'one', tmuxPane: '%1', state: 'idle', since: NOW - 5_000 })

  async function typedAfter(texts: readonly string[], session = idle, pane = '%1') {
    const { focus, asked, typed, screen } = setUp()
    for (const [at, text] of texts.entries()) {
      screen.text = `${RULE}\n❯ ${text}\n${RULE}\n`
      focus.see(seen(pane, 600 - at), [session])
      await new Promise((resolve) => setImmediate(resolve))
    }
    return { typed, captures: asked.filter((line) => line.includes('capture-pane')).length }
  }

  it('[TM35] is an input line that changes with a key', async () => {
    expect((await typedAfter(['', 'fix', 'fix it'])).typed).toEqual(['one', 'one'])
  })

  it.each([
    ['stands there from the beginning', ['fix']],
    ['stays', ['fix', 'fix', 'fix']],
    ['is sent', ['fix', '']],
  ])('[TM35] is not one that %s', async (_, texts) => {
    expect((await typedAfter(texts)).typed).toEqual([])
  })

  it('[TM35] is read only in sight, where a prompt may come, and after a key', async () => {
    const texts = ['', 'fix']
    expect((await typedAfter(texts, idle, '%2')).captures).toBe(0)
    expect((await typedAfter(texts, { ...idle, state: 'working' })).captures).toBe(0)
    const { focus, asked } = setUp()
    for (let i = 0; i < 5; i += 1) focus.see(seen('%1', 600), [idle])
    expect(asked.filter((line) => line.includes('capture-pane'))).toHaveLength(1)
  })
})
