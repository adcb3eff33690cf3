import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RPG_PRIORITY, type RpgStatus, rpgStatus } from '../../src/core/vocabulary/claude-rpg.ts'
import { Scene, screens } from '../support/scene.ts'

const said = (scene: Scene) => rpgStatus(scene.verdict())
const begin = () => new Scene({ pane: '%1' }).start().wait(5_000)
const MENU = ' Login\n\n ❯ 1. Subscription\n   2. API key\n\n Esc to cancel\n'
const AGENT = { agent_id: 'agent-a', agent_type: 'Explore' }
const LISTED = { background_tasks: [{ id: 'agent-a', type: 'subagent', status: 'running' }] }

type Step = (scene: Scene) => Scene

const fails: Step = (scene) => scene.hook('StopFailure', { error: 'overloaded' })
const apiError: Step = (scene) =>
  scene.entry({ type: 'assistant', isApiErrorMessage: true, error: 'overloaded', message: {} })
const types: Step = (scene) => scene.key('h')
const launches: Step = (scene) =>
  scene.tool('Agent').hook('SubagentStart', AGENT).wait(500).stop(LISTED)

const REACH: Record<RpgStatus, () => Scene> = {
  idle: begin,
  typing: () => types(begin()),
  working: () => begin().prompt().wait(1_000),
  waiting: () => begin().prompt().wait(1_000).tool('Bash').wait(500).asks('Bash').wait(1_000),
  error: () => fails(begin().prompt().wait(1_000)).wait(1_000),
}

/** How each allowed transition comes about, in one step. */
const ALLOWED: readonly (readonly [RpgStatus, RpgStatus, Step])[] = [
  ['idle', 'typing', (scene) => scene.key('h')],
  ['idle', 'working', (scene) => scene.prompt()],
  ['idle', 'waiting', (scene) => scene.screen(MENU)],
  ['idle', 'error', apiError],
  ['typing', 'idle', (scene) => scene.wait(3_000)],
  ['typing', 'working', (scene) => scene.wait(500).prompt()],
  ['typing', 'waiting', (scene) => scene.wait(500).screen(MENU).wait(2_500)],
  ['typing', 'error', (scene) => apiError(scene.wait(500))],
  ['working', 'idle', (scene) => scene.stop()],
  ['working', 'waiting', (scene) => scene.asks('Bash')],
  ['working', 'error', fails],
  ['waiting', 'idle', (scene) => scene.interrupted()],
  ['waiting', 'typing', (scene) => scene.key('1')],
  ['waiting', 'working', (scene) => scene.toolDone('Bash')],
  ['waiting', 'error', fails],
  ['error', 'idle', (scene) => scene.wait(2_000).said('Back again.')],
  ['error', 'working', (scene) => scene.prompt('again')],
  ['error', 'waiting', (scene) => scene.screen(MENU)],
]

describe('claude-rpg: the matrix', () => {
  it.each(ALLOWED)('[SR1] %s → %s', (from, to, step) => {
    const scene = REACH[from]()
    expect(said(scene)).toBe(from)
    expect(said(step(scene))).toBe(to)
  })

  it('[SR1] is whole: 20 pairs, less the two that are forbidden', () => {
    const pairs = new Set(ALLOWED.map(([from, to]) => `${from} → ${to}`))
    expect(pairs.size).toBe(18)
    expect(pairs).not.toContain('working → typing')
    expect(pairs).not.toContain('error → typing')
  })

  it('[SR1] typing shows on the input line as well as by keys', () => {
    const scene = begin().screen(screens.prompt('')).wait(200).screen(screens.prompt('he'))
    expect(said(scene)).toBe('typing')
    expect(said(scene.wait(2_999))).toBe('typing')
    expect(said(scene.wait(1))).toBe('idle')
  })
})

const spinning = (input: string) => screens.working().replace('❯ \n', `❯ ${input}\n`)

/** Every way to type at an agent that works or has failed, and what may come right after. */
const AT_WORK: readonly (readonly [string, Step])[] = [
  ['a key', types],
  ['keys and Enter', (scene) => types(scene).wait(200).key('Enter')],
  [
    'a growing input line under the spinner',
    (scene) => scene.screen(spinning('')).wait(200).screen(spinning('nex')),
  ],
  ['a key, then a tool', (scene) => types(scene).wait(200).tool('Bash')],
  ['a key while a tool runs', (scene) => types(scene.tool('Bash').wait(200))],
  ['a key, then silence', (scene) => types(scene).wait(200_000)],
  ['a key, then the end of the turn', (scene) => types(scene).wait(500).stop()],
  ['a key while only a subagent runs', (scene) => types(launches(scene).wait(1_000))],
]

const IN_ERROR: readonly (readonly [string, Step])[] = [
  ['a key', types],
  ['keys and Enter', (scene) => types(scene).wait(200).key('Enter')],
  [
    'a growing input line',
    (scene) => scene.screen(screens.prompt('')).wait(200).screen(screens.prompt('agai')),
  ],
  ['a key, then the session resumed', (scene) => types(scene).wait(500).start('resume')],
  ['a key, then an end told late', (scene) => types(scene.wait(2_000)).said('Back again.')],
]

describe('claude-rpg: forbidden', () => {
  it.each(AT_WORK)('[SR2] working → typing does not happen by %s', (_how, step) => {
    const scene = REACH.working()
    expect(said(scene)).toBe('working')
    expect(said(step(scene))).not.toBe('typing')
  })

  it.each(IN_ERROR)('[SR3] error → typing does not happen by %s', (_how, step) => {
    const scene = REACH.error()
    expect(said(scene)).toBe('error')
    expect(said(step(scene))).not.toBe('typing')
  })

  const STEPS: readonly Step[] = [
    types,
    fails,
    apiError,
    launches,
    (scene) => scene.prompt(),
    (scene) => scene.tool('Bash'),
    (scene) => scene.toolDone('Bash'),
    (scene) => scene.asks('Bash'),
    (scene) => scene.stop(),
    (scene) => scene.interrupted(),
    (scene) => scene.start('resume'),
    (scene) => scene.screen(screens.prompt('a')),
    (scene) => scene.screen(screens.prompt('ab')),
    (scene) => scene.screen(screens.working()),
    (scene) => scene.screen(MENU),
  ]
  it('[SR2] [SR3] nor by any sequence of reports, looked at after each', () => {
    const walk = fc.array(
      fc.tuple(fc.constantFrom(...STEPS), fc.integer({ min: 50, max: 4_000 })),
      {
        maxLength: 12,
      },
    )
    fc.assert(
      fc.property(walk, (steps) => {
        const scene = begin()
        for (const [step, waitMs] of steps) {
          const before = said(scene.wait(waitMs))
          const after = said(step(scene))
          if (before === 'working' || before === 'error') expect(after).not.toBe('typing')
        }
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('claude-rpg: priorities', () => {
  it('[SR4] error 5, waiting 4, working 3, typing 2, idle 1', () => {
    expect(RPG_PRIORITY).toEqual({ error: 5, waiting: 4, working: 3, typing: 2, idle: 1 })
  })

  it.each<[RpgStatus, RpgStatus, () => Scene]>([
    ['error', 'waiting', () => fails(REACH.waiting())],
    ['error', 'typing', () => types(REACH.error())],
    ['waiting', 'working', () => REACH.waiting().screen(screens.permission())],
    ['working', 'typing', () => types(REACH.working())],
    ['typing', 'idle', () => types(begin())],
  ])('[SR4] where both hold, %s is shown over %s', (high, low, both) => {
    expect(said(both())).toBe(high)
    expect(RPG_PRIORITY[high]).toBeGreaterThan(RPG_PRIORITY[low])
  })
})

const SECONDS = [1, 2, 3, 5, 10, 60, 600]

/** The status at each of several moments, one after the other, as a poll would see it. */
function polled(scene: Scene, screen: string): (RpgStatus | undefined)[] {
  return SECONDS.map((seconds) => said(scene.wait(seconds * 1_000).screen(screen)))
}

const always = (status: RpgStatus) => SECONDS.map(() => status)

describe('claude-rpg: the five scenarios', () => {
  it('[SR5] Ready while active', () => {
    const scene = REACH.working().tool('Read')
    expect(said(scene)).toBe('working')
    expect(polled(scene, screens.working('Reading… (9s)'))).toEqual(always('working'))
    // The screen does not change any more, and no source says a word.
    expect(said(scene.wait(3_600_000))).toBe('working')
    expect(said(scene.toolDone('Read'))).toBe('working')
    expect(said(scene.wait(500).stop())).toBe('idle')
  })

  const OUTPUTS = [
    '  ⎿  ✓ 41 tests passed\n     ✔ Done in 3.1s',
    '  ⎿  Task complete\n     Finished',
    '  ⎿  $ \n     ❯ \n     Claude >',
    `  ⎿  ${'─'.repeat(40)}\n     ❯ \n     ${'─'.repeat(40)}`,
    '  ⎿  Do you want to proceed?\n     ❯ 1. Yes\n       2. No\n     Esc to cancel',
    '  ⎿  [Request interrupted by user]\n     API Error: 500',
  ]
  it.each(OUTPUTS)('[SR6] False positive from tool output: %j', (output) => {
    // Its spinner is recognised first: only then could a bare prompt end the turn (T9).
    const scene = REACH.working().tool('Bash').wait(500).screen(screens.working()).wait(500)
    const above = `❯ do it\n\n● Bash(npm test)\n${output}`
    const screen = screens.working('Testing… (9s · ↓ 20 tokens)', above)
    expect(polled(scene, screen)).toEqual(always('working'))
    scene.toolDone('Bash', 'tool-1', { tool_response: { stdout: output } }).answered('tool-1')
    expect(said(scene.wait(3_000).screen(screen))).toBe('working')
    expect(said(scene.stop())).toBe('idle')
  })

  const UNKNOWN = screens.working().replace('✢ Pondering… (3s · ↓ 20 tokens)', '◐ Pondering… 3s')
  it('[SR7] Spinner not detected', () => {
    const scene = REACH.working().tool('Bash').wait(500)
    expect(polled(scene, UNKNOWN)).toEqual(always('working'))
    expect(said(scene.wait(500).toolDone('Bash').screen(UNKNOWN).wait(5_000))).toBe('working')
    expect(said(scene.stop())).toBe('idle')
  })

  it('[SR7] nor after one that was', () => {
    // A turn may begin with a spinner that is known and go on with one that is not.
    const scene = REACH.working().screen(screens.working()).wait(500).tool('Bash').wait(500)
    scene.screen(screens.working())
    expect(polled(scene, UNKNOWN)).toEqual(always('working'))
  })

  it.each([
    ['bare', screens.prompt()],
    ['with a count', screens.working('Waiting for 1 background agent to finish')],
  ])('[SR8] Subagent activity not tracked: the main screen is %s', (_how, screen) => {
    const scene = REACH.working().tool('Agent').hook('SubagentStart', AGENT).wait(500)
    scene.tool('Bash', AGENT).wait(500).stop(LISTED)
    expect(polled(scene, screen)).toEqual(always('working'))
    expect(scene.state()).toBe('background')
    scene.toolDone('Bash', 'tool-2', AGENT).wait(1_000)
    expect(said(scene.screen(screen))).toBe('working')
    expect(said(scene.hook('SubagentStop', AGENT))).toBe('idle')
  })

  const HISTORY = Array.from({ length: 50 }, (_, line) => `  ${line} passed ✓`).join('\n')
  it('[SR9] Waiting status cleared prematurely', () => {
    const scene = REACH.working().screen(screens.working()).wait(500).tool('Bash').wait(500)
    scene.asks('Bash').wait(200).screen(screens.permission()).wait(1_000)
    expect(said(scene)).toBe('waiting')
    expect(polled(scene, HISTORY)).toEqual(always('waiting'))
    expect(said(scene.wait(1_000).screen(screens.permission()))).toBe('waiting')
    expect(said(scene.wait(1_000).screen(HISTORY).wait(500).toolDone('Bash'))).toBe('working')
  })
})
