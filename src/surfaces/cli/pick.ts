import { readAddress } from '../../protocol/address.ts'
import type { Session } from '../../protocol/session.ts'
import { plain } from '../../view/session.ts'
import { BadInput } from './bad-input.ts'
import { ownSession } from './own-session.ts'

type Matches = (session: Session, said: string) => boolean

const hasId: Matches = ({ id }, said) => id === said
/** The name of a process before its session was known. */
const hasPid: Matches = ({ pid, own }, said) => own && pid !== null && said === `process:${pid}`
const hasName: Matches = ({ name }, said) => name.toLowerCase() === said.toLowerCase()
const hasTitle: Matches = ({ title }, said) => title?.toLowerCase() === said.toLowerCase()
const hasFolder: Matches = ({ cwd, project }, said) => {
  const path = said.length > 1 ? said.replace(/\/+$/, '') : said
  return cwd === path || project?.toLowerCase() === path.toLowerCase()
}
const beginsId: Matches = ({ id }, said) => id.startsWith(said)
const beginsOther: Matches = ({ name, title, project, cwd }, said) =>
  cwd?.startsWith(said) === true ||
  [name, title, project].some((one) => one?.toLowerCase().startsWith(said.toLowerCase()))

const WHOLE = [hasId, hasPid, hasName, hasTitle, hasFolder]
const BEGUN = [beginsId, beginsOther]

/**
 * SPEC CM17. The session that the user means: an id, a name, a title or a folder (its last part, or
 * the path), or else the beginning of one; `.` is the session here. An open session comes before
 * closed ones of the same name, and among closed ones the most recent.
 *
 * SPEC MA8, FL86. After a machine's id or name and a slash only sessions of that machine count.
 */
export function pickSession(all: readonly Session[], name: string, here = sessionHere): Session {
  if (name === '.') return here(all)
  const { machine } = readAddress(name)
  const scopes = scopesOf(all, name)
  for (const { sessions, said } of scopes) {
    const found = foundIn(sessions, said)
    if (!found) continue
    if (found.length > 1) throw new BadInput(`${name}: could be`, 2, listOf(found))
    return found[0] as Session
  }
  const sessions = scopes.at(-1)?.sessions ?? []
  const there = sessions.length === 0 ? 'there is none' : 'there are'
  const where = machine === undefined ? '' : ` on machine ${machine}`
  const message = `${name}: no session has this id, name or folder${where}; ${there}`
  throw new BadInput(message, 2, listOf(sessions))
}

interface Scope {
  readonly sessions: readonly Session[]
  /** What the user said, without the machine. */
  readonly said: string
}

/** A name may have slashes of its own: that it names a machine is tried second. */
function scopesOf(all: readonly Session[], name: string): readonly Scope[] {
  const { machine, session } = readAddress(name)
  if (machine !== undefined)
    return [{ sessions: all.filter((one) => one.machine === machine), said: session }]
  const slash = name.indexOf('/')
  const host = name.slice(0, Math.max(0, slash)).toLowerCase()
  const there = host === '' ? [] : all.filter((one) => one.host.toLowerCase() === host)
  const whole = { sessions: all, said: name }
  return there.length === 0 ? [whole] : [whole, { sessions: there, said: name.slice(slash + 1) }]
}

function foundIn(sessions: readonly Session[], said: string): readonly Session[] | undefined {
  const open = sessions.filter(isOpen)
  const shut = sessions.filter((session) => !isOpen(session)).toSorted(latestFirst)
  for (const ways of [WHOLE, BEGUN]) {
    const found = firstOf(ways, open, said) ?? firstOf(ways, shut, said)?.slice(0, 1)
    if (found) return found
  }
  return undefined
}

/** The session in whose shell this runs, or else the session that works in this folder. */
export function sessionHere(
  all: readonly Session[],
  own = ownSession,
  folder = process.cwd(),
): Session {
  const local = all.filter((one) => one.own)
  const open = local.filter(isOpen)
  const session = own(open)
  if (session) return session
  const inFolder = local.filter(({ cwd }) => cwd === folder)
  const [first, ...others] = inFolder.some(isOpen)
    ? inFolder.filter(isOpen)
    : inFolder.toSorted(latestFirst).slice(0, 1)
  if (!first)
    throw new BadInput('.: no session works in this folder. The sessions are:', 2, listOf(open))
  if (others.length > 0) throw new BadInput('.: could be', 2, listOf([first, ...others]))
  return first
}

function firstOf(ways: readonly Matches[], sessions: readonly Session[], said: string) {
  for (const matches of ways) {
    const found = sessions.filter((session) => matches(session, said))
    if (found.length > 0) return found
  }
  return undefined
}

function isOpen({ state }: Session): boolean {
  return state !== 'closed'
}

function latestFirst(a: Session, b: Session): number {
  return b.since - a.since
}

const LISTED_MAX = 12

/** SPEC FL86. With the machines, where several are among them. */
function listOf(sessions: readonly Session[]): string[] {
  const isFleet = sessions.some(({ own }) => !own)
  const lines = sessions.slice(0, LISTED_MAX).map(({ id, name, cwd, state, host }) => {
    const where = isFleet ? `${plain(host, 40)}/` : ''
    return `  ${id}  ${state}  ${where}${plain(name, 40)}  ${cwd ?? ''}`
  })
  const more = sessions.length - lines.length
  return [...lines, ...(more > 0 ? [`  … and ${more} more`] : [])].map((line) => line.trimEnd())
}
