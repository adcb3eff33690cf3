import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { aSession } from '../../../test/support/sessions.ts'
import { SETTINGS } from '../../home/settings-schema.ts'
import type { Session } from '../../protocol/session.ts'
import type { ServerListener, TmuxServer } from '../../tmux/server.ts'
import { TmuxError } from '../../tmux/tmux.ts'
import { Painter } from './painter.ts'

const { tmux: settings } = SETTINGS.parse({ tmux: { on: true, mode: 'stop-only' } })
const agent = (over: Partial<Session> = {}) =>
  aSession({ id: 'one', tmuxPane: '%1', project: 'engine', state: 'waiting', ...over })

/** A server with one window that records its commands. */
function setUp(sessions: readonly Session[], attached = true) {
  const row = ['pane', '%1', '@1', '$0', '/dev/pts/1', '11', '0', '', '', '', 'own', '', '', '']
  const listeners: ServerListener[] = []
  const asked: string[] = []
  const answer = { fails: false, slow: undefined as Promise<void> | undefined }
  const server = {
    attached,
    ownPid: 1,
    listen: (listener: ServerListener) => listeners.push(listener),
    ask: async (line: string) => {
      asked.push(line)
      await answer.slow
      if (answer.fails) throw new TmuxError('no current window')
      return line.includes('list-panes') ? [row.join('\t'), 'segment\t'] : ['@1', 'off']
    },
  } as unknown as TmuxServer
  const clock = { now: 5_000 }
  const stage = { sessions, errors: [] as string[] }
  const painter = new Painter({
    server,
    picture: () => ({ sessions: stage.sessions, segment: '', settings }),
    now: () => clock.now,
    onSeen: () => {},
    onError: ({ message }) => stage.errors.push(message),
  })
  const quiet = async () => {
    // Counts turns of the event loop, because the clock runs on while this process does not.
    for (let calm = 0, before = -1; calm < 5; before = asked.length) {
      await sleep(4)
      calm = before === asked.length ? calm + 1 : 0
    }
    return asked.splice(0)
  }
  return { painter, stage, answer, listeners, quiet, asked, clock }
}

describe('a painter', () => {
  it.each([true, false])('[TM13] asks nothing when nothing changed, attached: %s', async (is) => {
    const { painter, quiet } = setUp([agent()], is)
    await quiet()
    for (let i = 0; i < 10; i++) painter.paint()
    expect(await quiet()).toEqual([])
  })

  it('[TM13] writes what came meanwhile in one line', async () => {
    const { painter, stage, answer, quiet, asked } = setUp([agent()])
    await quiet()
    const slow = Promise.withResolvers<void>()
    answer.slow = slow.promise
    stage.sessions = [agent({ state: 'working' })]
    painter.paint()
    await vi.waitFor(() => expect(asked).toHaveLength(1))
    for (const state of ['background', 'unknown', 'stuck'] as const) {
      stage.sessions = [agent({ state, unread: true })]
      painter.paint()
      await sleep(5)
    }
    slow.resolve()
    const lines = await quiet()
    expect(lines).toHaveLength(2)
    expect(lines[0]).toContain('@vigil_state "working"')
    expect(lines[1]).toContain('@vigil_state "stuck"')
    expect(lines[1]).toContain('@vigil_unread "1"')
  })

  it('[TM13] does not take its own writing for news, but another process’s', async () => {
    const { listeners, quiet } = setUp([agent()])
    await quiet()
    listeners[0]?.onNotice('window-renamed', '@1 own')
    listeners[0]?.onNotice('pane-mode-changed', '%1')
    expect(await quiet()).toEqual([])
    listeners[0]?.onNotice('window-renamed', '@1 mine')
    expect(await quiet()).toHaveLength(1)
  })

  it('[TM20] looks again when a finished turn stops being news', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const done = agent({ state: 'idle', after: 'work', since: 4_000 })
      const { painter, asked, clock } = setUp([done])
      await vi.waitFor(() => expect(painter.seen).toBeDefined())
      expect(asked.join()).toContain('@last_completed_time "4"')
      asked.length = 0
      clock.now = 4_000 + 1_800_001
      await vi.advanceTimersByTimeAsync(1_800_001 - 1_000)
      await vi.waitFor(() => expect(asked.join()).toContain('@last_completed_time ""'))
    } finally {
      vi.useRealTimers()
    }
  })

  it('[TM10] says what failed, and tries again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const { painter, stage, answer } = setUp([agent()])
      await vi.waitFor(() => expect(painter.seen).toBeDefined())
      answer.fails = true
      stage.sessions = [agent({ state: 'working' })]
      painter.paint()
      await vi.waitFor(() => expect(stage.errors).toEqual(['no current window']))
      answer.fails = false
      await vi.advanceTimersByTimeAsync(1_500)
      await vi.waitFor(() => expect(painter.seen).toBeDefined())
    } finally {
      vi.useRealTimers()
    }
  })
})
