import type { StreamEvent } from '../protocol/stream.ts'

/** SPEC FL87. The stream as if this machine were the only one. */
export function ownOnly(events: readonly StreamEvent[]): readonly StreamEvent[] {
  return events.flatMap((event): StreamEvent[] => {
    if (event.kind === 'snapshot')
      return [{ ...event, sessions: event.sessions.filter(({ own }) => own) }]
    if (event.kind === 'session') return event.session.own ? [event] : []
    if (event.kind === 'machine') return event.machine.own ? [event] : []
    // A view that has no row of another machine ignores its end.
    return event.kind === 'machine-gone' ? [] : [event]
  })
}
