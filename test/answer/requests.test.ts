import { afterEach, describe, expect, it, vi } from 'vitest'
import { MemoryActs, pidOf, RequestRig } from '../support/requests.ts'
import { spooledAs } from '../support/spooled.ts'

const ALLOW = { choice: 'allow', where: 'page' } as const
const allowed = { hookSpecificOutput: { decision: { behavior: 'allow' } } }

afterEach(() => void vi.useRealTimers())

/** A hook waits. */
function asked(rig = new RequestRig()) {
  const { name, id, call } = rig.asks()
  const { told, left } = rig.waits(name)
  return { rig, name, id, call, told, left }
}

describe('an answer', () => {
  it('[AN14] goes to the waiting hook; the second gets the error that it is over', async () => {
    const { rig, id, told } = asked()
    expect(rig.requests.asksOf('one')).toEqual([id])
    rig.answer(id, ALLOW, 'ada')
    expect(await told).toMatchObject({ act: 'decide', output: allowed })
    rig.now += 3_000
    expect(() => rig.answer(id, ALLOW, 'bob')).toThrow(
      expect.objectContaining({
        status: 409,
        message: 'the request is over: answered on the page 3 s ago',
      }),
    )
    expect(rig.requests.list()).toEqual([])
    expect(rig.told.at(-1)).toEqual({ session: 'one', asks: [] })
  })

  it('[AN20] is in the log before it reaches the agent, or not given at all', async () => {
    const { rig, id, name, told } = asked()
    rig.table.failure = new Error('disk full')
    expect(() => rig.answer(id, ALLOW, 'ada')).toThrow('disk full')
    expect(rig.outcome(name)).toEqual({ act: 'again' })
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
    expect(await told).toMatchObject({ act: 'decide' })
  })

  it('[AN8] that does not fit is refused, and nothing is noted or answered', async () => {
    const { rig, id } = asked()
    const wrong = { ...ALLOW, suggestion: 7 }
    expect(() => rig.answer(id, wrong, 'ada')).toThrow(
      expect.objectContaining({ status: 400, field: 'suggestion' }),
    )
    expect(rig.requests.asksOf('one')).toEqual([id])
    expect(rig.table.rows).toEqual([])
  })

  it('[AN6] names one request: the same dialog anew is another', async () => {
    const { rig, id, told, call } = asked()
    const { tool_use_id: _, ...again } = call
    const name = rig.hook('one', 'PermissionRequest', again, { asks: 1 })
    expect(await told).toEqual({ act: 'nothing' })
    rig.waits(name)
    expect(() => rig.answer(id, ALLOW, 'ada')).toThrow('the request is over')
    const [now] = rig.requests.asksOf('one')
    expect([id, now]).toEqual([`hook.3@${rig.now - 1}`, `hook.4@${rig.now}`])
  })

  it('[AN21] the log limits the length of the user’s name and of the words', async () => {
    const { rig, id } = asked()
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
    'the session was closed': (rig) => void rig.hook('one', 'SessionEnd', { reason: 'other' }),
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
    const { rig, id, told, call } = asked()
    happens(rig, call)
    expect(await told).toEqual({ act: 'nothing' })
    expect(rig.requests.find(id)).toBeUndefined()
    expect(rig.told.at(-1)).toEqual({ session: 'one', asks: [] })
    expect(() => rig.answer(id, ALLOW, 'ada')).toThrow(/^the request is over/)
  })

  it('[AN15] not when it follows another that was answered a moment ago', async () => {
    const { rig, id, call } = asked()
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
    rig.waits(name)
    expect(rig.requests.asksOf('one')).toHaveLength(1)
  })

  it('[AN15] not by another session’s or another tool’s steps', async () => {
    const { rig, id, call } = asked()
    rig.hook('two', 'Stop')
    rig.hook('one', 'PostToolUse', { ...call, tool_use_id: 'other', tool_name: 'Read' })
    expect(rig.requests.asksOf('one')).toEqual([id])
  })
})

describe('a hook waits', () => {
  it('[AN10] for as long as its dialog is open, whether or not a view is open', async () => {
    const { rig, id, told } = asked()
    rig.now += 12 * 3_600_000
    expect(rig.requests.asksOf('one')).toEqual([id])
    rig.answer(id, ALLOW, 'ada')
    expect(await told).toMatchObject({ act: 'decide', output: allowed })
  })

  it('[AN13] no more when answering is switched off', async () => {
    const { rig, id, told } = asked()
    rig.allowed.use({ on: false })
    expect(await told).toEqual({ act: 'nothing' })
    expect(rig.requests.find(id)?.why).toBe('answering is off; turn it on with `vigil answers on`')
    expect(rig.requests.asksOf('one')).toEqual([])
    expect(rig.hooks.isOpen).toBe(false)
    const late = rig.asks('two')
    expect(rig.hooks.waits(late.name)).toBe(false)
    rig.allowed.use({ on: true })
    expect(rig.hooks.isOpen).toBe(true)
  })

  it('[AN11] never for a subagent', () => {
    const rig = new RequestRig()
    const { name, id } = rig.asks('one', 'Bash', { command: 'x' }, { agent_id: 'a1' })
    expect(rig.hooks.waits(name)).toBe(false)
    expect(rig.requests.find(id)).toMatchObject({
      actor: 'a1',
      answerable: false,
      why: 'a subagent’s hook cannot wait for an answer; answer it in its terminal',
    })
  })

  it('[AN18] that went away leaves a request that is shown and says why', () => {
    const { rig, id, left } = asked()
    left()
    expect(rig.requests.find(id)).toMatchObject({
      answerable: false,
      why: 'can no longer be answered here; answer it in its terminal',
    })
    expect(() => rig.answer(id, ALLOW, 'ada')).toThrow(expect.objectContaining({ status: 409 }))
    expect(rig.table.rows).toEqual([])
  })

  it('[AN18] or never came', () => {
    const rig = new RequestRig()
    const call = { tool_name: 'Edit', tool_input: { file_path: '/f' } }
    rig.hook('two', 'PermissionRequest', call)
    const [other] = rig.requests.list({ session: 'two' })
    expect(other).toMatchObject({ tool: 'Edit', answerable: false })
    expect(other?.why).toBe('its hook does not wait for answers; answer it in its terminal')
  })

  it('[BR2] for the answer to its own report, and wakes for no other', async () => {
    const { rig, id, name, told } = asked()
    const other = rig.asks('two')
    rig.answer(id, ALLOW, 'ada')
    expect(rig.outcome(other.name)).toEqual({ act: 'again' })
    expect(await told).toMatchObject({ act: 'decide', digest: spooledAs(name).digest })
    expect(rig.outcome(name)).toEqual({ act: 'nothing' })
  })

  it('[AN17] and has its answer once; one that it did not ask for is open as before', () => {
    vi.useFakeTimers()
    const rig = new RequestRig()
    const { id, name } = rig.asks()
    rig.answer(id, ALLOW, 'ada')
    expect(rig.requests.list()).toEqual([])
    expect([...rig.table.stored.keys()]).toEqual([id])
    vi.advanceTimersByTime(20_000)
    expect(rig.requests.asksOf('one')).toEqual([id])
    expect(rig.outcome(name)).toEqual({ act: 'again' })
    rig.answer(id, ALLOW, 'ada')
    rig.hook('one', 'Stop')
    vi.advanceTimersByTime(20_000)
    expect(rig.requests.list()).toEqual([])
    expect([rig.table.stored.size, rig.hooks.waits(name)]).toEqual([0, false])
  })

  it('[AN17] on for the next daemon, which knows what was open', async () => {
    const table = new MemoryActs()
    const { rig, name, id } = asked(new RequestRig({ table }))
    table.stored.set(
      'broken',
      JSON.stringify({ id: 'broken', session: 'one', at: 1, body: { key: 1 } }),
    )
    const old = (table.stored.get(id) ?? '').replaceAll(String(rig.now), '7')
    table.stored.set(JSON.parse(old).id, old)
    const next = new RequestRig({ table })
    next.now = rig.now
    // As the daemon learns what is in the log before anything else.
    next.learnFrom(rig)
    const hook = next.waits(name)
    const stray = next.waits('hook.99')
    next.requests.start()
    expect([...table.stored.keys()]).toEqual([id])
    expect(await stray.told).toEqual({ act: 'nothing' })
    expect(next.requests.asksOf('one')).toEqual([id])
    next.answer(id, ALLOW, 'ada')
    expect(await hook.told).toMatchObject({ output: allowed })
    expect(table.stored.size).toBe(0)
  })
})
