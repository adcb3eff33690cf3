import type { Client } from '../../client/client.ts'
import { addressOf } from '../../protocol/address.ts'
import type { OpenRequest } from '../../protocol/request.ts'
import type { Session } from '../../protocol/session.ts'
import { plain } from '../../view/session.ts'
import { printedRequest, printedWait, requestCode } from './answer-said.ts'
import { BadInput } from './bad-input.ts'
import { pickSession } from './pick.ts'

export interface Which {
  readonly session: string | undefined
  /** The code that `vigil answer` shows beside the request, or its id. */
  readonly request: string | undefined
}

/** SPEC AN23. The request that the user means; with several candidates it is never guessed. */
export async function whichRequest(client: Client, { session: name, request: id }: Which) {
  const { sessions, now } = await client.sessions({ all: false })
  const session = name === undefined ? undefined : pickSession(sessions, name)
  const { requests } = await client.requests(session && addressOf(session))
  const open = requests.filter((one) => id === undefined || [one.id, requestCode(one)].includes(id))
  const able = open.filter(({ answerable }) => answerable)
  const shown = (some: readonly OpenRequest[]) => listOf(some, sessions, now)
  const [only, ...others] = able
  if (!only && open.length > 0)
    throw new BadInput('no request can be answered here:', 2, shown(open))
  if (!only && id !== undefined && requests.length > 0)
    throw new BadInput(
      `--request ${id}: no open request has this code. The open requests are:`,
      2,
      shown(requests),
    )
  if (!only) {
    const [first = nobodyAsks(session), ...rest] = waitsOf(session ? [session] : sessions, requests)
    throw new BadInput(first, 2, rest)
  }
  if (others.length > 0)
    throw new BadInput(
      'several requests are open. Name the session, or use --request CODE:',
      2,
      shown(able),
    )
  return { request: only, session: sessions.find((one) => one.id === only.session), now }
}

/** All open requests, for `vigil answer` without arguments. */
export async function everyRequest(client: Client, name: string | undefined) {
  const { sessions, now } = await client.sessions({ all: false })
  const session = name === undefined ? undefined : pickSession(sessions, name)
  const { requests } = await client.requests(session && addressOf(session))
  const waits = waitsOf(session ? [session] : sessions, requests)
  const lines = [...listOf(requests, sessions, now), ...waits]
  return {
    requests: requests.map((one) => ({ ...one, code: requestCode(one) })),
    lines: lines.length === 0 ? [nobodyAsks(session)] : lines,
  }
}

function nobodyAsks(session: Session | undefined): string {
  return session ? `${plain(session.name, 40)} has no open request` : 'no agent has an open request'
}

/** SPEC AN31. Sessions that wait for their user and have no known request. */
function waitsOf(sessions: readonly Session[], requests: readonly OpenRequest[]) {
  const known = new Set(requests.map(({ session }) => session))
  const waiting = sessions.filter(({ id, state }) => state === 'waiting' && !known.has(id))
  return waiting.flatMap(printedWait)
}

function listOf(requests: readonly OpenRequest[], sessions: readonly Session[], now: number) {
  return requests.flatMap((request) => {
    const session = sessions.find(({ id }) => id === request.session)
    return printedRequest(request, session, now)
  })
}
