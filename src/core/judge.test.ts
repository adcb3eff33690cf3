import { describe, expect, it } from 'vitest'
import { Scene } from '../../test/support/scene.ts'
import { specIds } from '../../test/support/spec.ts'
import type { Happening } from './signal.ts'
import { STATES, type State } from './verdict.ts'

const AGENT = { agent_id: 'agent-a', agent_type: 'Explore' }
const LISTED = { background_tasks: [{ id: 'agent-a', type: 'subagent', status: 'running' }] }
const notice = '<task-notification>\n<task-id>agent-a</task-id>\n<status>completed</status>'

const idle = () => new Scene().start().wait(1_000)
const working = () => idle().prompt().wait(1_000)
const did = (tool: string) => working().tool(tool).wait(500).toolDone(tool).wait(500)
const waiting = (tool = 'Bash') => working().tool(tool).wait(500).asks(tool).wait(500)

/** Each state, by the shortest way there. */
const REACH: Readonly<Record<State, () => Scene>> = {
  // A process without a named session is listed under its own name.
  starting: () => new Scene({ session: 'process:4711' }).process(true),
  working,
  waiting,
  background: () => working().hook('SubagentStart', AGENT).wait(500).stop(LISTED),
  idle: () => did('Edit').stop(),
  error: () => working().hook('StopFailure', { error: 'overloaded' }),
  stuck: () => working().wait(120_000),
  closed: () => working().hook('SessionEnd', { reason: 'other' }),
  unknown: () => new Scene().entry({ type: 'system', subtype: 'informational' }),
}

const take = (scene: Scene, happening: Happening) => {
  const about = { agent: 'claude', session: scene.session }
  scene.sessions.take({ ...happening, at: scene.now, source: 'keystroke', about })
  return scene
}

describe('a verdict', () => {
  it.each(STATES)('[V1] can be %s', (state) => {
    expect(REACH[state]().verdict().state).toBe(state)
  })

  it.each(STATES)('[V2] that is %s names rule, reason, time and grounds', (state) => {
    const scene = REACH[state]().wait(1_000)
    const { rule, reason, since, grounds } = scene.verdict()
    expect(specIds).toContain(rule)
    expect(reason).not.toBe('')
    expect(since).toBeGreaterThan(scene.now - 200_000)
    expect(since).toBeLessThanOrEqual(scene.now)
    for (const ground of grounds) expect(ground.at).toBeLessThanOrEqual(scene.now)
    expect(grounds.length > 0).toBe(rule !== 'U1')
  })

  it('[U1] [V2] a session of which nothing tells the state rests on nothing', () => {
    const verdict = REACH.unknown().verdict()
    expect(verdict).toMatchObject({ state: 'unknown', rule: 'U1', grounds: [] })
  })

  it('[V2] only U1 rests on nothing: half an hour later it is not M4 that does', () => {
    const { rule, grounds } = REACH.unknown().wait(1_800_001).verdict()
    expect(rule === 'U1' || grounds.length > 0).toBe(true)
  })

  it('[V2] background after an interrupt rests on something too', () => {
    const scene = working().hook('SubagentStart', AGENT).wait(1_000).interrupted().wait(500)
    expect(scene.verdict()).toMatchObject({ state: 'background', rule: 'B1' })
    expect(scene.verdict().grounds).not.toEqual([])
  })

  it('[V2] so does the background a cleared session leaves to its successor', () => {
    const scene = REACH.background().wait(1_000)
    const after = new Scene({ session: 'session-2' }, scene).start('clear').wait(500)
    expect(after.verdict()).toMatchObject({ state: 'background', rule: 'B1' })
    expect(after.verdict().grounds).not.toEqual([])
  })

  it.each<[string, () => Scene, object]>([
    ['waiting', () => waiting('Bash'), { for: 'permission' }],
    ['waiting', () => waiting('AskUserQuestion'), { for: 'question' }],
    ['waiting', () => waiting('ExitPlanMode'), { for: 'plan' }],
    ['waiting', () => idle().registry('waiting', 'dialog open'), { for: 'dialog' }],
    ['idle', () => idle(), { after: 'start' }],
    ['idle', () => did('Edit').stop(), { after: 'work' }],
    ['idle', () => did('Read').stop(), { after: 'talk' }],
    ['idle', () => working().interrupted(), { after: 'interrupt' }],
    ['error', REACH.error, { cause: 'overloaded' }],
    ['closed', REACH.closed, { how: 'other' }],
    ['closed', () => working().process(false), { how: 'killed' }],
  ])('[V3] %s says more: %#', (state, reach, more) => {
    expect(reach().verdict()).toMatchObject({ state, ...more })
  })

  it('[V3] idle says that it follows a compaction', () => {
    const scene = idle().hook('PreCompact', { trigger: 'manual' }).wait(5_000)
    expect(scene.hook('PostCompact', { trigger: 'manual' }).state()).toBe('idle:compact')
  })

  it('[V3] working says what it is doing, and since when', () => {
    const scene = working()
    expect(scene.verdict().doing).toEqual({ what: 'thinking', since: scene.now - 1_000 })
    const since = scene.now
    scene.tool('Grep').wait(700)
    expect(scene.verdict().doing).toEqual({ what: 'tool', tool: 'Grep', label: 'Grep', since })
    scene.toolDone('Grep').hook('PreCompact', { trigger: 'auto' })
    expect(scene.verdict().doing).toEqual({ what: 'compacting', since: scene.now })
    scene.wait(5_000).hook('PostCompact', { trigger: 'auto' }).wait(500)
    scene.entry({ type: 'system', subtype: 'api_error', retryAttempt: 1 })
    expect(scene.verdict().doing).toEqual({ what: 'retrying', since: scene.now })
  })
})

describe('what stands beside the state', () => {
  const BESIDE: readonly Happening[] = [
    { kind: 'details', details: { model: 'm', contextLeftPercent: 1, costUsd: 9, todosDone: 2 } },
    { kind: 'loop', loop: { state: 'ACTIVE', iteration: 2, max: 9, hold: null, until: null } },
    { kind: 'loop', loop: null },
    { kind: 'typed' },
    { kind: 'looked' },
  ]
  // Stuck is left out: there any signal is a sign of life (M1).
  it.each(STATES.filter((state) => state !== 'stuck'))('[V4] decides nothing in %s', (state) => {
    const scene = REACH[state]()
    const { rule } = scene.verdict()
    for (const happening of BESIDE) {
      take(scene.wait(1_000), happening)
      expect(scene.verdict()).toMatchObject({ state, rule })
    }
  })

  it('[V4] tasks that still run do not keep a turn open or a question away', () => {
    const scene = working().hook('SubagentStart', AGENT).wait(500)
    expect(scene.verdict()).toMatchObject({ state: 'working', tasks: [{ id: 'agent-a' }] })
    expect(scene.asks('Bash').state()).toBe('waiting:permission')
  })

  it('[V4] the verdict includes all of it', () => {
    const scene = idle()
    for (const happening of BESIDE.slice(0, 2)) take(scene, happening)
    const loop = { state: 'ACTIVE', iteration: 2, max: 9 }
    expect(scene.verdict()).toMatchObject({ loop, details: { model: 'm', costUsd: 9 } })
  })
})

describe('idle after', () => {
  it.each(['Edit', 'Bash', 'Write', 'mcp__db__query'])('[T12] a turn with %s was work', (tool) => {
    expect(did(tool).stop().state()).toBe('idle:work')
  })

  it.each(['Read', 'Grep', 'Glob'])('[T12] a turn with %s alone was talk', (tool) => {
    expect(did(tool).stop().state()).toBe('idle:talk')
  })

  it('[T12] a turn that only spoke was talk, also after one that worked', () => {
    const scene = did('Edit').stop().wait(1_000).prompt('thanks').wait(1_000).stop()
    expect(scene.state()).toBe('idle:talk')
  })

  it("[T12] a turn that a task's end started was work", () => {
    const scene = REACH.background().wait(5_000).prompt(notice).wait(1_000).stop()
    expect(scene.state()).toBe('idle:work')
  })
})
