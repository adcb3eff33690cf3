import type { Happening, Signal } from './signal.ts'

/**
 * SPEC B10. What a subagent's own thread reports, as it concerns the session that it belongs to:
 * its turn is a task, its tools and requests are those of an actor.
 */
export function asSubagents(signal: Signal, of: string): readonly Signal[] {
  const { at, source, about } = signal
  const actor = about.session ?? ''
  const context = { at, source, about: { agent: about.agent, session: of } }
  return meaning(signal, actor).map((happening) => ({ ...happening, ...context }) as Signal)
}

function meaning(signal: Signal, actor: string): readonly Happening[] {
  switch (signal.kind) {
    case 'turn-started':
      return [{ kind: 'task-started', id: actor, what: 'subagent' }]
    case 'turn-ended':
    case 'turn-interrupted':
    case 'turn-failed':
      return [{ kind: 'task-ended', id: actor }]
    case 'self-report':
      return word(signal, actor)
    case 'tool-started':
    case 'tool-ended':
    case 'tools-settled':
    case 'spoke':
    case 'request-opened':
    case 'request-closed':
      return [{ ...signal, actor }]
    case 'life':
      return [{ kind: 'life' }]
    default:
      return []
  }
}

/** No source but its own word tells that a subagent waits, and for what. */
const UNNAMED = 'subagent'

function word(signal: Signal & { kind: 'self-report' }, actor: string): readonly Happening[] {
  switch (signal.status) {
    case 'working':
      return [
        { kind: 'task-started', id: actor, what: 'subagent' },
        { kind: 'request-closed', tool: UNNAMED, actor },
      ]
    case 'waiting':
      return [
        {
          kind: 'request-opened',
          for: signal.for ?? 'permission',
          tool: UNNAMED,
          input: '',
          actor,
        },
      ]
    case 'idle':
      return [{ kind: 'task-ended', id: actor }]
    default:
      return []
  }
}
