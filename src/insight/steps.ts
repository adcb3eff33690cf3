import type { Signal } from '../core/signal.ts'
import type { Lane, TimelineSpan } from '../protocol/insight.ts'

interface Step {
  word: string
  detail: string | null
  from: number | undefined
  to: number | undefined
  readonly actor: string | undefined
}

/** SPEC IN21. The tools and subagents of a session, from its signals in any order. */
export class Steps {
  readonly #tools = new Map<string, Step>()
  readonly #tasks = new Map<string, Step>()

  take(signal: Signal): void {
    switch (signal.kind) {
      case 'tool-started': {
        const tool = stepIn(this.#tools, signal.id, signal.actor)
        tool.word = signal.name
        tool.detail ??= signal.label ?? null
        tool.from = earlier(tool.from, signal.at)
        break
      }
      case 'tool-ended': {
        const tool = stepIn(this.#tools, signal.id, signal.actor)
        tool.to = earlier(tool.to, signal.at)
        break
      }
      case 'task-started': {
        const task = stepIn(this.#tasks, signal.id, undefined)
        task.word = signal.what
        task.detail ??= signal.label ?? null
        task.from = earlier(task.from, signal.at)
        break
      }
      case 'task-ended': {
        // A resumed task ends more than once.
        const task = stepIn(this.#tasks, signal.id, undefined)
        task.to = Math.max(task.to ?? signal.at, signal.at)
      }
    }
  }

  /** `endedAt`: when the session ended; steps without an end ended then. */
  lanes(endedAt: number | null): Lane[] {
    const main = spansOf(ofActor(this.#tools, undefined), 'tool', endedAt)
    const lanes: Lane[] = main.length > 0 ? [{ kind: 'tool', name: 'tools', spans: main }] : []
    const tasks = [...this.#tasks].toSorted(([, a], [, b]) => (a.from ?? 0) - (b.from ?? 0))
    for (const [id, task] of tasks) {
      const own = spansOf([task], 'task', endedAt)
      if (own.length === 0) continue
      const tools = spansOf(ofActor(this.#tools, id), 'tool', task.to ?? endedAt)
      lanes.push({ kind: 'subagent', name: task.detail ?? task.word, spans: [...own, ...tools] })
    }
    return lanes
  }
}

function stepIn(steps: Map<string, Step>, id: string, actor: string | undefined): Step {
  const known = steps.get(id)
  if (known) return known
  const step: Step = { word: '', detail: null, from: undefined, to: undefined, actor }
  steps.set(id, step)
  return step
}

/** Hook and transcript both report it; either may be late. */
function earlier(known: number | undefined, reported: number): number {
  return known === undefined ? reported : Math.min(known, reported)
}

function* ofActor(steps: Map<string, Step>, actor: string | undefined): Generator<Step> {
  for (const step of steps.values()) if (step.actor === actor) yield step
}

/** A step without a known beginning cannot be drawn. */
function spansOf(steps: Iterable<Step>, tone: string, endedAt: number | null): TimelineSpan[] {
  const spans: TimelineSpan[] = []
  for (const { word, detail, from, to } of steps) {
    if (from === undefined) continue
    const end = to ?? endedAt
    const over = end === null ? null : Math.max(from, end)
    spans.push({ from, to: over, word, tone, detail, why: null })
  }
  return spans.toSorted((a, b) => a.from - b.from)
}
