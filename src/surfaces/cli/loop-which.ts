import type { Client } from '../../client/client.ts'
import { addressOf, keyBeside } from '../../protocol/address.ts'
import type { LoopView } from '../../protocol/loop.ts'
import type { Session } from '../../protocol/session.ts'
import { plain } from '../../view/session.ts'
import { BadInput } from './bad-input.ts'
import { ownSession, sessionsNamedIn } from './own-session.ts'
import { pickSession } from './pick.ts'

/**
 * The session that the user means: by name, or else the session around this command, or else the
 * only one.
 */
export async function whichSession(client: Client, name: string | undefined): Promise<Session> {
  const { sessions } = await client.sessions({ all: true })
  if (name !== undefined) return pickSession(sessions, name)
  const open = sessions.filter((session) => session.own && session.state !== 'closed')
  const own = ownSession(open)
  if (own) return own
  refuseUnknown()
  const [only, ...others] = open
  if (!only)
    throw new BadInput('vigil found no running agent on this machine; start one with `vigil run`')
  if (others.length > 0)
    throw new BadInput('several sessions are open. Name one of', 2, listOf(open))
  return only
}

/**
 * The loop that the user means: of a session, of the session around this command, or the only open
 * one. With `over: false` only open loops count.
 */
export async function whichLoop(
  client: Client,
  name: string | undefined,
  { over }: { readonly over: boolean },
): Promise<LoopView> {
  const { sessions } = await client.sessions({ all: true })
  const { loops } = await client.loops({ all: true })
  const among = loops.filter(({ open }) => open || over)
  if (name !== undefined) return named(client, sessions, among, name)
  const open = sessions.filter(({ state }) => state !== 'closed')
  const own = ownSession(open)
  // Within a session its own loop is meant, never another's.
  if (own) return loopIn(own, among, 'this session')
  refuseUnknown()
  const going = among.filter((loop) => loop.open)
  const [only, ...others] = going.length > 0 ? going : among
  if (!only) throw new BadInput(`no loop ${over ? 'is known' : 'is running'}: ${HOW_TO_START}`)
  if (others.length > 0)
    throw new BadInput(
      'several loops are running. Name one of',
      2,
      loopsOf(going.length > 0 ? going : among, sessions),
    )
  return only
}

const HOW_TO_START = '`vigil loop start --help` shows how to start one'

async function named(
  client: Client,
  sessions: readonly Session[],
  among: readonly LoopView[],
  name: string,
): Promise<LoopView> {
  const byId = among.filter(({ id }) => id.startsWith(name))
  if (name.startsWith('loop-') && byId.length === 1) return byId[0] as LoopView
  const session = pickSession(sessions, name)
  return session.own ? loopIn(session, among, name) : loopThere(client, session, name)
}

/** SPEC FL80. Its own machine knows the loop; the address leads there. */
async function loopThere(client: Client, session: Session, name: string): Promise<LoopView> {
  const key = addressOf(session)
  const loop = await client.loop(key)
  if (!loop) throw new BadInput(`${name}: is not in a loop; ${HOW_TO_START}`)
  return { ...loop, id: keyBeside({ id: loop.id, session: key }) }
}

/** SPEC FL80. The key of its session; the loop's own id names the machine. */
export function sessionKeyOf(loop: LoopView): string {
  return keyBeside({ id: loop.session, session: loop.id })
}

function loopIn({ id }: Session, among: readonly LoopView[], name: string): LoopView {
  const loop = latest(among.filter(({ session }) => session === id))
  if (!loop) throw new BadInput(`${name}: is not in a loop; ${HOW_TO_START}`)
  return loop
}

/** An agent that asks about itself must not get another session's loop. */
function refuseUnknown(env: NodeJS.ProcessEnv = process.env): void {
  const [id] = sessionsNamedIn(env)
  if (id)
    throw new BadInput(
      `${plain(id, 60)}: vigil does not know this session; \`vigil doctor\` shows why`,
    )
}

/** An open loop first; a session may have had many. */
function latest(loops: readonly LoopView[]): LoopView | undefined {
  return loops.toSorted((a, b) => Number(b.open) - Number(a.open) || b.startedAt - a.startedAt)[0]
}

const LISTED_MAX = 12

function listOf(sessions: readonly Session[]): string[] {
  return cut(
    sessions.map((session) => `  ${session.id}  ${session.state}  ${plain(session.name, 40)}`),
  )
}

function loopsOf(loops: readonly LoopView[], sessions: readonly Session[]): string[] {
  return cut(
    loops.map(({ session: id, iteration, max, mode }) => {
      const session = sessions.find((one) => one.id === id)
      return `  ${id}  ${mode} ${iteration}/${max}  ${session ? plain(session.name, 40) : ''}`
    }),
  )
}

function cut(lines: readonly string[]): string[] {
  const more = lines.length - LISTED_MAX
  return [...lines.slice(0, LISTED_MAX), ...(more > 0 ? [`  … and ${more} more`] : [])]
}
