import type { RecordedLine } from '../../src/agents/truth-reader.ts'
import { type Confidences, type Detection, detect, LOWERED } from './claude-rpg-screen.ts'
import { type Hook, hookOf, type Life, livesOf, Screen } from './lines.ts'
import { type Peer, Sayings, ticks, type View } from './peer.ts'

const POLL_MS = 250

interface Constants {
  readonly idleMs: number
  readonly unknownMs: number
  /** After a hook the rules that end a turn by time are suspended for this long. */
  readonly lockMs: number
  readonly confidences: Confidences
}

const KNOWS = 'hooks, screen every 250 ms by patterns of today'

/** As the audit found it. */
export const CLAUDE_RPG: Peer = {
  name: 'claude-rpg, at best',
  knows: KNOWS,
  judge: (view) => judge(view, { idleMs: 3_000, unknownMs: 5_000, lockMs: 0, confidences: {} }),
}

/** With what was changed after the audit. */
export const CLAUDE_RPG_AMENDED: Peer = {
  name: 'claude-rpg amended, at best',
  knows: `${KNOWS}, after its audit`,
  judge: (view) =>
    judge(view, { idleMs: 10_000, unknownMs: 15_000, lockMs: 5_000, confidences: LOWERED }),
}

function judge({ lines, endAt }: View, constants: Constants) {
  const pane = new Pane(lines, constants)
  let next = 0
  for (const t of ticks(lines[0]?.t ?? endAt, POLL_MS, endAt)) {
    for (; (lines[next]?.t ?? Infinity) <= t; next++) pane.see(lines[next] as RecordedLine)
    pane.poll(t)
  }
  return pane.sayings.all
}

/**
 * The meaning of a hook. The audit names PreToolUse and Stop. That a prompt means work favours it;
 * that some hook means waiting follows from its rule 2, and PermissionRequest fits best.
 */
function statusOf({ hook_event_name: event }: Hook): string | undefined {
  switch (event) {
    case 'UserPromptSubmit':
    case 'PreToolUse':
    case 'PostToolUse':
      return 'working'
    case 'PermissionRequest':
      return 'waiting'
    case 'Stop':
      return 'idle'
    default:
      return undefined
  }
}

class Pane {
  readonly sayings = new Sayings()
  readonly #constants: Constants
  readonly #screen: Screen
  readonly #lives: readonly Life[]
  /** By hooks alone, whatever the screen shows: so the audit words it, and it recovers better. */
  #hookStatus = 'idle'
  #hookAt = -Infinity
  #hookChangedAt = -Infinity

  constructor(lines: readonly RecordedLine[], constants: Constants) {
    this.#constants = constants
    this.#screen = new Screen(lines)
    this.#lives = livesOf(lines)
  }

  see(line: RecordedLine): void {
    const hook = hookOf(line)
    const status = hook && statusOf(hook)
    // A pane that the poll has not found yet has no session.
    if (status === undefined || !this.#open) return
    this.#hookAt = line.t
    if (status !== this.#hookStatus) this.#hookChangedAt = line.t
    this.#hookStatus = status
    this.sayings.say(line.t, status)
  }

  get #open(): boolean {
    return this.sayings.state !== undefined && this.sayings.state !== 'closed'
  }

  poll(t: number): void {
    const alive = this.#lives.findLast((life) => life.t <= t)?.alive
    if (alive === undefined) return
    if (alive && !this.#open) this.#hookStatus = 'idle'
    const shown = this.#screen.at(t)
    if (!alive) this.sayings.say(t, 'closed')
    else if (shown) this.sayings.say(t, this.#reconciled(t, shown.text, shown.t))
    else this.sayings.say(t, this.#hookStatus)
  }

  #reconciled(t: number, text: string, shownAt: number): string {
    const seen = detect(text, this.#constants.confidences)
    const hook = this.#hookStatus
    return this.#byPrompt(hook, seen) ?? this.#byTime(t, hook, seen, shownAt) ?? trusted(hook, seen)
  }

  /** Rules 1 to 3: a prompt is there, a prompt is gone, an error is there. */
  #byPrompt(hook: string, { status, confidence }: Detection): string | undefined {
    if (hook === 'working' && status === 'waiting' && confidence > 0.7) return 'waiting'
    if (hook === 'waiting' && status !== 'waiting' && confidence > 0.6)
      return status === 'unknown' ? 'working' : status
    return status === 'error' && confidence > 0.75 ? 'error' : undefined
  }

  /** Rules 4 and 5: a turn whose end no hook reported. */
  #byTime(
    t: number,
    hook: string,
    { status, confidence }: Detection,
    shownAt: number,
  ): string | undefined {
    const { idleMs, unknownMs, lockMs } = this.#constants
    if (hook !== 'working' || t - this.#hookAt <= lockMs) return undefined
    if (status === 'idle' && confidence > 0.6 && t - shownAt > idleMs) return 'idle'
    return status === 'unknown' && t - this.#hookChangedAt > unknownMs ? 'idle' : undefined
  }
}

/** Rules 6 and 7, and the default. */
function trusted(hook: string, { status, confidence }: Detection): string {
  return confidence > 0.8 && status !== 'unknown' ? status : hook
}
