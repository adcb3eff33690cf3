/** As ids are: nothing in it that a shell would take for anything but itself. */
const PLAIN = /^[\w:%.@][\w:%.@-]*$/

/** A session's id by its beginning is enough where it is one of the client's own. */
const OWN = /^[0-9a-f]{8}-/

/**
 * SPEC PG29. The command that shows a session in tmux, to be copied. An agent may be called
 * anything: where its name is more than a name there is none.
 */
export function jumpCommand(id: string): string | null {
  if (!PLAIN.test(id)) return null
  return `vigil jump ${OWN.test(id) ? id.slice(0, 8) : id}`
}
