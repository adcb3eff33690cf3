import { describe, expect, it } from 'vitest'
import type { Report } from '../../core/signal.ts'
import { aboutServer, fromServer, serverTime } from './server.ts'

const THREAD = '01a1e50d-2134-79e1-b4d4-62d26b7368de'
const report = (method: string, params: object, more: object = {}): Report => ({
  ...{ t: 5_000, source: 'server', agent: 'codex' },
  message: { method, params, emittedAtMs: 4_980, ...more },
})
const status = (type: string, activeFlags?: string[]) =>
  report('thread/status/changed', {
    threadId: THREAD,
    status: { type, ...(activeFlags && { activeFlags }) },
  })

describe('the status of a thread', () => {
  it.each([
    [status('idle'), { status: 'idle' }],
    [status('active', []), { status: 'working' }],
    [status('active', ['waitingOnApproval']), { status: 'waiting', for: 'permission' }],
    [status('active', ['waitingOnUserInput']), { status: 'waiting', for: 'question' }],
  ])('[CX6] is the client’s own word of its turn', (given, word) => {
    expect(fromServer(given)).toEqual([
      { kind: 'self-report', said: expect.any(String), turnOnly: true, ...word },
    ])
    expect(aboutServer(given)).toMatchObject({ agent: 'codex', session: THREAD })
    expect(serverTime(given)).toBe(4_980)
  })

  it('[CX6] in error is a turn that failed', () => {
    expect(fromServer(status('systemError'))).toContainEqual({
      kind: 'turn-failed',
      cause: 'unknown',
    })
  })

  it('[CX6] that is not known says nothing, and neither does another message', () => {
    expect(fromServer(status('somethingNew'))).toEqual([])
    expect(fromServer(report('account/updated', {}))).toEqual([])
    expect(fromServer({ t: 1, source: 'server' })).toEqual([])
  })

  it('[CX6] is not known any more when the connection is lost', () => {
    const lost: Report = { t: 1, source: 'server', agent: 'codex', thread: THREAD, lost: true }
    expect(fromServer(lost)).toEqual([
      { kind: 'self-report', status: 'other', said: 'no connection' },
    ])
    expect(aboutServer(lost).session).toBe(THREAD)
  })
})

describe('a thread', () => {
  const thread = { id: THREAD, cwd: '/p', status: { type: 'idle' }, turns: [], preview: '' }

  it('[CX7] that begins is a session in its folder', () => {
    const begun = report('thread/started', { thread })
    expect(fromServer(begun)).toContainEqual({ kind: 'opened', how: 'startup', continues: true })
    expect(aboutServer(begun)).toMatchObject({ session: THREAD, folder: '/p' })
  })

  it('[CX7] that was there is no beginning', () => {
    const read = report('thread/read', { thread: { ...thread, preview: 'go' } })
    expect(fromServer(read).map(({ kind }) => kind)).toEqual(['self-report', 'life', 'details'])
  })

  it('[CX8] of the client itself is hidden', () => {
    const hidden = report('thread/started', { thread: { ...thread, ephemeral: true } })
    expect(fromServer(hidden)).toEqual([{ kind: 'is-hidden' }])
  })

  it('[CX8] of a subagent belongs to its session', () => {
    const child = {
      ...thread,
      sessionId: 'root',
      parentThreadId: 'mid',
      status: { type: 'active' },
    }
    expect(fromServer(report('thread/started', { thread: child }))).toEqual([
      { kind: 'is-subagent', of: 'root' },
      { kind: 'self-report', status: 'working', said: 'active', turnOnly: true },
    ])
  })
})
