import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aSession } from '../../test/support/sessions.ts'
import { type Session, session as sessionSchema } from '../protocol/session.ts'
import { ROW_PLAIN_MAX_BYTES } from './envelope.ts'
import { fitRow } from './row-fit.ts'
import type { SharedRow } from './shapes.ts'

const MAX = ROW_PLAIN_MAX_BYTES
const HUGE = 'a word 😀 '.repeat(1_000_000)
const sizeOf = (row: SharedRow | undefined) => Buffer.byteLength(JSON.stringify(row))

function fitted(over: Partial<Session>): SharedRow {
  const row = fitRow(aSession({ id: 's', ...over }), MAX)
  if (row === undefined) throw new Error('it does not fit')
  expect(sizeOf(row)).toBeLessThanOrEqual(MAX)
  expect(sessionSchema.safeParse(row.session).success).toBe(true)
  return row
}

const TEXTS = {
  ...{ name: HUGE, host: HUGE, cause: HUGE, how: HUGE, reason: HUGE, project: HUGE, branch: HUGE },
  ...{ title: HUGE, prompt: HUGE, reply: HUGE, model: HUGE, mode: HUGE, version: HUGE },
  ...{ cwd: HUGE, transcript: HUGE, attach: HUGE, terminal: HUGE, tty: HUGE },
  ...{ tmuxPane: HUGE, tmuxSocket: HUGE },
  request: { tool: HUGE, text: HUGE, actor: HUGE, at: 7 },
  doing: { what: 'tool', tool: HUGE, label: HUGE, since: 8 },
  loop: { state: 'on', iteration: 1, max: 2, hold: HUGE, until: 9 },
} as const

describe('a row that is shared', () => {
  it('[FL10] is the session itself where that fits, to the byte', () => {
    const session = aSession({ id: 's', prompt: 'x' })
    const size = sizeOf({ session, isCut: false })
    expect(fitRow(session, size)).toEqual({ session, isCut: false })
    expect(fitRow(aSession({ id: 's', prompt: 'xy' }), size)).toMatchObject({ isCut: true })
  })

  it.each(Object.keys(TEXTS))('[FL10] fits with 10 MB in %s', (key) => {
    const row = fitted({ [key]: TEXTS[key as keyof typeof TEXTS] })
    expect(row.isCut).toBe(true)
  })

  it('[FL10] fits with 10 MB in each text, and with 10,000 tasks', () => {
    const tasks = Array.from({ length: 10_000 }, (_, n) => ({
      id: `task-${n}`,
      what: 'shell',
      label: `npm run ${n}`,
    }))
    const asks = Array.from({ length: 10_000 }, (_, n) => `ask-${n}`)
    const windows = Array(10_000).fill({ usedPercent: 1, lastsMs: 1, resetsAt: 1 })
    expect(fitted({ ...TEXTS, tasks, asks, limits: { at: 1, windows } }).isCut).toBe(true)
    const { session } = fitted({ tasks })
    expect(session.tasks.length).toBeGreaterThan(20)
    expect(session.tasks).toEqual(tasks.slice(0, session.tasks.length))
  })

  it('[FL10] keeps short texts whole, and as much of long ones as fits', () => {
    const { session } = fitted({ title: 'the title', prompt: 'the prompt', reply: HUGE })
    expect([session.title, session.prompt]).toEqual(['the title', 'the prompt'])
    expect(session.reply?.length).toBeGreaterThan(1_000)
    expect(session.reply?.endsWith('…')).toBe(true)
    expect(session.reply?.isWellFormed()).toBe(true)
  })

  it('[FL11] has a path or a command whole, or not at all', () => {
    const attach = 'claude attach 123'
    const { session } = fitted({ cwd: '/home/user/project', transcript: HUGE, attach, reply: HUGE })
    expect([session.cwd, session.transcript, session.attach]).toEqual([
      '/home/user/project',
      null,
      attach,
    ])
  })

  it('[FL11] never has a part of a path or a command', () => {
    const long = '/folder'.repeat(2_000)
    const { session } = fitted({
      ...{ cwd: long, transcript: long, attach: long, terminal: long, tty: long },
      ...{ tmuxPane: long, tmuxSocket: long },
    })
    const { cwd, transcript, attach, terminal, tty, tmuxPane, tmuxSocket } = session
    const found = new Set([cwd, transcript, attach, terminal, tty, tmuxPane, tmuxSocket])
    expect([...found]).toEqual([null])
  })

  it('[FL11] drops a task whose id does not fit, and never a part of the id', () => {
    const tasks = [{ id: 'x'.repeat(MAX), what: 'shell' }]
    expect(fitted({ tasks }).session.tasks).toEqual([])
  })

  it('[FL11] keeps ids, states, times and numbers, whatever the texts are', () => {
    const text = fc.string({ unit: 'binary', maxLength: 3_000 })
    const texts = fc.record({ name: text, title: text, prompt: text, reply: text, reason: text })
    const tasks = fc.array(fc.record({ id: fc.string(), what: text, label: text }))
    fc.assert(
      fc.property(texts, tasks, fc.integer({ min: 3_000, max: MAX }), (over, some, max) => {
        const doing = { what: 'tool', tool: over.name, since: 8 } as const
        const session = aSession({ id: 'the-id', pid: 5, doing, ...over, tasks: some })
        const row = fitRow(session, max)
        expect(sizeOf(row)).toBeLessThanOrEqual(max)
        const { id, lineage, machine, state, since, rule, agent, pid } = session
        const kept = { id, lineage, machine, state, since, rule, agent, pid }
        expect(row?.session).toMatchObject({ ...kept, doing: { what: 'tool', since: 8 } })
        const ids = row?.session.tasks.map((task) => task.id) ?? []
        expect(ids).toEqual(some.slice(0, ids.length).map((task) => task.id))
        expect(row?.isCut).toBe(JSON.stringify(row?.session) !== JSON.stringify(session))
      }),
      { numRuns: 50 },
    )
  })

  it('[FL11] is none where its ids alone are too long', () => {
    expect(fitRow(aSession({ id: 'x'.repeat(MAX), name: 'n' }), MAX)).toBeUndefined()
  })
})
