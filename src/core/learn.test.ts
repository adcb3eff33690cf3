import { describe, expect, it } from 'vitest'
import { Scene, screens } from '../../test/support/scene.ts'
import { type Facts, nothingKnown } from './facts.ts'
import { learn } from './learn.ts'
import { REQUESTS_MAX, TASKS_MAX, TEXT_MAX_CHARS, TOOLS_MAX } from './limits.ts'
import { unansweredRequests } from './rules/requests.ts'
import { openTasks } from './rules/tasks.ts'
import type { Happening, Signal, SignalKind } from './signal.ts'

const AGENT = { agent_id: 'agent-a', agent_type: 'Explore' }
const idle = () => new Scene({ pane: '%1' }).start().wait(1_000)
const working = () => idle().prompt('do it', { prompt_id: 'p1' }).wait(1_000)
const factsOf = (scene: Scene) => scene.sessions.facts(scene.session) as Facts

/** One signal of each kind: the compiler rejects a missing kind. */
const EACH: { readonly [K in SignalKind]: Extract<Happening, { kind: K }> } = {
  opened: { kind: 'opened', how: 'resume' },
  'turn-started': { kind: 'turn-started', by: 'user', turn: 'p1' },
  'turn-ended': { kind: 'turn-ended', how: 'done', turn: 'p1' },
  'turn-interrupted': { kind: 'turn-interrupted' },
  'turn-failed': { kind: 'turn-failed', cause: 'overloaded' },
  'tool-started': { kind: 'tool-started', id: 'tool-1', name: 'Bash', input: 'x', quiet: false },
  'tool-ended': { kind: 'tool-ended', id: 'tool-1' },
  'tools-settled': { kind: 'tools-settled', actor: 'agent-a' },
  spoke: { kind: 'spoke' },
  'is-subagent': { kind: 'is-subagent', of: 'session-2' },
  'is-hidden': { kind: 'is-hidden' },
  'request-opened': { kind: 'request-opened', for: 'question', tool: 'mcp:db', input: '' },
  'request-closed': { kind: 'request-closed', tool: 'mcp:db' },
  'task-started': { kind: 'task-started', id: 'agent-a', what: 'subagent' },
  'task-ended': { kind: 'task-ended', id: 'agent-a' },
  'tasks-listed': { kind: 'tasks-listed', tasks: [{ id: 'agent-b', what: 'shell' }] },
  compaction: { kind: 'compaction', open: true },
  retrying: { kind: 'retrying', attempt: 1 },
  'self-report': { kind: 'self-report', status: 'idle', said: 'idle' },
  life: { kind: 'life' },
  succeeded: { kind: 'succeeded' },
  unattended: { kind: 'unattended' },
  left: { kind: 'left', how: 'other' },
  process: { kind: 'process', alive: true, ours: true },
  screen: { kind: 'screen', shows: 'prompt', input: 'fix' },
  looked: { kind: 'looked' },
  typed: { kind: 'typed' },
  woke: { kind: 'woke' },
  loop: { kind: 'loop', loop: { state: 'ACTIVE', iteration: 1, max: 3, hold: null, until: null } },
  words: { kind: 'words', by: 'agent', text: 'Done.' },
  details: { kind: 'details', details: { model: 'm' } },
}

/** Facts that may be there before the signal. */
const BEFORE: readonly [string, () => Scene][] = [
  ['a working session', () => working().tool('Bash').wait(500)],
  ['a waiting one', () => working().asks('Bash').registry('waiting', 'permission prompt')],
  ['one with tasks', () => working().hook('SubagentStart', AGENT).wait(500).stop()],
  ['one with a screen', () => idle().screen(screens.prompt('f')).wait(500)],
  ['a closed one', () => working().process(false).wait(500)],
]

describe('learning a signal again', () => {
  const about = { agent: 'claude', session: 'session-1', pid: 4711, start: '100' }

  it.each(Object.values(EACH))('[O2] changes nothing: $kind', (happening) => {
    for (const [, reach] of BEFORE) {
      const scene = reach()
      for (const at of [scene.now + 500, scene.now, scene.now - 5_000]) {
        const signal: Signal = { ...happening, at, source: 'hook', about }
        const once = learn(factsOf(scene), signal)
        expect(learn(once, signal)).toEqual(once)
      }
    }
  })

  it.each(BEFORE)('[O2] nor does hearing the last report once more: %s', (_what, reach) => {
    const scene = reach()
    const before = factsOf(scene)
    const { t: _t, source, ...fields } = scene.reports.at(-1) as (typeof scene.reports)[number]
    scene.now = _t
    expect(factsOf(scene.report(source, fields))).toEqual(before)
  })
})

const at = (time: number, happening: Happening): Signal => ({
  ...happening,
  at: time,
  source: 'hook',
  about: { agent: 'claude', session: 'session-1' },
})
const all = (signals: readonly Signal[], facts = nothingKnown('claude', 'session-1')) =>
  signals.reduce(learn, facts)
const many = (count: number, make: (i: number) => Happening, from = 0) =>
  Array.from({ length: count }, (_, i) => at(1_000 * (from + i + 1), make(from + i)))

describe('facts stay bounded: tools', () => {
  const tool = (i: number): Happening => ({ ...EACH['tool-started'], id: `t${i}` })

  it('[F1] at the limit none is lost', () => {
    expect(TOOLS_MAX).toBe(64)
    expect(all(many(64, tool)).tools.map(({ id }) => id)).toHaveLength(64)
  })

  it('[F1] one beyond, the oldest finished goes first', () => {
    const facts = all([
      ...many(64, tool),
      at(70_000, { kind: 'tool-ended', id: 't9' }),
      at(71_000, { kind: 'tool-ended', id: 't3' }),
    ])
    const gone = (known: Facts) =>
      many(64, tool).flatMap((_, i) => (known.tools.some(({ id }) => id === `t${i}`) ? [] : [i]))
    const beyond = [1, 2, 3].map((more) => gone(all(many(more, tool, 100), facts)))
    // When no finished entry is left, the oldest goes.
    expect(beyond).toEqual([[9], [3, 9], [0, 3, 9]])
  })

  it('[F1] a session that runs for long holds no more than that', () => {
    const step = (i: number): Happening[] => [tool(i), { kind: 'tool-ended', id: `t${i}` }]
    const steps = Array.from({ length: 1_000 }, (_, i) => step(i).map((each) => at(i * 500, each)))
    expect(all(steps.flat()).tools).toHaveLength(16)
  })
})

describe('facts stay bounded: requests', () => {
  const request = (i: number): Happening => ({
    ...EACH['request-opened'],
    tool: 'Bash',
    input: `${i}`,
  })

  it('[F1] at the limit none is lost', () => {
    expect(REQUESTS_MAX).toBe(16)
    expect(unansweredRequests(all(many(16, request)))).toHaveLength(16)
    expect(all(many(17, request)).requests.map(({ input }) => input)).not.toContain('0')
  })

  it("[F1] beyond, what is answered goes before a subagent's that is open", () => {
    const asked: Happening = { ...EACH['request-opened'], input: 'open', actor: 'agent-a' }
    const answered = many(16, request, 1)
    const settled = at(20_000, { kind: 'tools-settled' })
    const facts = all([at(500, asked), ...answered.slice(0, 15), settled])
    expect(unansweredRequests(facts).map(({ input }) => input)).toEqual(['open'])
    const beyond = all(answered.slice(15), facts)
    expect(beyond.requests).toHaveLength(16)
    expect(unansweredRequests(beyond).map(({ input }) => input)).toContain('open')
  })
})

describe('facts stay bounded: tasks and texts', () => {
  const task = (i: number): Happening => ({ kind: 'task-started', id: `a${i}`, what: 'shell' })

  it('[F1] at the limit no task is lost; beyond, the oldest finished goes first', () => {
    expect(TASKS_MAX).toBe(64)
    const full = all(many(64, task))
    expect(openTasks(full)).toHaveLength(64)
    const ended = all([at(70_000, { kind: 'task-ended', id: 'a9' })], full)
    const beyond = all(many(1, task, 100), ended)
    expect(beyond.tasks).toHaveLength(64)
    expect(openTasks(beyond).map(({ id }) => id)).toContain('a0')
    expect(beyond.tasks.map(({ id }) => id)).not.toContain('a9')
  })

  it('[F1] a list of a thousand tasks is cut', () => {
    const tasks = Array.from({ length: 1_000 }, (_, i) => ({ id: `a${i}`, what: 'shell' }))
    const facts = all([at(1_000, { kind: 'tasks-listed', tasks })])
    expect([facts.tasks.length, facts.listed?.ids.length]).toEqual([64, 64])
  })

  it('[F1] no text is longer than 200 characters', () => {
    expect(TEXT_MAX_CHARS).toBe(200)
    const long = 'x'.repeat(100_000)
    const input = { tool_input: { command: long }, agent_id: long }
    const scene = working().tool('Bash', input).asks('Bash', input).hook('StopFailure', {
      error: long,
    })
    scene.screen(screens.prompt(long)).registry(long).prompt(long, { prompt_id: long })
    scene.hook('SubagentStart', { agent_id: long, agent_type: long }).statusline({ cwd: long })
    const texts = JSON.stringify(factsOf(scene)).match(/x{150,}/g) ?? []
    expect(texts.length).toBeGreaterThan(5)
    expect(Math.max(...texts.map((text) => text.length))).toBeLessThanOrEqual(200)
  })
})
