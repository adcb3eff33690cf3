import type { Engine } from './engine.ts'

/**
 * SPEC VW26. A name that its user gave a session is that of the one which goes on in its client
 * after a clear. It is a report of its own: the next daemon does not replay what is closed.
 */
export function passNamesOn({ touched, tracker, take }: Engine, now: () => number): void {
  const { sessions } = tracker
  touched.add((ids) => {
    for (const session of ids) {
      const heir = sessions.facts(session)
      const parent = sessions.facts(sessions.lineages.parentOf(session) ?? '')
      const name = parent?.succeeded && parent.details.name
      if (!heir || !name || heir.details.name !== undefined) continue
      // What was resumed is another conversation.
      if (heir.opened?.how === 'resume') continue
      const { agent } = heir
      take([{ report: { t: now(), source: 'keystroke', agent, session, what: 'name', name } }])
    }
  })
}
