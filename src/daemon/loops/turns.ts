import type { LoopCall, LoopEvent } from '../../agents/loops.ts'

/** What a session in a loop has done since it last wanted to stop. */
export interface Effort {
  readonly failing?: string
  readonly changed: boolean
}

type ToolEvent = Extract<LoopEvent, { is: 'tool' | 'calls' | 'results' }>

export function isOfTool(event: LoopEvent): event is ToolEvent {
  return event.is === 'tool' || event.is === 'calls' || event.is === 'results'
}

interface Turn {
  failing: string | undefined
  changed: boolean
  /** Called without a result yet, by id. */
  readonly called: Map<string, LoopCall>
}

/** More than are ever open at once. */
const CALLED_MAX = 64

/** How many sessions are tracked: only those in loops. */
const SESSIONS_MAX = 1_000

/** SPEC LP74. Whether the turns of a loop make progress, by the tools that they use. */
export class Turns {
  readonly #turns = new Map<string, Turn>()

  /** Hook and log may report the same call: counting it twice has no effect. */
  note(event: ToolEvent): void {
    const turn = this.#turnOf(event.session)
    if (event.is === 'tool') noteEnd(turn, event, event.failed)
    if (event.is === 'calls') for (const { id, ...call } of event.calls) noteCall(turn, id, call)
    if (event.is === 'results')
      for (const { id, failed } of event.results) {
        const call = turn.called.get(id)
        turn.called.delete(id)
        if (call) noteEnd(turn, call, failed)
      }
  }

  #turnOf(session: string): Turn {
    const known = this.#turns.get(session)
    const turn = known ?? { failing: undefined, changed: false, called: new Map() }
    this.#turns.delete(session)
    this.#turns.set(session, turn)
    if (this.#turns.size > SESSIONS_MAX) this.#turns.delete(this.#turns.keys().next().value ?? '')
    return turn
  }

  effortOf(session: string): Effort {
    const { failing, changed = false } = this.#turns.get(session) ?? {}
    return { changed, ...(failing !== undefined && { failing }) }
  }

  forget(session: string): void {
    this.#turns.delete(session)
  }
}

function noteCall({ called }: Turn, id: string, call: LoopCall): void {
  called.set(id, call)
  if (called.size > CALLED_MAX) called.delete(called.keys().next().value ?? '')
}

function noteEnd(turn: Turn, { call, changes }: LoopCall, failed: boolean): void {
  if (failed) turn.failing = call
  else if (turn.failing === call) turn.failing = undefined
  turn.changed ||= changes && !failed
}
