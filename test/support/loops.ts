import { translateClaude } from '../../src/agents/claude/translate.ts'
import type { Report } from '../../src/core/signal.ts'
import { Tracker } from '../../src/core/tracker.ts'
import { LoopController, type LoopControllerParts } from '../../src/daemon/loops/controller.ts'
import { loadDecider } from '../../src/daemon/loops/decider.ts'
import { type FollowingParts, LoopFollower } from '../../src/daemon/loops/following.ts'
import { LocalLoops } from '../../src/daemon/loops/loops.ts'
import type { LoopStorage } from '../../src/daemon/loops/open-loops.ts'
import type { By } from '../../src/daemon/panes/shapes.ts'
import type { ActRecorder } from '../../src/daemon/requests/shapes.ts'
import { AdminPolicy } from '../../src/home/policy.ts'
import type { LoopAnswer, LoopStart } from '../../src/protocol/loop.ts'
import type { Session } from '../../src/protocol/session.ts'
import { sessionOf } from '../../src/protocol/session-of.ts'
import type { LoopRow } from '../../src/store/loops.ts'
import { OWN_MACHINE } from './machines.ts'
import { spooledAs } from './spooled.ts'

export const BY_USER: By = { who: 'the user, over the socket', where: 'cli' }

/** Loops in a list, as JSON, because the store returns copies. */
export class MemoryLoops implements LoopStorage {
  readonly rows = new Map<string, string>()
  readonly written: { readonly loop: string; readonly step: string }[] = []
  /** The error of the disk; undefined while it works. */
  failure: Error | undefined

  save(row: LoopRow, steps: readonly object[]): void {
    if (this.failure) throw this.failure
    this.rows.set(row.id, JSON.stringify(row))
    for (const step of steps) this.written.push({ loop: row.id, step: JSON.stringify(step) })
  }

  open(): LoopRow[] {
    return this.list(Number.POSITIVE_INFINITY).filter(({ open }) => open)
  }

  list(limit: number): LoopRow[] {
    const rows = [...this.rows.values()].map((row) => JSON.parse(row) as LoopRow)
    return rows.toSorted((a, b) => b.updatedAt - a.updatedAt).slice(0, limit)
  }

  get(id: string): LoopRow | undefined {
    const row = this.rows.get(id)
    return row === undefined ? undefined : JSON.parse(row)
  }

  steps(loop: string, limit: number): Record<string, unknown>[] {
    const own = this.written.filter((entry) => entry.loop === loop)
    return own.slice(-limit).map(({ step }) => JSON.parse(step))
  }
}

const T0 = 1_790_000_000_000

interface Around extends Partial<Pick<LoopControllerParts, 'storage' | 'arm'>> {
  readonly disabled?: boolean
  readonly acts?: Pick<ActRecorder, 'note'>
  readonly policy?: AdminPolicy
  readonly tracker: Tracker
  readonly now: () => number
  readonly session: LoopControllerParts['session']
  readonly publish: LoopControllerParts['publish']
  readonly type: FollowingParts['type']
  readonly reach?: FollowingParts['reach']
  readonly isServed?: FollowingParts['isServed']
}

// A daemon loads it with its first loop.
await loadDecider()

/** The real keeper of loops, without a disk. */
export function keptInMemory({ tracker, type, reach = async () => undefined, ...given }: Around) {
  const controller = new LoopController({
    storage: new MemoryLoops(),
    arm: () => {},
    parentOf: (id) => tracker.sessions.lineages.parentOf(id),
    ...given,
    disabled: () => given.disabled || given.policy?.allows('loops') === false,
    complain: () => {},
  })
  const following = new LoopFollower({
    ...given,
    complain: () => {},
    controller,
    type,
    reach,
    isServed: given.isServed ?? (() => false),
    said: (id) => tracker.verdict(id),
    facts: (id) => tracker.sessions.facts(id),
  })
  const loops = new LocalLoops({
    ...given,
    controller,
    following,
    acts: given.acts ?? { note: (act) => ({ ...act, id: 1, at: given.now() }) },
    policy: given.policy ?? new AdminPolicy(),
    complain: () => {},
    blockCapOf: () => 1_000,
  })
  return { controller, following, loops }
}

interface RigOptions extends Pick<Around, 'disabled' | 'acts' | 'policy' | 'isServed'> {
  readonly storage?: MemoryLoops
}

/** The loops with the real core around them, and a clock and a pane that the test controls. */
export class LoopRig {
  readonly storage: MemoryLoops
  readonly tracker = new Tracker(translateClaude)
  readonly controller: LoopController
  readonly following: LoopFollower
  readonly loops: LocalLoops
  readonly armed: string[][] = []
  readonly typed: { readonly session: string; readonly text: string }[] = []
  /** Why nothing can be typed; undefined if it can. */
  noPane: string | undefined
  now = T0
  #reports = 0
  readonly #pids = new Map<string, number>()

  constructor({ storage = new MemoryLoops(), disabled = false, ...more }: RigOptions = {}) {
    this.storage = storage
    const stored = keptInMemory({
      ...more,
      tracker: this.tracker,
      storage,
      disabled,
      now: () => this.now,
      session: (id) => this.session(id),
      publish: (report) => this.following.onSessionsChanged(this.#learn(report)),
      arm: (ids) => this.armed.push([...ids]),
      reach: async () => this.noPane,
      type: async (session, text) => {
        if (this.noPane === undefined) this.typed.push({ session: session.id, text })
        return this.noPane
      },
    })
    this.controller = stored.controller
    this.following = stored.following
    this.loops = stored.loops
  }

  session(id: string): Session | undefined {
    const facts = this.tracker.sessions.facts(id)
    const verdict = this.tracker.verdict(id)
    if (!facts || !verdict) return undefined
    const { lineages } = this.tracker.sessions
    const [lineage, parent] = [lineages.rootOf(id), lineages.parentOf(id)]
    return sessionOf(facts, verdict, {
      machine: OWN_MACHINE,
      host: 'here',
      lineage,
      parent,
      live: true,
    })
  }

  /** One hook of a session; returns the name of its report. */
  hook(session: string, event: string, fields: object = {}, env: object = {}): string {
    this.#reports += 1
    this.now += 10
    const payload = { session_id: session, hook_event_name: event, cwd: '/p', ...fields }
    const report: Report = {
      t: this.now,
      source: 'hook',
      payload,
      env: { ppid: this.pidOf(session), ...env },
    }
    const name = `hook.${this.#reports}`
    const touched = this.#learn(report)
    const arrival = { report, key: `${name}@1`, spooled: spooledAs(name) }
    this.controller.onReport(arrival)
    this.loops.typed.onReport(arrival)
    this.following.onSessionsChanged(touched)
    return name
  }

  /** A line of a session's log. */
  log(session: string, content: object, more: object = {}): void {
    this.now += 10
    const entry = { sessionId: session, message: { content: [content] }, ...more }
    const report: Report = { t: this.now, source: 'transcript', entry }
    this.controller.onReport({ report, cursor: { path: '/log', inode: '1', offset: this.now } })
  }

  /** Each session has its own process, or continues in another's. */
  pidOf(session: string, as?: string): number {
    const pid = this.#pids.get(as ?? session) ?? FIRST_PID + this.#pids.size
    this.#pids.set(session, pid)
    return pid
  }

  /** Any other report. */
  onReport(report: Omit<Report, 't'>): void {
    this.now += 10
    const touched = this.#learn({ t: this.now, ...report } as Report)
    this.following.onSessionsChanged(touched)
  }

  prompt(session: string): void {
    // Longer than a hook can be late.
    this.now += 1_000
    this.hook(session, 'UserPromptSubmit', { prompt: 'x' })
  }

  /** The agent wants to stop, and its hook asks. */
  stop(session: string, message = 'still at it', result?: object) {
    this.now += 1_000
    const asks = { last_assistant_message: message }
    const name = this.hook(session, 'Stop', asks, { asks: 1 })
    return this.ask(name, result)
  }

  ask(report: string, result?: object) {
    const question = { report, digest: spooledAs(report).digest, ...(result && { result }) }
    return this.loops.answer(question, new AbortController().signal).then(plain)
  }

  start(session: string, wanted: Partial<LoopStart> = {}) {
    return this.loops.start({ ...A_LOOP, session, ...wanted }, BY_USER)
  }

  state(session: string): string | undefined {
    return this.tracker.verdict(session)?.state
  }

  #learn(report: Report): ReadonlySet<string> {
    const touched = this.tracker.learn(report)
    this.tracker.judge(touched, this.now)
    return touched
  }
}

const FIRST_PID = 7_000_000

/** The start of a loop, without its session. */
export const A_LOOP: Omit<LoopStart, 'session'> = {
  mode: 'loop',
  prompt: 'Make it work.',
  promptFile: null,
  max: 10,
  item: null,
  worktree: null,
  source: null,
  filter: null,
  until: null,
  forMs: null,
  budgetUsd: null,
  patience: 0,
}

/** The message to the agent, without the form in which its hook prints it. */
function plain(answer: LoopAnswer) {
  if (answer.act !== 'print') return answer
  const { reason, hookSpecificOutput } = answer.output
  if (answer.exit === 2) return { act: 'block' as const, reason: String(reason) }
  const { additionalContext } = hookSpecificOutput as { additionalContext: string }
  return { act: 'say' as const, text: additionalContext }
}
