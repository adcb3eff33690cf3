import { setImmediate } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { MemoryActs, pidOf, RequestRig } from '../support/requests.ts'
import { spooledAs } from '../support/spooled.ts'

const ALLOW = { choice: 'allow', where: 'page' } as const
const allowed = { hookSpecificOutput: { decision: { behavior: 'allow' } } }

afterEach(() => void vi.useRealTimers())

/** Somebody is there, and a hook waits. */
async function asked(rig = new RequestRig()) {
  rig.able.enter()
  const { name, id, call } = rig.asks()
  const { told, left } = await rig.waits(name)
  return { rig, name, id, call, told, left }
}

describe('an answer', () => {
  it('[AN14] goes to the hook that waits; the second is told that it is over', async () => {
    const { rig, id, told } = await asked()
    expect(rig.requests.asksOf('one')).toEqual([id])
    rig.answer(id, ALLOW, 'ada')
    expect(await told).toMatchObject({ act: 'decide', output: allowed })
    rig.now += 3_000
    expect(() => rig.answer(id, ALLOW, 'bob')).toThrow(
      expect.objectContaining({ status: 409, message: 'it is over: answered on the page 3 s ago' }),
    )
    expect(rig.requests.list()).toEqual([])
    expect(rig.told.at(-1)).toEqual({ session: 'one', asks: [] })
  })

  it('[AN20] is in the log before the agent is told, or not given at all', async () => {
    const { rig, id, told } = await asked()
    const heard = vi.fn()
    void told.then(heard)
    rig.table.failure = new Error('disk full')
    expect(() => rig.answer(id, ALLOW, 'ada')).toThrow('disk full')
    await setImmediate()
    expect(heard).not.toHaveBeenCalled()
    expect(rig.requests.asksOf('one')).toEqual([id])
    rig.table.failure = undefined
    rig.answer(id, { choice: 'deny', word: 'not now', where: 'live' }, 'ada')
    expect(rig.acts.list({ limit: 9 })).toEqual([
      {
        id: 1,
        at: rig.now,
        session: 'one',
        what: 'answer',
        who: 'ada',
        where: 'live',
        words: 'denied Bash: not now',
      },
    ])
  })

  it('[AN8] that does not fit is refused, and nothing is noted or answered', async () => {
    const { rig, id } = await asked()
    const wrong = { ...ALLOW, suggestion: 7 }
    expect(() => rig.answer(id, wrong, 'ada')).toThrow(
      expect.objectContaining({ status: 400, field: 'suggestion' }),
    )
    expect(rig.requests.asksOf('one')).toEqual([id])
    expect(rig.table.rows).toEqual([])
  })

  it('[AN6] names one request: the same dialog anew is another', async () => {
    const { rig, id, told, call } = await asked()
    const { tool_use_id: _, ...again } = call
    const name = rig.hook('one', 'PermissionRequest', again, { asks: 1 })
    expect(await told).toEqual({ act: 'nothing' })
    await rig.waits(name)
    expect(() => rig.answer(id, ALLOW, 'ada')).toThrow('it is over')
    const [now] = rig.requests.asksOf('one')
    expect([id, now]).toEqual([`hook.3@${rig.now - 1}`, `hook.4@${rig.now}`])
  })

  it('[AN21] who and what are noted at a bearable length', async () => {
    const { rig, id } = await asked()
    rig.answer(id, { choice: 'deny', word: 'x'.repeat(4_000), where: 'cli' }, 'y'.repeat(999))
    const [act] = rig.acts.list({ session: 'one', limit: 1 })
    expect([act?.words.length, act?.who.length]).toEqual([2_000, 200])
    expect(rig.acts.list({ session: 'two', limit: 1 })).toEqual([])
  })
})

describe('a request is over', () => {
  const signs: Readonly<Record<string, (rig: RequestRig, call: object) => void>> = {
    'its tool has ended': (rig, call) => void rig.hook('one', 'PostToolUse', call),
    'its turn has ended': (rig) => void rig.hook('one', 'Stop'),
    'its session was closed': (rig) => void rig.hook('one', 'SessionEnd', { reason: 'other' }),
    'its user typed a prompt': (rig) => void rig.hook('one', 'UserPromptSubmit', { prompt: 'x' }),
    'the client waits no more': (rig) => {
      const said = (status: string) => {
        rig.now += 200
        const pid = pidOf('one')
        const file = { pid, sessionId: 'one', status, statusUpdatedAt: rig.now }
        rig.learn({ t: rig.now, source: 'registry', pid, file })
      }
      said('waiting')
      said('busy')
    },
  }

  it.each(Object.entries(signs))('[AN15] when %s', async (_, happens) => {
    const { rig, id, told, call } = await asked()
    happens(rig, call)
    expect(await told).toEqual({ act: 'nothing' })
    expect(rig.requests.find(id)).toBeUndefined()
    expect(rig.told.at(-1)).toEqual({ session: 'one', asks: [] })
    expect(() => rig.answer(id, ALLOW, 'ada')).toThrow(/^it is over/)
  })

  it('[AN15] not when it follows another that was answered a moment ago', async () => {
    const { rig, id, call } = await asked()
    const said = (status: string, t: number) => {
      const pid = pidOf('one')
      const file = { pid, sessionId: 'one', status, statusUpdatedAt: t }
      rig.learn({ t, source: 'registry', pid, file })
    }
    said('waiting', rig.now + 5)
    rig.answer(id, ALLOW, 'ada')
    rig.now += 100
    said('busy', rig.now)
    rig.hook('one', 'PostToolUse', call)
    const next = { tool_name: 'Edit', tool_input: { file_path: '/f' } }
    const name = rig.hook('one', 'PermissionRequest', next, { asks: 1 })
    said('waiting', rig.now + 20)
    await rig.waits(name)
    expect(rig.requests.asksOf('one')).toHaveLength(1)
  })

  it('[AN15] not by another session’s or another tool’s steps', async () => {
    const { rig, id, call } = await asked()
    rig.hook('two', 'Stop')
    rig.hook('one', 'PostToolUse', { ...call, tool_use_id: 'other', tool_name: 'Read' })
    expect(rig.requests.asksOf('one')).toEqual([id])
  })
})

describe('a hook waits', () => {
  it('[AN13] only while somebody could answer', async () => {
    vi.useFakeTimers()
    const rig = new RequestRig()
    const alone = rig.asks()
    expect(await rig.requests.wait(spooledAs(alone.name), new AbortController().signal)).toEqual({
      act: 'nothing',
    })
    const leave = rig.able.enter()
    const { name } = rig.asks()
    const { told } = await rig.waits(name)
    const heard = vi.fn()
    void told.then(heard)
    leave()
    rig.now += 59_000
    await vi.advanceTimersByTimeAsync(59_000)
    expect(heard).not.toHaveBeenCalled()
    rig.now += 2_000
    await vi.advanceTimersByTimeAsync(2_000)
    expect(heard).toHaveBeenCalledWith({ act: 'nothing' })
  })

  it('[AN13] no more when answering is switched off', async () => {
    const { rig, id, told } = await asked()
    rig.able.use({ on: false, always: true })
    expect(await told).toEqual({ act: 'nothing' })
    expect(rig.requests.find(id)?.why).toBe('answering is off (vigil answers on)')
    expect(rig.requests.asksOf('one')).toEqual([])
  })

  it('[AN10] whichever comes first, its question or its report', async () => {
    const rig = new RequestRig()
    rig.able.enter()
    const early = await rig.waits('hook.3')
    const { name, id } = rig.asks()
    expect(name).toBe('hook.3')
    await setImmediate()
    expect(rig.requests.asksOf('one')).toEqual([id])
    rig.answer(id, ALLOW, 'ada')
    expect(await early.told).toMatchObject({ act: 'decide' })
  })

  it('[AN11] never for a subagent', async () => {
    const rig = new RequestRig()
    rig.able.enter()
    const { name, id } = rig.asks('one', 'Bash', { command: 'x' }, { agent_id: 'a1' })
    const { told } = await rig.waits(name)
    expect(await told).toEqual({ act: 'nothing' })
    expect(rig.requests.find(id)).toMatchObject({
      actor: 'a1',
      answerable: false,
      why: 'a subagent asks; answer in its terminal',
    })
  })

  it('[AN18] that went away leaves a request that is shown and says why', async () => {
    const { rig, id, left, name } = await asked()
    left()
    await setImmediate()
    expect(rig.requests.find(id)).toMatchObject({
      answerable: false,
      why: 'its hook no longer waits; answer in its terminal',
    })
    expect(rig.told.at(-1)).toEqual({ session: 'one', asks: [] })
    expect(() => rig.answer(id, ALLOW, 'ada')).toThrow(expect.objectContaining({ status: 409 }))
    await rig.waits(name)
    expect(rig.requests.asksOf('one')).toEqual([id])
  })

  it('[AN18] or never came', () => {
    const rig = new RequestRig()
    const { id } = rig.asks()
    expect(rig.requests.find(id)?.why).toMatch(/^its hook has not come yet/)
    const call = { tool_name: 'Edit', tool_input: { file_path: '/f' } }
    rig.hook('two', 'PermissionRequest', call)
    const [other] = rig.requests.list({ session: 'two' })
    expect(other).toMatchObject({ tool: 'Edit', answerable: false })
    expect(other?.why).toMatch(/^nobody could answer from here when it asked/)
  })

  it('[AN17] again at the next daemon, which knows what was open', async () => {
    const table = new MemoryActs()
    const { rig, name, id, told } = await asked(new RequestRig({ table }))
    rig.requests.hangUp()
    expect(await told).toEqual({ act: 'again' })
    expect(await rig.requests.wait(spooledAs(name), new AbortController().signal)).toEqual({
      act: 'again',
    })
    table.kept.set(
      'broken',
      JSON.stringify({ id: 'broken', session: 'one', at: 1, body: { key: 1 } }),
    )
    const old = (table.kept.get(id) ?? '').replaceAll(String(rig.now), '7')
    table.kept.set(JSON.parse(old).id, old)
    const next = new RequestRig({ table })
    next.now = rig.now
    // As the daemon learns what is in the log before anything else.
    next.learnFrom(rig)
    next.requests.start()
    expect([...table.kept.keys()]).toEqual([id])
    const hook = await next.waits(name)
    expect(next.requests.asksOf('one')).toEqual([id])
    next.answer(id, ALLOW, 'ada')
    expect(await hook.told).toMatchObject({ output: allowed })
    expect(table.kept.size).toBe(0)
  })
})
