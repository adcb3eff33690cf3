import { isPlainWord } from '../core/shell-word.ts'
import { readAddress } from '../protocol/address.ts'

/** For an id that the client made, its first part is enough. */
const OWN = /^[0-9a-f]{8}-/

/**
 * SPEC PG29. A command to copy that shows a session in tmux. An agent may have any name: if the
 * name has a meaning to a shell, there is no command.
 */
export function jumpCommand(key: string): string | null {
  // SPEC FL91. A session of another machine is called by its address.
  const { machine, session: id } = readAddress(key)
  if (!isPlainWord(id)) return null
  const there = machine === undefined ? '' : `${machine}/`
  return `vigil jump ${there}${OWN.test(id) ? id.slice(0, 8) : id}`
}
