import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type PlateStatus, plateStatus } from '../../src/core/vocabulary/plate-spinner.ts'
import { Scene } from '../support/scene.ts'

const STATUSES = [
  'Starting',
  'Running',
  'Idle',
  'AwaitingInput',
  'AwaitingApproval',
  'Error',
  'Closed',
] as const satisfies readonly PlateStatus[]

/** More than the 2 s after which a transcript counts as having moved on. */
const STEP_MS = 3_000
const RUNS = 300

const call = (scene: Scene) => ({ tool_use_id: `call-${scene.now}` })

const EVENTS = {
  SessionStart: (scene: Scene) => scene.start('resume'),
  PromptSubmit: (scene: Scene) => scene.prompt(),
  'ToolStart AskUserQuestion': (scene: Scene) => scene.tool('AskUserQuestion', call(scene)),
  'ToolStart ExitPlanMode': (scene: Scene) => scene.tool('ExitPlanMode', call(scene)),
  'ToolStart other': (scene: Scene) => scene.tool('Bash', call(scene)),
  // A tool begun before anything here. The end of the waiting tool itself is below.
  ToolCall: (scene: Scene) => scene.toolDone('Bash', 'call-before'),
  'Stop with error': (scene: Scene) => scene.hook('StopFailure', { error: 'rate_limit' }),
  Stop: (scene: Scene) => scene.stop(),
  // Hooks were lost; the transcript shows that the turn is over.
  HealthCheckRecovery: (scene: Scene) => scene.said('All done.'),
} satisfies Record<string, (scene: Scene) => Scene>

type Event = keyof typeof EVENTS
const EVENT_NAMES = Object.keys(EVENTS) as Event[]

/** The seed's own answer. */
function plate(from: PlateStatus, event: Event): PlateStatus {
  const sticky = from === 'Starting' || from === 'Running' || from === 'Closed'
  const answers: Record<Event, PlateStatus> = {
    SessionStart: 'Running',
    PromptSubmit: 'Running',
    'ToolStart AskUserQuestion': 'AwaitingInput',
    'ToolStart ExitPlanMode': 'AwaitingApproval',
    'ToolStart other': 'Running',
    ToolCall: 'Running',
    'Stop with error': 'Error',
    Stop: 'Idle',
    HealthCheckRecovery: sticky ? from : 'Idle',
  }
  return answers[event]
}

const LATE = 'a late event does not revive a dead session (C5)'
const BEFORE = 'it ends something that began before the Stop (T6)'
const OWN = 'of tools, only the end of its own lets a request go (W4)'
const SHOWN = 'recovery leads to what the transcript shows: the turn ended'

/** Every cell in which vigil answers otherwise than the seed, and why. No other cell may. */
const DEVIATIONS: Partial<Record<`${PlateStatus} × ${Event}`, readonly [PlateStatus, string]>> = {
  'Closed × ToolStart AskUserQuestion': ['Closed', LATE],
  'Closed × ToolStart ExitPlanMode': ['Closed', LATE],
  'Closed × ToolStart other': ['Closed', LATE],
  'Closed × ToolCall': ['Closed', LATE],
  'Closed × Stop with error': ['Closed', LATE],
  'Closed × Stop': ['Closed', LATE],
  'Idle × ToolCall': ['Idle', BEFORE],
  'Error × ToolCall': ['Error', BEFORE],
  'AwaitingInput × ToolStart other': ['AwaitingInput', OWN],
  'AwaitingInput × ToolCall': ['AwaitingInput', OWN],
  'AwaitingApproval × ToolStart other': ['AwaitingApproval', OWN],
  'AwaitingApproval × ToolCall': ['AwaitingApproval', OWN],
  'Starting × HealthCheckRecovery': ['Idle', SHOWN],
  'Running × HealthCheckRecovery': ['Idle', SHOWN],
}

function expected(from: PlateStatus, event: Event): PlateStatus {
  return DEVIATIONS[`${from} × ${event}`]?.[0] ?? plate(from, event)
}

const born = () => new Scene().process(true).wait(STEP_MS)
const opened = () => born().start().wait(STEP_MS)
const running = () => opened().prompt().wait(STEP_MS)

const REACH: Record<PlateStatus, () => Scene> = {
  Starting: born,
  Running: running,
  Idle: () => running().stop(),
  AwaitingInput: () => running().tool('AskUserQuestion'),
  AwaitingApproval: () => running().tool('ExitPlanMode'),
  Error: () => running().hook('StopFailure', { error: 'overloaded' }),
  Closed: () => running().process(false),
}

/** Until something names its session, a process stands under its own name. */
function status(scene: Scene): PlateStatus | undefined {
  const named = scene.sessions.facts(scene.session)
  return plateStatus(scene.verdict(named ? scene.session : `process:${scene.pid}`))
}

/** A dead process reports nothing: the one that resumes the conversation is another. */
function resumed(scene: Scene): Scene {
  return new Scene({ pid: scene.pid + 1 }, scene).process(true)
}

function next(scene: Scene, event: Event, waitMs = STEP_MS): Scene {
  const begins = event === 'SessionStart' || event === 'PromptSubmit'
  const speaker = begins && status(scene) === 'Closed' ? resumed(scene) : scene
  return EVENTS[event](speaker.wait(waitMs))
}

function check(from: PlateStatus, event: Event): void {
  const scene = REACH[from]()
  expect(status(scene)).toBe(from)
  expect(status(next(scene, event))).toBe(expected(from, event))
}

describe('plate-spinner: 7 statuses × 9 events', () => {
  it.each(STATUSES)('[SP1] SessionStart in %s', (from) => check(from, 'SessionStart'))
  it.each(STATUSES)('[SP2] PromptSubmit in %s', (from) => check(from, 'PromptSubmit'))
  it.each(STATUSES)('[SP3] ToolStart of AskUserQuestion in %s', (from) =>
    check(from, 'ToolStart AskUserQuestion'),
  )
  it.each(STATUSES)('[SP4] ToolStart of ExitPlanMode in %s', (from) =>
    check(from, 'ToolStart ExitPlanMode'),
  )
  it.each(STATUSES)('[SP5] ToolStart of another tool in %s', (from) =>
    check(from, 'ToolStart other'),
  )
  it.each(STATUSES)('[SP6] ToolCall in %s', (from) => check(from, 'ToolCall'))
  it.each(STATUSES)('[SP7] Stop with an error in %s', (from) => check(from, 'Stop with error'))
  it.each(STATUSES)('[SP8] Stop in %s', (from) => check(from, 'Stop'))
  it('[SP9] recovery in AwaitingInput', () => check('AwaitingInput', 'HealthCheckRecovery'))
  it('[SP10] recovery in AwaitingApproval', () => check('AwaitingApproval', 'HealthCheckRecovery'))
  it('[SP11] recovery in Error', () => check('Error', 'HealthCheckRecovery'))
  it.each(['Starting', 'Running', 'Idle', 'Closed'] as const)('[SP12] recovery in %s', (from) =>
    check(from, 'HealthCheckRecovery'),
  )
  it('[SP12] every deviation listed is one', () => {
    for (const from of STATUSES)
      for (const event of EVENT_NAMES) {
        const listed = DEVIATIONS[`${from} × ${event}`]
        if (listed) expect(listed[0], `${from} × ${event}`).not.toBe(plate(from, event))
      }
    expect(Object.keys(DEVIATIONS)).toHaveLength(14)
  })
})

describe('plate-spinner: what the table leaves open', () => {
  it.each(STATUSES)('[SP1] a session started in %s is idle after start', (from) => {
    // A second start of one session is its resumption, after the first process has gone.
    const scene = REACH[from]()
    const next = from === 'Starting' ? scene : resumed(scene.process(false).wait(STEP_MS))
    expect(next.wait(STEP_MS).start('resume').state()).toBe('idle:start')
  })

  it.each(['AskUserQuestion', 'ExitPlanMode'])('[SP6] the end of %s itself → Running', (tool) => {
    const scene = running().tool(tool).wait(STEP_MS)
    expect(status(scene)).toMatch(/^Awaiting/)
    expect(status(scene.toolDone(tool))).toBe('Running')
  })

  it.each(['SessionStart', 'PromptSubmit'] as const)(
    '[SP1] [SP2] said goodbye, then %s',
    (event) => {
      // The same process goes on: it left this conversation and came back to it.
      const scene = running().hook('SessionEnd', { reason: 'other' })
      expect(status(scene)).toBe('Closed')
      expect(status(EVENTS[event](scene.wait(STEP_MS)))).toBe('Running')
    },
  )

  it.each(['ToolStart other', 'ToolCall', 'Stop', 'Stop with error'] as const)(
    '[SP5] [SP6] [SP7] [SP8] said goodbye, then a late %s',
    (event) => {
      const scene = running().hook('SessionEnd', { reason: 'other' })
      expect(status(EVENTS[event](scene.wait(STEP_MS)))).toBe('Closed')
    },
  )

  it.each(STATUSES)('[SP17] the process ends in %s', (from) => {
    const scene = REACH[from]().wait(STEP_MS).process(false)
    expect(status(scene)).toBe('Closed')
    expect(status(scene.wait(86_400_000))).toBe('Closed')
  })
})

const anyStep = fc.constantFrom<Event | 'ProcessEnd'>(...EVENT_NAMES, 'ProcessEnd')
const anyWait = fc.integer({ min: 0, max: 5_000 })
const anyWalk = fc.array(fc.tuple(anyStep, anyWait), { maxLength: 30 })

function walked(walk: readonly (readonly [Event | 'ProcessEnd', number])[]): Scene[] {
  let scene = opened()
  return walk.map(([step, waitMs]) => {
    scene = step === 'ProcessEnd' ? scene.wait(waitMs).process(false) : next(scene, step, waitMs)
    return scene
  })
}

describe('plate-spinner: invariants', () => {
  it('[SP13] status and event alone decide the next status, whatever came before', () => {
    const walk = fc.array(anyStep, { maxLength: 30 })
    fc.assert(
      fc.property(walk, (steps) => {
        let scene = opened()
        let from: PlateStatus = 'Running'
        for (const step of steps) {
          const to: PlateStatus = step === 'ProcessEnd' ? 'Closed' : expected(from, step)
          scene = step === 'ProcessEnd' ? scene.wait(STEP_MS).process(false) : next(scene, step)
          expect(status(scene), `${from} × ${step}`).toBe(to)
          from = to
        }
      }),
      { numRuns: RUNS },
    )
  })

  it('[SP13] the same events at the same times give the same verdict', () => {
    fc.assert(
      fc.property(anyWalk, (walk) => {
        const [one, other] = [walked(walk).at(-1), walked(walk).at(-1)]
        if (one) expect(one.verdict()).toEqual(other?.verdict())
      }),
      { numRuns: RUNS },
    )
  })

  it('[SP14] every transition lands in one of the seven, however soon it follows', () => {
    const cell = fc.tuple(fc.constantFrom(...STATUSES), fc.constantFrom(...EVENT_NAMES), anyWait)
    fc.assert(
      fc.property(cell, ([from, event, waitMs]) => {
        expect(STATUSES).toContain(status(next(REACH[from](), event, waitMs)))
      }),
      { numRuns: RUNS },
    )
  })

  it('[SP16] any sequence of events keeps a valid status, then and a day later', () => {
    fc.assert(
      fc.property(anyWalk, (walk) => {
        for (const scene of walked(walk)) expect(STATUSES).toContain(status(scene))
        const last = walked(walk).at(-1)
        if (last) expect(STATUSES).toContain(status(last.wait(86_400_000)))
      }),
      { numRuns: RUNS },
    )
  })
})
