import { isPlainWord } from '../core/shell-word.ts'

/** For an id that the client made, its first part is enough. */
const OWN = /^[0-9a-f]{8}-/

/**
 * SPEC PG29. A command to copy that shows a session in tmux. An agent may have any name: if the
 * name has a meaning to a shell, there is no command.
 */
export function jumpCommand(id: string): string | null {
  if (!isPlainWord(id)) return null
  return `vigil jump ${OWN.test(id) ? id.slice(0, 8) : id}`
}
