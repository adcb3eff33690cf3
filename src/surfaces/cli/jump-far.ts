import { isPlainWord } from '../../core/shell-word.ts'
import { foldersOf } from '../../home/folders.ts'
import { readSettings } from '../../home/settings.ts'
import { pathTo } from '../../platform/programs.ts'
import { readAddress } from '../../protocol/address.ts'
import type { Session } from '../../protocol/session.ts'
import { abilitiesOf } from '../../view/board/abilities.ts'
import { plain } from '../../view/session.ts'

interface Far {
  /** Gives the terminal to a program until it ends; undefined where there is none. */
  readonly run: ((program: string, args: readonly string[]) => Promise<number>) | undefined
  readonly template?: string
}

/**
 * SPEC FL90. Shows a session of another machine in this terminal, by the user's own `fleet.ssh`.
 * Returns why it failed, in words; nothing on success.
 */
export async function jumpFar(session: Session, { run, template }: Far) {
  const { jump, resume } = abilitiesOf(session, null)
  if (jump !== null) return session.state === 'closed' ? (resume ?? jump) : jump
  const words = farCommand(session, template ?? readSettings(foldersOf()).fleet.ssh)
  if (typeof words === 'string') return words
  const command = words.join(' ')
  if (!run) return `it runs on ${plain(session.host, 60)}; in a terminal run: ${command}`
  const [program = '', ...args] = words
  const code = await run(pathTo(program), args).catch((error: Error) => error.message)
  if (typeof code === 'string') return `${command}: cannot be started (${code})`
  return code === 0 ? undefined : `${command}: ended with exit code ${code}`
}

/** Letters that neither an option of ssh nor its configuration's tokens can be made of. */
const HOST = /^[A-Za-z0-9._@:][A-Za-z0-9._@:-]*$/

/**
 * SPEC FL90. The words of the command, or why there is none. Another machine chose its name and its
 * sessions' ids: ssh would take a name with a hyphen in front as an option, and gives the rest to a
 * shell over there.
 */
export function farCommand(
  session: Pick<Session, 'id' | 'host'>,
  template: string,
): readonly string[] | string {
  const { host } = session
  const { session: id } = readAddress(session.id)
  if (!HOST.test(host)) return `${plain(host, 60)}: is not a host name that ssh can be given`
  if (!isPlainWord(id))
    return `${plain(id, 60)}: this id has a meaning to a shell; go there by hand`
  const words = template.split(/\s+/).filter((word) => word !== '')
  if (words.length === 0) return 'the setting fleet.ssh names no program'
  return words.map((word) =>
    word.replaceAll(/\{(host|session)\}/g, (_, name) => (name === 'host' ? host : id)),
  )
}
