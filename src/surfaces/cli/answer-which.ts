import type { Client } from '../../daemon/client/client.ts'
import type { OpenRequest } from '../../daemon/requests/shapes.ts'
import type { Session } from '../../daemon/session.ts'
import { nameOf, plain } from '../../view/session.ts'
import { requestLines } from './answer-said.ts'
import { BadInput } from './bad-input.ts'
import { refuseAgents } from './no-agent.ts'
import { pickSession } from './pick.ts'

export interface Which {
  readonly session: string | undefined
  /** The very request, where a session has several. */
  readonly request: string | undefined
}

/** SPEC AN23. The request that is meant: never guessed where there are several. */
export async function whichRequest(client: Client, { session: name, request: id }: Which) {
  const { sessions, now } = await client.sessions({ all: false })
  refuseAgents(sessions, 'answers what agents ask')
  const session = name === undefined ? undefined : pickSession(sessions, name)
  const { requests } = await client.requests(session?.id)
  const open = requests.filter((one) => id === undefined || one.id === id)
  const able = open.filter(({ answerable }) => answerable)
  const shown = (some: readonly OpenRequest[]) => listOf(some, sessions, now)
  const [only, ...others] = able
  if (!only && open.length > 0) throw new BadInput(`nothing to answer from here:\n${shown(open)}`)
  if (!only) throw new BadInput(nobodyAsks(session))
  if (others.length > 0)
    throw new BadInput(`which one? say the session, or --request ID:\n${shown(able)}`)
  return { request: only, session: sessions.find((one) => one.id === only.session), now }
}

/** All that is asked, for who says no more than `vigil answer`. */
export async function everyRequest(client: Client, name: string | undefined) {
  const { sessions, now } = await client.sessions({ all: false })
  const session = name === undefined ? undefined : pickSession(sessions, name)
  const { requests } = await client.requests(session?.id)
  return {
    requests,
    text: requests.length === 0 ? nobodyAsks(session) : listOf(requests, sessions, now),
  }
}

function nobodyAsks(session: Session | undefined): string {
  return session
    ? `${plain(nameOf(session), 40)} asks nothing at present`
    : 'no agent asks anything at present'
}

function listOf(requests: readonly OpenRequest[], sessions: readonly Session[], now: number) {
  return requests
    .flatMap((request) => {
      const session = sessions.find(({ id }) => id === request.session)
      return [...requestLines(request, session, now), `  --request ${request.id}`]
    })
    .join('\n')
}
