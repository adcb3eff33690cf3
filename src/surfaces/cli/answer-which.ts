import type { Client } from '../../client/client.ts'
import { addressOf, keyedRow } from '../../protocol/address.ts'
import type { OpenRequest } from '../../protocol/request.ts'
import type { Session } from '../../protocol/session.ts'
import { isStale, UNREACHABLE } from '../../view/freshness.ts'
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
  const { sessions, session, requests, silent, now } = await askedBy(client, name)
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
    throw new BadInput(first, 2, [...rest, ...silent])
  }
  // A machine that does not reply may have another one.
  if (others.length > 0 || (id === undefined && silent.length > 0))
    throw new BadInput('several requests are open. Name the session, or use --request CODE:', 2, [
      ...shown(able),
      ...silent,
    ])
  return { request: only, session: sessions.find((one) => one.id === only.session), now }
}

/** SPEC FL80. Sessions by their keys, and the open requests of one or of all of them. */
async function askedBy(client: Client, name: string | undefined) {
  const { sessions: all, now } = await client.sessions({ all: false })
  const picked = name === undefined ? undefined : pickSession(all, name)
  const session = picked && keyedRow(picked)
  if (session && isStale(session)) throw new BadInput(`${name}: ${UNREACHABLE}`, 1)
  const sessions = all.map(keyedRow)
  const own =
    picked?.own === false ? [] : (await client.requests(picked && addressOf(picked))).requests
  const asking = sessions.filter((one) => !one.own && !isStale(one) && one.asks.length > 0)
  const there = session ? asking.filter(({ id }) => id === session.id) : asking
  const silent = new Set<string>()
  const others = await Promise.all(
    there.map(async ({ id, host }) => {
      try {
        const { requests } = await client.requests(id)
        return requests.map((one) => ({ ...one, session: id }))
      } catch (error) {
        const { name: kind, message } = error as Error
        if (session || kind === 'DaemonGone') throw error
        // SPEC FL189. Requests of other machines can be answered all the same.
        silent.add(`${plain(host, 60)}: ${plain(message, 200)}`)
        return []
      }
    }),
  )
  const requests = [...own, ...others.flat()]
  return { sessions, session, requests, silent: [...silent], now }
}

/** All open requests, for `vigil answer` without arguments. */
export async function everyRequest(client: Client, name: string | undefined) {
  const { sessions, session, requests, silent, now } = await askedBy(client, name)
  const waits = waitsOf(session ? [session] : sessions, requests)
  const lines = [...listOf(requests, sessions, now), ...waits, ...silent]
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
  const waiting = sessions.filter(
    (one) => one.state === 'waiting' && !isStale(one) && !known.has(one.id),
  )
  return waiting.flatMap(printedWait)
}

function listOf(requests: readonly OpenRequest[], sessions: readonly Session[], now: number) {
  return requests.flatMap((request) => {
    const session = sessions.find(({ id }) => id === request.session)
    return printedRequest(request, session, now)
  })
}
