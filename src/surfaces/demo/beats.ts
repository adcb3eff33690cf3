import { hash } from 'node:crypto'
import type { DemoCall, DemoDecision, DemoEvent, DemoSession } from '../../agents/demo-agent.ts'
import { agentOf, UNNAMED_AGENT } from '../../agents/index.ts'
import type { Report } from '../../core/signal.ts'
import type { DemoRole, DemoTask } from './story.ts'

/** An event in a session, and what comes next: after a while, or after an answer. */
export interface Beat {
  readonly event: DemoEvent
  /** Milliseconds until the next event; undefined for a request, which waits for an answer. */
  readonly thenMs: number | undefined
  /** The index of the task and of its step; undefined for a start or a prompt. */
  readonly task: number
  readonly step: number | undefined
  /** The iteration of its loop. */
  readonly iteration: number
}

type Beats = Generator<Beat, void, DemoDecision | undefined>

/** SPEC IN31. All events of an agent, without end. They depend on the answers. */
export function* beatsOf(role: DemoRole): Beats {
  const pace = paceOf(role.project)
  yield { event: { is: 'start' }, thenMs: 1_000, task: 0, step: undefined, iteration: 0 }
  let [calls, iteration] = [0, FIRST_ITERATION - 1]
  for (;;)
    for (const [at, task] of role.tasks.entries()) {
      iteration += 1
      const beat = (event: DemoEvent, thenMs: number | undefined, step?: number): Beat => {
        return { event, thenMs, task: at, step, iteration }
      }
      yield beat({ is: 'prompt', text: task.prompt }, pace(4_000, 10_000))
      const restMs = role.loop === undefined ? pace(70_000, 150_000) : 2_000
      calls = yield* turn(task, { beat, pace, calls, restMs })
    }
}

/** A loop has some iterations behind it when the demo begins. */
const FIRST_ITERATION = 4

interface TurnParts {
  readonly beat: (event: DemoEvent, thenMs: number | undefined, step?: number) => Beat
  readonly pace: Pace
  readonly calls: number
  /** Milliseconds until the next prompt. */
  readonly restMs: number
}

function* turn(
  task: DemoTask,
  { beat, pace, calls, restMs }: TurnParts,
): Generator<Beat, number, DemoDecision | undefined> {
  let number = calls
  for (const [at, step] of task.steps.entries()) {
    if (step.is !== 'call') {
      const thenMs = step.is === 'say' ? pace(3_000, 7_000) : restMs
      yield beat({ is: step.is, text: step.text }, thenMs, at)
      continue
    }
    number += 1
    const { call, asks } = step
    yield beat({ is: 'begin', call, number }, asks ? 200 : lasting(call, pace), at)
    if (asks) {
      const decision = yield beat({ is: 'request', call, number }, undefined, at)
      yield beat({ is: 'resume', call, number }, lasting(call, pace), at)
      if (decision?.allowed === false) {
        yield beat({ is: 'stop', text: `I left it. ${decision.words}` }, restMs, at)
        return number
      }
      const chosen = decision?.words ?? ''
      if (chosen !== '') yield beat({ is: 'say', text: `Then: ${chosen}.` }, pace(1_000, 2_000), at)
    }
    yield beat({ is: 'end', call, number }, pace(4_000, 12_000), at)
  }
  return number
}

function lasting({ does }: DemoCall, pace: Pace): number {
  return does === 'run' ? pace(15_000, 60_000) : pace(2_000, 6_000)
}

type Pace = (from: number, to: number) => number

/** The same in every demo, but different for each project. */
function paceOf(project: string): Pace {
  let turns = 0
  return (from, to) => {
    turns += 1
    const share = Number.parseInt(hash('sha256', `${project} ${turns}`).slice(0, 8), 16) / 2 ** 32
    return Math.round(from + share * (to - from))
  }
}

/** The session that plays the role. */
export function castOf(role: DemoRole, number: number, home: string): DemoSession {
  const { project, cwd, branch } = role
  const id = hash('sha256', project).replace(
    /^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/,
    '$1-$2-$3-$4-$5',
  )
  return { id, pid: 5_000 + number, cwd, branch, home }
}

/** The reports that the agent's sources would give for an event. */
export function beatReports(
  session: DemoSession,
  { loop }: DemoRole,
  { event, iteration }: Beat,
  at: number,
): readonly Report[] {
  const agent = UNNAMED_AGENT
  const told = agentOf(agent)?.demo?.reportsOf(session, event, at) ?? []
  if (loop === undefined || event.is !== 'prompt') return told
  const facet = { state: 'ACTIVE', iteration: 1 + ((iteration - 1) % loop), max: loop }
  const kept = { t: at, source: 'loop', agent, session: session.id, loop: facet } as const
  return [...told, kept]
}

/** An event and its time. */
export interface PastBeat {
  readonly beat: Beat
  readonly at: number
}

/** All events until the demo begins, and those that follow. */
export function opened(role: DemoRole, now: number): { past: readonly PastBeat[]; rest: Beats } {
  const rest = beatsOf(role)
  const beats: Beat[] = []
  for (let next = rest.next(); !next.done; next = rest.next()) {
    beats.push(next.value)
    if (isOpening(role, next.value)) break
  }
  let at = now - role.opening.agoMs
  const past = beats.toReversed().map((beat, i) => {
    if (i > 0) at -= beat.thenMs ?? 30_000
    return { beat, at }
  })
  return { past: past.toReversed(), rest }
}

function isOpening({ tasks, opening }: DemoRole, { task, step, event }: Beat): boolean {
  if (task !== 0 || step !== opening.step) return false
  const here = tasks[0]?.steps[opening.step]
  return here?.is === 'call' && here.asks ? event.is === 'request' : true
}
