import type { Engine } from './engine.ts'

/**
 * SPEC VW26. The user's name for a session passes to the session that continues in its client after
 * a clear. It is a separate report: the next daemon does not replay closed sessions.
 */
export function passNamesOn({ touched, tracker, take }: Engine, now: () => number): void {
  const { sessions } = tracker
  touched.add((ids) => {
    for (const session of ids) {
      const successor = sessions.facts(session)
      const parent = sessions.facts(sessions.lineages.parentOf(session) ?? '')
      const name = parent?.succeeded && parent.details.name
      if (!successor || !name || successor.details.name !== undefined) continue
      // A resumed session is another conversation.
      if (successor.opened?.how === 'resume') continue
      const { agent } = successor
      take([{ report: { t: now(), source: 'keystroke', agent, session, what: 'name', name } }])
    }
  })
}
