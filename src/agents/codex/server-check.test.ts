import { expect, it } from 'vitest'
import { handlerOf } from './events.ts'
import { LoadedThreadsCheck } from './server-check.ts'

const HOOK = '/v/vigil-hook-codex'
const { command } = handlerOf('Stop', HOOK)
const OWN = { command, trustStatus: 'trusted', enabled: true }
const THEIRS = { command: 'theirs', trustStatus: 'trusted', enabled: true }
const listed = (...hooks: object[]) => ({ data: [{ hooks: [THEIRS, ...hooks] }] })

interface Thread {
  readonly hooks?: object[]
  readonly ephemeral?: boolean
  readonly parentThreadId?: string
  readonly gone?: true
}

/** The daemon's answer to a question. */
function answered(threads: Record<string, Thread>, installed: object[], message: object): object {
  const { id, method, params } = message as { id: number; method: string; params: object }
  const { threadId } = params as { threadId?: string }
  const { hooks, gone, ...thread } = threads[threadId ?? ''] ?? {}
  const results: Record<string, object> = {
    initialize: {},
    'thread/loaded/list': { data: [...Object.keys(threads), 7] },
    'thread/read': { thread: { id: threadId, ephemeral: false, ...thread } },
    'hooks/list': listed(...(threadId === undefined ? installed : (hooks ?? []))),
  }
  return gone ? { id, error: { message: 'no such thread' } } : { id, result: results[method] }
}

/** Plays the whole conversation, with other messages in between. */
function play(threads: Record<string, Thread>, installed: object[] = [OWN]) {
  const check = new LoadedThreadsCheck(HOOK)
  let questions: readonly object[] | undefined = check.open()
  const open = [...questions]
  for (let message = open.shift(); message !== undefined; message = open.shift()) {
    if (!('id' in message)) continue
    for (const other of [undefined, 'x', { id: 999 }, { method: 'thread/status/changed', id: 1 }])
      expect(check.take(other)).toEqual([])
    questions = check.take(answered(threads, installed, message))
    open.push(...(questions ?? []))
  }
  expect(questions).toBeUndefined()
  return check.found()
}

it('[CX54] names the loaded threads that do not have the hooks, and what to do', () => {
  const found = play({
    old: {},
    off: { hooks: [{ ...OWN, enabled: false }] },
    fresh: { hooks: [OWN] },
  })
  expect(found).toMatchObject({
    level: 'warning',
    what: '2 of 3 loaded threads do not have vigil’s hooks yet: they were loaded before',
    todo: expect.stringMatching(/\/new or \/clear.*codex app-server daemon restart/),
    notes: ['codex resume old', 'codex resume off'],
    figures: { loaded: 3, without: ['old', 'off'] },
  })
  expect(play({ fresh: { hooks: [OWN] } })).toMatchObject({ level: 'ok' })
})

it('[CX54] counts no title thread, no subagent and no thread that is gone', () => {
  const threads = {
    title: { ephemeral: true },
    child: { parentThreadId: 'a' },
    gone: { gone: true },
  }
  expect(play(threads as Record<string, Thread>)).toBeUndefined()
})

it('[CX54] says nothing where the hooks are not installed', () => {
  expect(play({ old: {} }, [])).toBeUndefined()
  expect(play({ old: {} }, [{ ...OWN, trustStatus: 'untrusted' }])).toBeUndefined()
})
