import type { RecordedLine } from '../../src/agents/truth-reader.ts'
import { entryOf, type Hook, hookOf, livesOf } from './lines.ts'
import { type Peer, Sayings, ticks } from './peer.ts'

/** The document's constants in whole seconds, which it compares. */
const HEALTH_CHECK_INTERVAL_SECS = 10
const STALENESS_THRESHOLD_SECS = 2

/**
 * plate-spinner by its document: five hooks, a health check by the transcript's time, and the
 * wrapper `sp run`, which reports the end of its child.
 */
export const PLATE_SPINNER: Peer = {
  name: 'plate-spinner',
  knows: 'five hooks, health check every 10 s, run wrapper',
  judge({ lines, endAt }) {
    const plate = new Plate()
    for (const { t, happen } of happeningsOf(lines, endAt)) happen(plate, t)
    return plate.sayings.all
  },
}

interface Happening {
  readonly t: number
  readonly happen: (plate: Plate, t: number) => void
}

/** Lines, ends and health checks in order of time. */
function happeningsOf(lines: readonly RecordedLine[], endAt: number): readonly Happening[] {
  const start = lines[0]?.t ?? endAt
  const happenings: Happening[] = lines.map((line) => ({
    t: line.t,
    happen: (plate) => plate.see(line),
  }))
  for (const { t, alive } of livesOf(lines))
    if (!alive) happenings.push({ t, happen: (plate) => plate.close(t) })
  // The daemon was started at some time before: counting its checks from the first line is
  // arbitrary.
  for (const t of ticks(start, HEALTH_CHECK_INTERVAL_SECS * 1000, endAt))
    happenings.push({ t, happen: (plate) => plate.check(t) })
  return happenings.toSorted((a, b) => a.t - b.t)
}

class Plate {
  readonly sayings = new Sayings()
  /** Each session has a plate of its own; the one that began last is looked at. */
  #session: string | undefined
  #eventAt = 0
  #transcriptAt = 0

  see(line: RecordedLine): void {
    const hook = hookOf(line)
    if (hook) this.#hook(line.t, hook)
    if (entryOf(line)) this.#transcriptAt = line.t
  }

  #hook(t: number, hook: Hook): void {
    const state = stateAfter(hook)
    if (state === undefined) return
    if (hook.hook_event_name === 'SessionStart') this.#session = hook.session_id
    if (hook.session_id !== this.#session && this.#session !== undefined) return
    this.#eventAt = t
    this.sayings.say(t, state)
  }

  /** The transcript went on without a hook: a waiting or failed session is taken for idle. */
  check(t: number): void {
    const { state } = this.sayings
    if (state !== 'waiting' && state !== 'error') return
    if (seconds(this.#transcriptAt) > seconds(this.#eventAt) + STALENESS_THRESHOLD_SECS)
      this.sayings.say(t, 'idle')
  }

  close(t: number): void {
    this.sayings.say(t, 'closed')
  }
}

/** The document's transitions; none of them depends on the previous state. */
function stateAfter({ hook_event_name: event, tool_name: tool, error }: Hook): string | undefined {
  switch (event) {
    case 'SessionStart':
    case 'UserPromptSubmit':
    case 'PostToolUse':
      return 'working'
    case 'PreToolUse':
      return tool === 'AskUserQuestion' || tool === 'ExitPlanMode' ? 'waiting' : 'working'
    case 'Stop':
      return error ? 'error' : 'idle'
    default:
      return undefined
  }
}

function seconds(t: number): number {
  return Math.floor(t / 1000)
}
