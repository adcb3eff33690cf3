import { loopOf } from '../../agents/index.ts'
import type { Folders } from '../../home/folders.ts'
import { AdminPolicy } from '../../home/policy.ts'
import type { Arrival, Complain } from '../../sources/arrival.ts'
import type { LoopTable } from '../../store/loops.ts'
import type { Engine } from '../engine.ts'
import { logErrors } from '../listeners.ts'
import type { LoopPrompts } from '../panes/loop-prompts.ts'
import type { ActRecorder } from '../requests/shapes.ts'
import { Armed } from './armed.ts'
import { LoopController } from './controller.ts'
import { loadDecider } from './decider.ts'
import { LoopFollower } from './following.ts'
import { LocalLoops } from './loops.ts'
import type { Loops } from './shapes.ts'

export interface LoopServiceParts {
  readonly engine: Engine
  readonly storage: LoopTable
  readonly folders: Folders
  readonly env: Readonly<Record<string, string | undefined>>
  readonly complain: Complain
  readonly acts: Pick<ActRecorder, 'note'>
  /** Types prompts for loops, if the user allows it. */
  readonly prompts: LoopPrompts
  readonly policy?: AdminPolicy | undefined
}

export interface LoopService {
  readonly loops: Loops
  /** Every report, once it was learnt. */
  onReport(arrival: Arrival): void
  /** Sessions whose facts changed. */
  onSessionsChanged(ids: ReadonlySet<string>): void
  start(): Promise<void>
  close(): void
}

/** How many sessions' caps are remembered. */
const CAPS_MAX = 1_000

/** Creates the controller of loops and its dependencies on this machine. */
export function loopServiceOf(parts: LoopServiceParts): LoopService {
  const { engine, storage, folders, env, complain, acts, prompts } = parts
  const policy = parts.policy ?? new AdminPolicy()
  const { tracker } = engine
  const armed = new Armed(folders.run)
  const caps = new Map<string, number>()
  const shared = {
    now: Date.now,
    session: (id: string) => engine.look(id),
    publish: (report: Arrival['report']) => engine.take([{ report }]),
    complain,
  }
  const controller = new LoopController({
    ...shared,
    storage,
    parentOf: (id) => tracker.sessions.lineages.parentOf(id),
    arm: (sessions) => armed.set(sessions),
    disabled: () => isDisabled(env) || !policy.allows('loops'),
  })
  const following = new LoopFollower({
    ...shared,
    controller,
    said: (id) => tracker.verdict(id),
    facts: (id) => tracker.sessions.facts(id),
    isServed: (id) => prompts.isServed(id),
    reach: (session) => prompts.whyNot(session),
    type: (session, text) => prompts.type(session, text),
  })
  const loops = new LocalLoops({
    ...shared,
    session: (id) => engine.session(id),
    controller,
    following,
    acts,
    policy,
    blockCapOf: (session) => caps.get(session),
  })
  /** An error in a loop must not keep reports from being learnt and sessions from being judged. */
  const guard = (act: () => void) => logErrors(complain, 'the loop service missed a change', act)
  return {
    loops,
    onReport: (arrival) =>
      guard(() => {
        noteCap(caps, arrival)
        controller.onReport(arrival)
        loops.typed.onReport(arrival)
      }),
    onSessionsChanged: (ids) => guard(() => following.onSessionsChanged(ids)),
    start: async () => {
      if (controller.openLoops.open().length > 0) await loadDecider()
      guard(() => {
        for (const id of tracker.sessions.ids())
          if (tracker.sessions.facts(id)?.turn.ended?.asked) controller.letGo(id)
        following.start()
      })
    },
    close: () => {
      controller.close()
      following.close()
    },
  }
}

/** SPEC LP1. Before anything else. */
function isDisabled(env: LoopServiceParts['env']): boolean {
  return env.IDLE_LOOP_DISABLE === '1' || env.VIGIL_LOOP_DISABLE === '1'
}

function noteCap(caps: Map<string, number>, { report, spooled }: Arrival): void {
  const told = spooled && loopOf(report.agent)?.capOf(report)
  if (!told) return
  const { session, cap } = told
  caps.delete(session)
  caps.set(session, cap)
  if (caps.size > CAPS_MAX) caps.delete(caps.keys().next().value ?? '')
}
