import type { Event } from '../model/state.ts'

/** Changes that follow one another are one step: each costs as much as there are sessions. */
export function joined(events: readonly Event[]): readonly Event[] {
  const out: Event[] = []
  for (const event of events) {
    const last = out.at(-1)
    if (event.kind === 'changed' && last?.kind === 'changed')
      out[out.length - 1] = { ...event, changes: [...last.changes, ...event.changes] }
    else out.push(event)
  }
  return out
}
