import { spawn } from 'node:child_process'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aSession } from '../../../test/support/sessions.ts'
import type { Client } from '../../client/client.ts'
import { ancestors } from '../../platform/ancestors.ts'
import type { LoopView } from '../../protocol/loop.ts'
import type { Session } from '../../protocol/session.ts'
import { whichLoop, whichSession } from './loop-which.ts'
import { ownSession } from './own-session.ts'

const session = (id: string, fields: Partial<Session> = {}) => aSession({ id, since: 1, ...fields })

const loop = (of: string, fields: Partial<LoopView> = {}) =>
  ({ id: `loop-${of}`, session: of, open: true, startedAt: 1, mode: 'loop', ...fields }) as LoopView

function clientOf(sessions: readonly Session[], loops: readonly LoopView[] = []): Client {
  const fake = { sessions: async () => ({ sessions }), loops: async () => ({ loops }) }
  return fake as unknown as Client
}

// An agent may run the tests.
beforeEach(() => vi.stubEnv('CLAUDE_CODE_SESSION_ID', undefined))
afterEach(() => vi.unstubAllEnvs())

describe('[LP66] the session that is meant', () => {
  const fleet = [session('a', { pid: 10 }), session('b', { pid: 20 })]

  it('is the one the agent itself names, unless it runs in another’s process', () => {
    const env = { CLAUDE_CODE_SESSION_ID: 'b' }
    expect(ownSession(fleet, env, () => [30])?.id).toBe('b')
    expect(ownSession(fleet, env, () => [10])?.id).toBe('a')
    const both = [...fleet, session('b', { pid: 10 })]
    expect(ownSession(both, env, () => [10])?.id).toBe('b')
  })

  it('is that of the nearest process around this one', () => {
    expect(ownSession(fleet, {}, () => [30, 20, 10])?.id).toBe('b')
    expect(ownSession(fleet, { CLAUDE_CODE_SESSION_ID: 'gone' }, () => [10])?.id).toBe('a')
    expect(ownSession(fleet, {}, () => [30])).toBeUndefined()
    const same = [session('old', { pid: 10 }), session('new', { pid: 10, since: 2 })]
    expect(ownSession(same, {}, () => [10])?.id).toBe('new')
  })

  it('is the one that is named, or the only one that is open', async () => {
    expect((await whichSession(clientOf(fleet), 'b')).id).toBe('b')
    const one = clientOf([session('a'), session('b', { state: 'closed' })])
    expect((await whichSession(one, undefined)).id).toBe('a')
  })

  it('is asked for where it is not clear, with a list', async () => {
    await expect(whichSession(clientOf([]), undefined)).rejects.toThrow(/no running agent/)
    await expect(whichSession(clientOf(fleet), undefined)).rejects.toThrow(
      /several sessions are open\. Name one of\n {2}a .*\n {2}b /,
    )
  })

  it('is never another than the one this runs in', async () => {
    vi.stubEnv('CLAUDE_CODE_SESSION_ID', 'unheard-of')
    const one = clientOf([session('a')], [loop('a')])
    await expect(whichSession(one, undefined)).rejects.toThrow(/unheard-of: vigil does not know/)
    await expect(whichLoop(one, undefined, { over: true })).rejects.toThrow(/vigil does not know/)
    vi.stubEnv('CLAUDE_CODE_SESSION_ID', 'a')
    const other = clientOf([session('a'), session('b')], [loop('b')])
    expect((await whichSession(other, undefined)).id).toBe('a')
    await expect(whichLoop(other, undefined, { over: true })).rejects.toThrow(
      /this session: is not in a loop/,
    )
  })

  it('is found through any number of shells', async () => {
    const child = spawn('sh', ['-c', 'sh -c "sleep 60; true"; true'])
    expect(ancestors(child.pid).slice(0, 2)).toEqual([child.pid, process.pid])
    expect(ancestors()).toContain(process.ppid)
    expect(ancestors(1)).toEqual([])
    child.kill('SIGKILL')
  })
})

describe('[LP66] the loop that is meant', () => {
  const fleet = [session('aa'), session('bb')]
  const which = (loops: readonly LoopView[], name?: string, over = false) =>
    whichLoop(clientOf(fleet, loops), name, { over })

  it('is its session’s, one that goes on before one that is over', async () => {
    const loops = [
      loop('aa', { id: 'loop-1', open: false, startedAt: 3 }),
      loop('aa', { id: 'loop-2', startedAt: 2 }),
      loop('bb', { id: 'loop-3', open: false, startedAt: 1 }),
      loop('bb', { id: 'loop-4', open: false, startedAt: 4 }),
    ]
    expect((await which(loops, 'aa', true)).id).toBe('loop-2')
    expect((await which(loops, 'aa')).id).toBe('loop-2')
    expect((await which(loops, 'bb', true)).id).toBe('loop-4')
    expect((await which(loops, 'loop-3', true)).id).toBe('loop-3')
    await expect(which(loops, 'bb')).rejects.toThrow(/bb: is not in a loop/)
  })

  it('is the only one that goes on, else it is asked for with a list', async () => {
    expect((await which([loop('aa'), loop('bb', { open: false })])).session).toBe('aa')
    expect((await which([loop('bb', { open: false })], undefined, true)).session).toBe('bb')
    await expect(which([loop('bb', { open: false })])).rejects.toThrow(/no loop is running/)
    await expect(which([], undefined, true)).rejects.toThrow(/no loop is known/)
    const both = which([loop('aa'), loop('bb')])
    await expect(both).rejects.toThrow(
      /several loops are running\. Name one of\n {2}aa .*\n {2}bb /,
    )
  })
})
