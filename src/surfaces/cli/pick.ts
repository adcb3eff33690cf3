import { readAddress } from '../../protocol/address.ts'
import type { Session } from '../../protocol/session.ts'
import { BadInput } from './bad-input.ts'

/**
 * The session a person means: the beginning of an id, a title, or a folder (its last part, or the
 * path). Among several of one name the one that is open, then the one heard of last.
 *
 * SPEC MA8. After a machine's id and a slash only sessions of that machine are meant.
 */
export function pickSession(all: readonly Session[], name: string): Session {
  const { machine, session: said } = readAddress(name)
  const sessions = machine === undefined ? all : all.filter((one) => one.machine === machine)
  for (const matches of [byId, byTitle, byFolder]) {
    const found = sessions.filter((session) => matches(session, said))
    const open = found.filter(({ state }) => state !== 'closed')
    const likely = open.length > 0 ? open : found.toSorted((a, b) => b.since - a.since).slice(0, 1)
    if (likely.length > 1) throw new BadInput(`${name}: could be`, 2, listOf(likely))
    if (likely[0]) return likely[0]
  }
  const there = sessions.length === 0 ? 'there is none' : 'there are'
  const where = machine === undefined ? '' : ` on machine ${machine}`
  const message = `${name}: no session by that id, title or folder${where}; ${there}`
  throw new BadInput(message, 2, listOf(sessions))
}

function byId({ id }: Session, name: string): boolean {
  return id.startsWith(name)
}

function byTitle({ title }: Session, name: string): boolean {
  return title !== null && title.toLowerCase() === name.toLowerCase()
}

function byFolder({ cwd, project }: Session, name: string): boolean {
  const path = name.length > 1 ? name.replace(/\/+$/, '') : name
  return cwd === path || (project !== null && project.toLowerCase() === path.toLowerCase())
}

const LISTED_MAX = 12

function listOf(sessions: readonly Session[]): string[] {
  const lines = sessions
    .slice(0, LISTED_MAX)
    .map(({ id, title, cwd, state }) => `  ${id}  ${state}  ${title ?? cwd ?? ''}`)
  const more = sessions.length - lines.length
  return [...lines, ...(more > 0 ? [`  … and ${more} more`] : [])]
}
