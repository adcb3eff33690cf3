import { describe, expect, it } from 'vitest'
import { Sessions } from './sessions.ts'
import type { About, Happening, Signal, Source } from './signal.ts'

const T = 1_000_000

const says = (happening: Happening, about: About, source: Source = 'hook', at = T): Signal => ({
  ...happening,
  at,
  source,
  about,
})
const prompted = { kind: 'turn-started', by: 'user' } as const
const runs = { kind: 'process', alive: true, ours: true } as const
const dies = { kind: 'process', alive: false, ours: true } as const
const dialog = { kind: 'screen', shows: 'dialog', for: 'permission' } as const

function withSession(about: Partial<About> = {}): Sessions {
  const sessions = new Sessions()
  sessions.take(says(prompted, { agent: 'first', session: 'one', ...about }))
  return sessions
}

describe('[L8] what one agent has is never another’s', () => {
  it('a process: neither its life nor its death', () => {
    const sessions = withSession({ pid: 7 })
    const before = sessions.facts('one')
    const [other] = sessions.take(says(runs, { agent: 'second', pid: 7, folder: '/f' }, 'process'))
    expect(other).not.toBe('one')
    sessions.take(says(dies, { agent: 'second', pid: 7 }, 'process', T + 1))
    expect(sessions.facts('one')).toBe(before)
    expect(sessions.facts(other ?? '')?.agent).toBe('second')
  })

  it('a pane, and what it shows', () => {
    const sessions = withSession({ pane: '%1' })
    const before = sessions.facts('one')
    sessions.take(says(dialog, { agent: 'second', pane: '%1' }, 'screen', T + 1))
    expect(sessions.facts('one')).toBe(before)
    sessions.take(says(prompted, { agent: 'second', session: 'two', pane: '%1' }, 'hook', T + 2))
    sessions.take(says(dialog, { agent: 'first', pane: '%1' }, 'screen', T + 3))
    expect(sessions.facts('one')?.screen).toMatchObject({ shows: 'dialog', at: T + 3 })
    expect(sessions.facts('two')?.screen).toMatchObject({ shows: 'dialog', at: T + 1 })
  })

  it('a folder: no process that starts there, and no session that begins there', () => {
    const sessions = withSession({ folder: '/f' })
    const before = sessions.facts('one')
    sessions.take(says(runs, { agent: 'second', pid: 7, folder: '/f' }, 'process', T + 1))
    const opened = { kind: 'opened', how: 'x', continues: true } as const
    sessions.take(says(opened, { agent: 'third', session: 'three', folder: '/f' }, 'hook', T + 2))
    expect(sessions.facts('one')).toBe(before)
    expect([...sessions.ids()]).toEqual(['one', 'process:7', 'three'])
    expect(sessions.lineages.parentOf('three')).toBeUndefined()
  })

  it('a lone screen is not paired with a lone session', () => {
    const sessions = new Sessions()
    sessions.take(says(dialog, { agent: 'second', pane: '%1' }, 'screen'))
    sessions.take(says(prompted, { agent: 'first', session: 'one' }, 'hook', T + 1))
    expect(sessions.facts('one')?.screen).toBeUndefined()
    expect([...sessions.ids()]).toEqual(['pane:%1', 'one'])
  })

  it('a session’s name', () => {
    const sessions = withSession()
    const before = sessions.facts('one')
    expect(
      sessions.take(says(dialog, { agent: 'second', session: 'one' }, 'screen', T + 1)),
    ).toEqual([])
    expect(sessions.facts('one')).toBe(before)
  })

  it('names before a session is known are as many as there are agents', () => {
    const sessions = new Sessions()
    for (const agent of ['first', 'second'])
      sessions.take(says(runs, { agent, pid: 7, folder: '/f' }, 'process'))
    expect([...sessions.ids()]).toEqual(['process:7', 'process:7@second'])
    sessions.take(says(dies, { agent: 'second', pid: 7 }, 'process', T + 1))
    expect(sessions.facts('process:7')?.died).toBeUndefined()
    expect(sessions.facts('process:7@second')?.died).toBeDefined()
  })
})
