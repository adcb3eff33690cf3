import { describe, expect, it, vi } from 'vitest'
import type { Report } from '../../src/core/signal.ts'
import type { Cursor } from '../../src/sources/arrival.ts'
import { LoopRig, MemoryLoops } from '../support/loops.ts'
import { spooledAs } from '../support/spooled.ts'

const GOES_ON = (n: number, max: number) =>
  `[ITERATION ${n}/${max}] Continue working on the task. Check your progress and either ` +
  'complete the task or keep iterating.'

const DONE = 'All green.\n\n<loop-done>COMPLETE</loop-done>'

async function inLoop(wanted: object = {}, session = 'one') {
  const rig = new LoopRig()
  rig.prompt(session)
  await rig.start(session, wanted)
  return rig
}

describe('an agent that wants to stop', () => {
  it('[LP82] hears of its loop at its next Stop, and of its task once', async () => {
    const rig = await inLoop()
    const first = await rig.stop('one', 'Began.')
    expect(first.act).toBe('block')
    const reason = first.act === 'block' ? first.reason : ''
    expect(reason.startsWith(GOES_ON(1, 10))).toBe(true)
    expect(reason).toContain('Make it work.')
    expect(reason).toContain('<loop-done>COMPLETE</loop-done>')
    expect(await rig.stop('one', 'More.')).toEqual({ act: 'block', reason: GOES_ON(2, 10) })
  })

  it('[LP82] that stands idle gets it at once', async () => {
    const rig = new LoopRig()
    rig.prompt('one')
    rig.hook('one', 'Stop')
    const { delivery } = await rig.start('one')
    expect(delivery.how).toBe('typed')
    expect(rig.typed[0]?.text).toContain('Make it work.')
    rig.noPane = 'the session is not in tmux'
    rig.prompt('two')
    rig.hook('two', 'Stop')
    const other = await rig.start('two')
    expect(other.delivery).toEqual({ how: 'by-user', why: 'the session is not in tmux' })
  })

  it('[LP73] is answered whichever comes first, its report or its question', async () => {
    const rig = await inLoop()
    const early = rig.ask('hook.2')
    await Promise.resolve()
    expect(rig.hook('one', 'Stop', { last_assistant_message: 'x' }, { asks: 1 })).toBe('hook.2')
    expect((await early).act).toBe('block')
    const again = await rig.ask('hook.2')
    expect(again.act).toBe('allow')
    expect(rig.loops.find('one')?.iteration).toBe(1)
  })

  it('[LP73] has ended its turn when no hook asks in time', async () => {
    vi.useFakeTimers()
    try {
      const rig = await inLoop()
      rig.hook('one', 'Stop', { last_assistant_message: 'x' }, { asks: 1 })
      expect(rig.state('one')).toBe('working')
      vi.advanceTimersByTime(9_900)
      expect(rig.state('one')).toBe('working')
      vi.advanceTimersByTime(200)
      expect(rig.state('one')).toBe('idle')
    } finally {
      vi.useRealTimers()
    }
  })

  it('[T13] is at work while it waits and after it was kept, idle once it was let', async () => {
    const rig = await inLoop({ max: 2 })
    const name = rig.hook('one', 'Stop', { last_assistant_message: 'x' }, { asks: 1 })
    expect(rig.state('one')).toBe('working')
    rig.now += 5
    await rig.ask(name)
    expect(rig.state('one')).toBe('working')
    await rig.stop('one', 'y')
    expect(rig.state('one')).toBe('working')
    expect(rig.tracker.verdict('one')?.unread).toBe(false)
    await rig.stop('one', 'z')
    expect(rig.state('one')).toBe('idle')
  })

  it('[LP74] is stuck on the same failing command, unless it was mended', async () => {
    const rig = await inLoop({ patience: 2 })
    const test = { tool_name: 'Bash', tool_input: { command: 'npm test' }, tool_use_id: 't' }
    rig.hook('one', 'PostToolUseFailure', test)
    rig.hook('one', 'PostToolUse', test)
    expect((await rig.stop('one', 'a')).act).toBe('block')
    rig.hook('one', 'PostToolUseFailure', test)
    expect((await rig.stop('one', 'b')).act).toBe('block')
    rig.hook('one', 'PostToolUseFailure', test)
    expect((await rig.stop('one', 'c')).act).toBe('allow')
    expect(rig.loops.find(rig.loops.list({ all: true })[0]?.id ?? '')).toMatchObject({
      state: 'STUCK',
      because: expect.stringContaining('npm test'),
    })
  })
})

describe('whatever goes wrong', () => {
  it('[LP75] the agent stops when the log cannot be written, and nothing is counted', async () => {
    const rig = await inLoop()
    await rig.stop('one')
    rig.storage.failure = new Error('disk full')
    expect((await rig.stop('one')).act).toBe('allow')
    expect(rig.state('one')).toBe('idle')
    rig.storage.failure = undefined
    expect(rig.loops.find('one')?.iteration).toBe(1)
  })

  it('[LP75] a loop that cannot be read is none', async () => {
    const storage = new MemoryLoops()
    for (const body of [null, 7, {}, { run: 'x' }, { run: { stack: 3 } }]) {
      storage.rows.set(
        'l',
        JSON.stringify({ id: 'l', session: 'one', open: true, updatedAt: 1, body }),
      )
      const rig = new LoopRig({ storage })
      rig.prompt('one')
      expect((await rig.stop('one')).act).toBe('allow')
      expect(storage.open()).toEqual([])
    }
  })

  it('[LP75] a daemon with loops off keeps no agent going', async () => {
    const rig = new LoopRig({ disabled: true })
    rig.prompt('one')
    await rig.start('one')
    expect((await rig.stop('one')).act).toBe('allow')
  })

  it('[LP73] nothing is decided for a hook that cannot be waiting any more', async () => {
    const rig = await inLoop()
    const name = rig.hook('one', 'Stop', { last_assistant_message: 'x' }, { asks: 1 })
    rig.now += 8_100
    expect((await rig.ask(name)).act).toBe('allow')
    expect(rig.loops.find('one')?.iteration).toBe(0)
  })

  it('[LP88] what counts is when a hook began to wait, not how old its report is', async () => {
    const rig = await inLoop()
    const name = rig.hook('one', 'Stop', { last_assistant_message: 'x' }, { asks: 1 })
    const question = { report: name, digest: spooledAs(name).digest, askedAt: rig.now + 9_000 }
    rig.now += 9_500
    const { signal } = new AbortController()
    expect((await rig.loops.answer(question, signal)).act).toBe('print')
  })

  it('[LP85][BR3] a command that waits for a Stop is let in, unless it was posted', async () => {
    const rig = await inLoop()
    const typed = (content: string, cursor?: Cursor) => {
      const entry = { type: 'queue-operation', operation: 'enqueue', content, sessionId: 'one' }
      const report: Report = { t: rig.now, source: 'transcript', entry }
      rig.controller.onReport(cursor ? { report, cursor } : { report })
    }
    const read: Cursor = { path: '/one.jsonl', inode: '1', offset: 9 }
    typed('and mind the docs', read)
    expect((await rig.stop('one')).act).toBe('block')
    // SPEC BR3. Posted: no log of the agent's has it.
    typed('/compact')
    expect((await rig.stop('one')).act).toBe('block')
    typed('/compact', read)
    expect((await rig.stop('one')).act).toBe('allow')
    rig.prompt('one')
    expect((await rig.stop('one')).act).toBe('block')
    expect(rig.loops.find('one')?.iteration).toBe(3)
  })

  it('nothing is decided for a hook that has gone', async () => {
    const rig = await inLoop()
    const name = rig.hook('one', 'Stop', { last_assistant_message: 'x' }, { asks: 1 })
    const question = { report: name, digest: spooledAs(name).digest }
    expect(await rig.loops.answer(question, AbortSignal.abort())).toEqual({ act: 'allow' })
    expect(rig.loops.find('one')?.iteration).toBe(0)
  })
})

describe('many loops', () => {
  it('[LP83] a hundred Stops of ten sessions at once are each decided once', async () => {
    const rig = new LoopRig()
    const ids = Array.from({ length: 10 }, (_, index) => `s${index}`)
    for (const id of ids) {
      rig.prompt(id)
      await rig.start(id, { max: 50 })
    }
    const names = Array.from({ length: 100 }, (_, n) => {
      const message = { last_assistant_message: `turn ${n}` }
      return rig.hook(ids[n % 10] ?? '', 'Stop', message, { asks: 1 })
    })
    const stops = names.toReversed().map((name) => rig.ask(name))
    const answers = await Promise.all(stops)
    expect(answers.every(({ act }) => act === 'block')).toBe(true)
    expect(ids.map((id) => rig.loops.find(id)?.iteration)).toEqual(ids.map(() => 10))
    const counts = ids.map((id) => rig.loops.history(id).filter(({ kind }) => kind === 'iteration'))
    expect(counts.map((steps) => steps.map(({ iteration }) => iteration))).toEqual(
      ids.map(() => [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
    )
  })

  it('[LP76] two sessions in one folder do not take each other’s turn', async () => {
    const rig = await inLoop()
    rig.prompt('two')
    expect((await rig.stop('two', DONE)).act).toBe('allow')
    expect(rig.loops.find('one')?.iteration).toBe(0)
    expect((await rig.stop('one')).act).toBe('block')
  })

  it('[LP76] /clear takes the loop along, a fork does not', async () => {
    const rig = await inLoop()
    await rig.stop('one')
    rig.hook('one', 'SessionEnd', { reason: 'clear' })
    rig.pidOf('next', 'one')
    rig.hook('next', 'SessionStart', { source: 'clear' })
    rig.prompt('next')
    expect((await rig.stop('next')).act).toBe('block')
    expect(rig.loops.find('next')).toMatchObject({ iteration: 2, session: 'next' })
    expect(rig.armed.at(-1)).toEqual(['next'])
    rig.tracker.sessions.lineages.link('fork', 'next')
    rig.prompt('fork')
    expect((await rig.stop('fork', DONE)).act).toBe('allow')
    expect(rig.loops.find('next')?.iteration).toBe(2)
  })

  it('[LP81] a second loop in a session nests, and the first goes on after it', async () => {
    const rig = await inLoop({ max: 5 })
    await rig.stop('one')
    await rig.start('one', { max: 3, prompt: 'First the tests.' })
    expect(rig.loops.find('one')?.frames.map(({ max }) => max)).toEqual([5, 3])
    const inner = await rig.stop('one')
    expect(inner).toMatchObject({ reason: expect.stringContaining('First the tests.') })
    expect((await rig.stop('one', DONE)).act).toBe('allow')
    expect(await rig.stop('one', 'on')).toMatchObject({
      reason: expect.stringContaining(GOES_ON(2, 5)),
    })
  })
})

describe('what is kept', () => {
  it('[LP70] a keeper that begins anew goes on where the last one was', async () => {
    const rig = await inLoop({ max: 3 })
    await rig.stop('one')
    const again = new LoopRig({ storage: rig.storage })
    again.now = rig.now
    again.prompt('one')
    expect(await again.stop('one')).toEqual({ act: 'block', reason: GOES_ON(2, 3) })
    expect(again.loops.history('one').map(({ kind }) => kind)).toEqual([
      ...['started', 'iteration', 'iteration'],
    ])
  })

  it('[LP77] an anchor is given back after the compaction, once', async () => {
    const rig = await inLoop()
    await rig.stop('one', 'The parser is done.')
    rig.hook('one', 'PreCompact', { trigger: 'auto' })
    const name = rig.hook('one', 'SessionStart', { source: 'compact' }, { asks: 1 })
    const said = await rig.ask(name)
    expect(said).toMatchObject({ act: 'say', text: expect.stringContaining('Make it work.') })
    expect(said).toMatchObject({ text: expect.stringContaining('The parser is done.') })
    expect(await rig.stop('one', 'on')).toEqual({ act: 'block', reason: GOES_ON(2, 10) })
  })

  it('[LP77] else with the next iteration', async () => {
    const rig = await inLoop()
    await rig.stop('one', 'The parser is done.')
    rig.hook('one', 'PreCompact', { trigger: 'auto' })
    expect(await rig.stop('one', 'on')).toMatchObject({
      reason: expect.stringContaining('The parser is done.'),
    })
  })

  it('[LP84] a session shows its loop, and how it got stuck until it goes on without', async () => {
    const rig = await inLoop({ max: 1 })
    await rig.stop('one')
    expect(rig.session('one')?.loop).toMatchObject({ state: 'ACTIVE', iteration: 1, max: 1 })
    await rig.stop('one')
    expect(rig.session('one')).toMatchObject({
      unread: true,
      loop: { state: 'STUCK', iteration: 1, max: 1, hold: '1 of 1 iterations are used up' },
    })
    rig.prompt('one')
    expect(rig.session('one')?.loop).toBeNull()
    const done = await inLoop({}, 'two')
    await done.stop('two', DONE)
    expect(done.session('two')?.loop).toBeNull()
    expect(done.armed.at(-1)).toEqual([])
  })
})
