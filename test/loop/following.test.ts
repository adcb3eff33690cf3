import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { BY_USER, LoopRig } from '../support/loops.ts'

let rig: LoopRig

beforeEach(async () => {
  vi.useFakeTimers()
  rig = new LoopRig()
  rig.prompt('one')
  // In tmux, as far as is known.
  rig.hook('one', 'PreToolUse', {}, { tmux: '/tmp/t,1,0', tmuxPane: '%1' })
  await rig.start('one', { max: 5 })
  await rig.stop('one', 'began')
})

afterEach(() => {
  vi.useRealTimers()
})

const hold = () => rig.loops.find('one')?.hold

/** Time passes, for the clock and for the timers. */
async function pass(ms: number): Promise<void> {
  rig.now += ms
  await vi.advanceTimersByTimeAsync(ms)
}

function interrupted(session: string): void {
  const content = [{ type: 'text', text: '[Request interrupted by user]' }]
  const entry = { type: 'user', message: { role: 'user', content }, sessionId: session }
  rig.onReport({ source: 'transcript', path: `/c/projects/-p/${session}.jsonl`, entry })
}

describe('a loop whose session', () => {
  it('[LP78] is interrupted is paused at once, and its Stops are let through', async () => {
    interrupted('one')
    expect(rig.state('one')).toBe('idle')
    expect(hold()).toMatchObject({ kind: 'paused', why: 'interrupted by you' })
    rig.prompt('one')
    expect((await rig.stop('one')).act).toBe('allow')
    const { delivery } = await rig.loops.resume('one', BY_USER)
    expect(delivery.how).toBe('typed')
    rig.prompt('one')
    expect((await rig.stop('one')).act).toBe('block')
  })

  it('[LP78] is left is paused; one that was killed is not', async () => {
    rig.hook('one', 'SessionEnd', { reason: 'prompt_input_exit' })
    expect(hold()).toMatchObject({ kind: 'paused', why: 'the session was closed' })
    const other = new LoopRig()
    other.prompt('two')
    await other.start('two')
    other.onReport({ source: 'process', pid: other.pidOf('two'), alive: false })
    expect(other.state('two')).toBe('closed')
    expect(other.loops.find('two')?.hold).toBeNull()
  })

  it('[LP79] meets an error is parked, and taken up after a wait that grows', async () => {
    const waits: number[] = []
    for (let n = 0; n < 3; n++) {
      rig.hook('one', 'StopFailure', { error: 'rate_limit' })
      expect(hold()).toMatchObject({ kind: 'parked', why: expect.stringContaining('rate_limit') })
      const waitMs = (hold()?.until ?? 0) - rig.now
      waits.push(waitMs)
      await pass(waitMs - 100)
      expect(rig.typed).toHaveLength(n)
      await pass(200)
      expect(rig.typed).toHaveLength(n + 1)
      expect(hold()).toBeNull()
      rig.prompt('one')
    }
    expect(waits).toEqual(waits.toSorted((a, b) => a - b))
    expect(new Set(waits).size).toBe(3)
    expect(rig.loops.find('one')?.iteration).toBe(1)
  })

  it.each([
    [true, 'parked'],
    [false, 'human'],
  ])('[CX53] has no pane: an error parks it where a server holds it (%s)', async (served, kind) => {
    const other = new LoopRig({ isServed: () => served })
    other.prompt('two')
    await other.start('two')
    other.hook('two', 'StopFailure', { error: 'rate_limit' })
    expect(other.loops.find('two')?.hold).toMatchObject({ kind })
  })

  it('[LP79] [LP4] was parked the evening before is not woken by a Stop', async () => {
    rig.hook('one', 'StopFailure', { error: 'rate_limit' })
    rig.now += 8 * 3_600_000
    rig.prompt('one')
    expect((await rig.stop('one')).act).toBe('allow')
    expect(rig.loops.list({ all: true })[0]).toMatchObject({ state: 'STUCK', open: false })
  })

  it('[LP16] [LP79] is parked with all others goes on when the breaker closes', async () => {
    for (let n = 0; n < 5; n++) {
      rig.prompt(`other${n}`)
      await rig.start(`other${n}`)
      rig.hook(`other${n}`, 'StopFailure', { error: 'overloaded' })
    }
    rig.prompt('one')
    expect((await rig.stop('one')).act).toBe('allow')
    rig.following.onSessionsChanged(['one'])
    expect(hold()).toMatchObject({ kind: 'parked', why: expect.stringContaining('all loops') })
    await pass((hold()?.until ?? 0) - rig.now + 100)
    expect(rig.typed.map(({ session }) => session)).toContain('one')
    expect(hold()).toBeNull()
  })

  it('[LP75] whose log cannot be written is left as it was', async () => {
    rig.storage.failure = new Error('disk full')
    rig.noPane = 'the session is not in tmux'
    idle('one')
    await pass(2_100)
    rig.storage.failure = undefined
    expect(rig.loops.find('one')).toMatchObject({ iteration: 1, hold: null })
  })

  it('[LP79] meets errors without end asks for a human', async () => {
    for (let n = 0; n < 20 && hold()?.kind !== 'human'; n++) {
      rig.hook('one', 'StopFailure', { error: 'overloaded' })
      const until = hold()?.until
      if (until) await pass(until - rig.now + 100)
      if (until) rig.prompt('one')
    }
    expect(hold()).toMatchObject({ kind: 'human', why: expect.stringContaining('overloaded') })
    rig.prompt('one')
    expect((await rig.stop('one')).act).toBe('block')
    expect(hold()).toBeNull()
  })

  it('[LP79] meets an error outside tmux asks for a human at once', async () => {
    rig.prompt('bare')
    await rig.start('bare')
    rig.hook('bare', 'StopFailure', { error: 'rate_limit' })
    expect(rig.loops.find('bare')?.hold).toMatchObject({ kind: 'human' })
  })

  it('[LP80] did not hear gets it through its pane, once, with nothing counted', async () => {
    // The block was overridden by the client: it stands idle, and no Stop came.
    idle('one')
    await pass(1_900)
    expect(rig.typed).toEqual([])
    await pass(200)
    expect(rig.typed).toEqual([
      { session: 'one', text: expect.stringContaining('[ITERATION 1/5]') },
    ])
    expect(rig.loops.find('one')?.iteration).toBe(1)
  })

  it('[LP80] stopped while no daemon listened is decided then', async () => {
    rig.now += 1_000
    rig.hook('one', 'Stop', { last_assistant_message: 'more to do' })
    await pass(2_100)
    expect(rig.typed).toEqual([
      { session: 'one', text: expect.stringContaining('[ITERATION 2/5]') },
    ])
    rig.prompt('one')
    rig.now += 1_000
    rig.hook('one', 'Stop', { last_assistant_message: '<loop-done>COMPLETE</loop-done>' })
    await pass(2_100)
    expect(rig.typed).toHaveLength(1)
    expect(rig.loops.list({ all: false })).toEqual([])
  })

  it('[LP80] [LP87] has done an inner loop hears of the outer one, and calls no user', async () => {
    await rig.start('one', { max: 2, prompt: 'First the tests.' })
    await rig.stop('one')
    const edit = { tool_name: 'Edit', tool_input: {}, tool_use_id: 't' }
    rig.hook('one', 'PreToolUse', edit)
    rig.hook('one', 'PostToolUse', edit)
    expect((await rig.stop('one', '<loop-done>COMPLETE</loop-done>')).act).toBe('allow')
    expect(rig.session('one')).toMatchObject({ state: 'idle', after: 'work', unread: false })
    await pass(2_100)
    expect(rig.typed.at(-1)?.text).toContain('[ITERATION 2/5]')
  })

  it('[LP80] [LP86] has done an inner loop and cannot be reached calls its user', async () => {
    await rig.start('one', { max: 2, prompt: 'First the tests.' })
    await rig.stop('one')
    expect((await rig.stop('one', '<loop-done>COMPLETE</loop-done>')).act).toBe('allow')
    rig.noPane = 'its input line is not empty'
    await pass(2_100)
    expect(hold()).toMatchObject({
      kind: 'human',
      why: expect.stringContaining('its input line is not empty'),
    })
    expect(rig.session('one')?.unread).toBe(true)
    rig.prompt('one')
    const next = await rig.stop('one', 'on')
    expect(next).toMatchObject({ reason: expect.stringContaining('[ITERATION 2/5]') })
  })

  it('[LP80] has a check to pass is asked to go on, and checked at its next Stop', async () => {
    const other = new LoopRig()
    rig = other
    rig.prompt('one')
    await rig.start('one', { until: 'npm test' })
    const name = rig.hook('one', 'Stop', { last_assistant_message: 'a' }, { asks: 1 })
    expect(await rig.ask(name)).toMatchObject({ act: 'chore', chore: { command: 'npm test' } })
    const failed = { check: { exitCode: 1, output: 'no' } }
    expect((await rig.ask(name, failed)).act).toBe('block')
    for (const typed of [1, 1]) {
      rig.prompt('one')
      rig.now += 1_000
      rig.hook('one', 'Stop', { last_assistant_message: 'b' })
      await pass(2_100)
      expect(rig.typed).toHaveLength(typed)
    }
    expect(hold()).toMatchObject({ kind: 'human', why: expect.stringContaining('does not answer') })
  })

  it('[LP1] ends a turn with loops switched off is let through that once', async () => {
    rig.now += 1_000
    rig.hook('one', 'Stop', { last_assistant_message: 'more to do' }, { loopOff: 1 })
    await pass(10_000)
    expect(rig.typed).toEqual([])
    expect(hold()).toBeNull()
    rig.prompt('one')
    const next = await rig.stop('one')
    expect(next).toMatchObject({ reason: expect.stringContaining('[ITERATION 2/5]') })
  })

  it('[LP80] cannot be reached says that it needs a human', async () => {
    rig.noPane = 'the session is not in tmux'
    idle('one')
    await pass(2_100)
    expect(hold()).toMatchObject({ kind: 'human', why: expect.stringContaining('tmux') })
  })

  it('[LP80] goes on within two seconds is left alone', async () => {
    idle('one')
    await pass(1_000)
    rig.prompt('one')
    await pass(5_000)
    expect(rig.typed).toEqual([])
  })
})

/** The client says of itself that it is idle. */
function idle(session: string): void {
  rig.now += 500
  const file = { sessionId: session, pid: rig.pidOf(session), status: 'idle', cwd: '/p' }
  rig.onReport({ source: 'registry', pid: rig.pidOf(session), file })
  const entry = { type: 'system', subtype: 'turn_duration', durationMs: 9, sessionId: session }
  rig.onReport({ source: 'transcript', path: `/c/projects/-p/${session}.jsonl`, entry })
}
