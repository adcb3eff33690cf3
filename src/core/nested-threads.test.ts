import { describe, expect, it } from 'vitest'
import { judge } from './judge.ts'
import { HOOK_LAG_MS } from './limits.ts'
import { Sessions } from './sessions.ts'
import type { About, Happening, Source } from './signal.ts'

const ROOT = 'root'
const CHILD = 'child'

/** Signals of an agent whose subagents have threads of their own. */
class Fleet {
  readonly sessions = new Sessions()
  #t = 1_000

  take(
    session: string,
    happening: Happening,
    source: Source = 'server',
    about: Partial<About> = {},
  ): this {
    this.#t += 100
    const signal = { ...happening, at: this.#t, source, about: { agent: 'x', session, ...about } }
    this.sessions.take(signal)
    return this
  }

  get ids(): readonly string[] {
    return [...this.sessions.ids()]
  }

  state(session = ROOT, afterMs = 10): string | undefined {
    const facts = this.sessions.facts(session)
    return facts && judge(facts, this.#t + afterMs).state
  }
}

const word = (status: 'working' | 'waiting' | 'idle'): Happening => ({
  ...{ kind: 'self-report', status, said: status, turnOnly: true },
  ...(status === 'waiting' && { for: 'permission' as const }),
})
const asked: Happening = {
  ...{ kind: 'request-opened', for: 'permission', tool: 'Bash', input: '' },
  early: true,
}
const begun = () =>
  new Fleet().take(ROOT, word('working')).take(CHILD, { kind: 'is-subagent', of: ROOT })

describe('a thread of a subagent', () => {
  it('[B10] is no session, also where it was taken for one before', () => {
    expect(begun().take(CHILD, word('working')).ids).toEqual([ROOT])
    const late = new Fleet().take(CHILD, word('working'))
    expect(
      late.take(CHILD, { kind: 'is-subagent', of: ROOT }).take(ROOT, word('idle')).ids,
    ).toEqual([ROOT])
  })

  it('[B10] belongs to the outermost session, and to itself by no chain of claims', () => {
    const claim = (thread: string, of: string) => [thread, { kind: 'is-subagent', of }] as const
    const fleet = begun()
      .take(...claim('grandchild', CHILD))
      .take(ROOT, word('idle'))
    expect(fleet.take('grandchild', word('working')).ids).toEqual([ROOT])
    expect(fleet.state()).toBe('background')
    const circle = new Fleet().take(...claim('a', 'b')).take(...claim('b', 'c'))
    expect(circle.take(...claim('c', 'a')).take('a', word('working')).ids).toEqual(['c'])
    const late = new Fleet().take(...claim('a', 'root')).take(...claim('b', 'a'))
    expect(late.take(...claim('a', 'b')).take('b', word('working')).ids).toEqual(['root'])
    const own = new Fleet().take('own', { kind: 'is-hidden' }).take(...claim('a', 'own'))
    expect(own.take('a', word('working')).ids).toEqual([])
    expect(new Fleet().take(...claim('a', 'a')).take('a', word('working')).ids).toEqual(['a'])
  })

  it('[B10] that works on is background work of its session', () => {
    const fleet = begun()
      .take(CHILD, word('working'))
      .take(ROOT, { kind: 'turn-ended', how: 'done' })
    expect(fleet.take(ROOT, word('idle')).state()).toBe('background')
    expect(fleet.take(CHILD, word('idle')).state()).toBe('idle')
  })

  it('[B10] that waits makes its session wait until it goes on', () => {
    const fleet = begun().take(CHILD, word('working')).take(CHILD, word('waiting'))
    expect(fleet.state()).toBe('waiting')
    expect(fleet.take(CHILD, word('working')).state()).toBe('working')
  })

  it('[B10] has tools of its own, which say nothing of the turn', () => {
    const tool: Happening = { kind: 'tool-started', id: 't', name: 'Bash', input: '', quiet: false }
    const fleet = begun().take(CHILD, tool).take(ROOT, { kind: 'turn-ended', how: 'done' })
    expect(fleet.sessions.facts(ROOT)?.tools).toMatchObject([{ id: 't', actor: CHILD }])
    expect(fleet.sessions.facts(ROOT)?.turn.active).toBeUndefined()
  })
})

it('[B10] a thread of the client itself is never shown', () => {
  const fleet = new Fleet().take('title', { kind: 'is-hidden' }).take('title', word('working'))
  expect(fleet.ids).toEqual([])
})

describe('a client that a server works for', () => {
  const process = (alive: boolean): [Happening, Source, Partial<About>] => [
    { kind: 'process', alive, ours: true },
    'process',
    { pid: 7, start: '1' },
  ]
  const bound = () => new Fleet().take(ROOT, ...process(true)).take(ROOT, word('working'))

  it('[C7] goes on without its terminal while its turn runs, and is idle after it', () => {
    const fleet = bound().take(ROOT, ...process(false))
    expect(fleet.state()).toBe('working')
    expect(fleet.take(ROOT, word('waiting')).state()).toBe('waiting')
    expect(fleet.take(ROOT, word('idle')).state()).toBe('idle')
  })

  it('[C7] that was idle is closed with its terminal', () => {
    expect(
      bound()
        .take(ROOT, word('idle'))
        .take(ROOT, ...process(false))
        .state(),
    ).toBe('closed')
  })

  it('[C7] is closed when the server is gone, too, or lets go of it', () => {
    const lost: Happening = { kind: 'self-report', status: 'other', said: 'no connection' }
    expect(
      bound()
        .take(ROOT, ...process(false))
        .take(ROOT, lost)
        .state(),
    ).toBe('closed')
    const left: Happening = { kind: 'left', how: 'unloaded' }
    expect(
      bound()
        .take(ROOT, ...process(false))
        .take(ROOT, word('idle'))
        .take(ROOT, left)
        .state(),
    ).toBe('closed')
  })
})

describe('words of different weight', () => {
  const title = (status: 'working' | 'waiting' | 'idle') => [word(status), 'title'] as const

  it('[R10] a title counts until a server tells the state, and again when that is gone', () => {
    const fleet = new Fleet().take(ROOT, ...title('working'))
    expect(fleet.state()).toBe('working')
    expect(
      fleet
        .take(ROOT, word('idle'))
        .take(ROOT, ...title('working'))
        .state(),
    ).toBe('idle')
    const lost: Happening = { kind: 'self-report', status: 'other', said: 'no connection' }
    expect(
      fleet
        .take(ROOT, lost)
        .take(ROOT, ...title('working'))
        .state(),
    ).toBe('working')
  })

  it('[R10] whatever another source tells later than a title wins over it at once', () => {
    const fleet = new Fleet().take(ROOT, { kind: 'turn-started', by: 'user' }, 'hook')
    expect(
      fleet
        .take(ROOT, ...title('working'))
        .take(ROOT, { kind: 'turn-ended', how: 'done' }, 'hook')
        .state(),
    ).toBe('idle')
  })

  it('[R10] no title counts of a client without a user', () => {
    const fleet = new Fleet().take(ROOT, { kind: 'turn-started', by: 'user' }, 'hook')
    expect(fleet.take(ROOT, ...title('idle')).state()).toBe('idle')
    expect(fleet.take(ROOT, { kind: 'unattended' }, 'transcript').state()).toBe('working')
  })

  it('[R9] a word of the turn alone leaves a dialog and background work as they are', () => {
    const shown: Happening = { kind: 'screen', shows: 'dialog', for: 'plan' }
    expect(new Fleet().take(ROOT, word('idle')).take(ROOT, shown, 'screen').state()).toBe('waiting')
    const task: Happening = { kind: 'task-started', id: 'terminal 1', what: 'terminal' }
    const fleet = new Fleet()
      .take(ROOT, { kind: 'turn-started', by: 'user' }, 'hook')
      .take(ROOT, task, 'transcript')
    expect(fleet.take(ROOT, word('idle')).state()).toBe('background')
    expect(fleet.take(ROOT, { kind: 'task-ended', id: 'terminal 1' }, 'transcript').state()).toBe(
      'idle',
    )
  })

  it('[W13] a request that a hook tells before its dialog waits until the server says so', () => {
    const fleet = new Fleet().take(ROOT, word('working')).take(ROOT, asked, 'hook')
    expect(fleet.state()).toBe('working')
    expect(fleet.take(ROOT, word('waiting')).state()).toBe('waiting')
    expect(new Fleet().take(ROOT, asked, 'hook').state()).toBe('waiting')
  })

  it('[W13] where a title shows work, such a request waits for the title, but not for long', () => {
    const fleet = new Fleet().take(ROOT, word('working'), 'title').take(ROOT, asked, 'hook')
    expect(fleet.state()).toBe('working')
    expect(fleet.state(ROOT, HOOK_LAG_MS)).toBe('waiting')
    expect(fleet.take(ROOT, word('waiting'), 'title').state()).toBe('waiting')
    const idle = new Fleet().take(ROOT, word('idle'), 'title').take(ROOT, asked, 'hook')
    expect(idle.state()).toBe('waiting')
  })
})

it('[L9] a hook’s parent is the session’s process only where it was seen as a client', () => {
  const start: Happening = { kind: 'opened', how: 'startup', continues: true }
  const daemon = new Fleet().take(ROOT, start, 'hook', { runner: 99 })
  expect(daemon.sessions.facts(ROOT)?.process).toBeUndefined()
  const own = new Fleet()
  own.sessions.take({
    ...{ kind: 'process', alive: true, ours: true, at: 1, source: 'process' },
    about: { agent: 'x', pid: 99, folder: '/p' },
  })
  expect(own.take(ROOT, start, 'hook', { runner: 99 }).sessions.facts(ROOT)?.process?.pid).toBe(99)
})

it('[L10] a client that resumes nothing is not taken for the session that ended last', () => {
  const fleet = new Fleet().take(ROOT, { kind: 'opened', how: 'startup' }, 'transcript', {
    folder: '/p',
  })
  fleet.take(ROOT, { kind: 'left', how: 'exit' }, 'hook')
  const born = (begins: object) => ({
    ...{
      kind: 'process' as const,
      alive: true,
      ours: true,
      at: 2_000,
      source: 'process' as const,
      ...begins,
    },
    about: { agent: 'x', pid: 5, folder: '/p' },
  })
  fleet.sessions.take(born({ begins: true }))
  expect(fleet.ids).toEqual([ROOT, 'process:5'])
})
