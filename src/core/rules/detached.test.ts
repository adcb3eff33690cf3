import { describe, expect, it } from 'vitest'
import { judge } from '../judge.ts'
import { Sessions } from '../sessions.ts'
import type { Happening, SelfStatus, Signal } from '../signal.ts'
import { wouldChange } from '../would-change.ts'

const BEGIN = 1_000_000
const PID = 4_711

/** A session of an agent whose work is done by a server; every call is a second later. */
class Served {
  readonly #sessions = new Sessions()
  now = BEGIN

  constructor(...statuses: readonly SelfStatus[]) {
    this.#take('process', { kind: 'process', alive: true, ours: true }, { pid: PID, start: '1' })
    this.#take('hook', { kind: 'opened', how: 'startup' }, { pid: PID })
    for (const status of statuses) this.server(status)
  }

  server(status: SelfStatus): this {
    const word = { kind: 'self-report', said: status, turnOnly: true } as const
    return this.#take('server', { ...word, status, ...(status === 'waiting' && ASKS) })
  }

  closes(pid = PID, start = '1'): this {
    return this.#take('process', { kind: 'process', alive: false, ours: true }, { pid, start })
  }

  process(pid: number, start: string, ours = true): this {
    return this.#take('process', { kind: 'process', alive: true, ours }, { pid, start })
  }

  left(): this {
    return this.#take('server', { kind: 'left', how: 'unloaded' })
  }

  get verdict() {
    const facts = this.#sessions.facts('one')
    if (!facts) throw new Error('the session is not known')
    return judge(facts, this.now)
  }

  get shown(): string {
    const { state, detached } = this.verdict
    return detached ? `${state}, detached` : state
  }

  #take(source: Signal['source'], happening: Happening, about: Partial<Signal['about']> = {}) {
    this.now += 1_000
    const whose = { agent: 'fable', session: 'one', ...about }
    this.#sessions.take({ ...happening, at: this.now, source, about: whose })
    return this
  }
}

const ASKS = { for: 'permission' } as const

describe('a terminal that is closed', () => {
  it('[C7] while the server works on the session leaves the session detached', () => {
    const session = new Served('idle', 'working')
    expect(session.shown).toBe('working')
    expect(session.closes().shown).toBe('working, detached')
    expect(session.server('waiting').shown).toBe('waiting, detached')
    expect(session.server('working').shown).toBe('working, detached')
    expect(session.server('idle').shown).toBe('idle, detached')
  })

  it('[C7] while the server waits for its user, too', () => {
    expect(new Served('working', 'waiting').closes().shown).toBe('waiting, detached')
  })

  it('[C7] while the session is idle closes the session', () => {
    expect(new Served('working', 'idle').closes().shown).toBe('closed')
    expect(new Served().closes().shown).toBe('closed')
  })

  it('[C7] closes the session if the end of its turn was reported before', () => {
    const session = new Served('working', 'idle').closes()
    expect(session.server('working').shown).toBe('closed')
  })
})

describe('a detached session', () => {
  const detached = () => new Served('working').closes()

  it('[C7] is closed while its server does not answer, from then on', () => {
    const session = detached().server('other')
    expect(session.verdict).toMatchObject({ state: 'closed', since: session.now })
    expect(session.verdict.detached).toBeUndefined()
    expect(session.server('working').shown).toBe('working, detached')
  })

  it('[C7] is closed when its server lets go of it', () => {
    const session = detached().server('idle').left()
    expect(session.verdict).toMatchObject({ state: 'closed', how: 'unloaded' })
  })

  it('[C7] [C3] goes on when its pid belongs to another process', () => {
    expect(detached().process(PID, '2', false).shown).toBe('working, detached')
  })

  it('[C7] has a terminal again when another process resumes it', () => {
    expect(detached().process(5_000, '9').shown).toBe('working')
    expect(detached().process(5_000, '9').closes(5_000, '9').shown).toBe('working, detached')
  })

  it('[C7] says what would close it, which is not the end of its process', () => {
    const changes = wouldChange(detached().server('idle').verdict).join('\n')
    expect(changes).toContain('server ends')
    expect(changes).not.toContain('its process ends')
    expect(wouldChange(new Served('idle').verdict).join('\n')).toContain('its process ends')
  })
})
