import type { Command } from 'commander'
import type { Client } from '../../client/client.ts'
import { STATES, type State } from '../../core/verdict.ts'
import { keyOf, readAddress } from '../../protocol/address.ts'
import type { Session } from '../../protocol/session.ts'
import { isStale, UNREACHABLE } from '../../view/freshness.ts'
import { inAttention } from '../../view/order.ts'
import { plain, wordsOf } from '../../view/session.ts'
import { BadInput } from './bad-input.ts'
import { durationOption } from './loop-values.ts'
import { SESSION_IS } from './option-words.ts'
import { err, out } from './output.ts'
import { pickSession } from './pick.ts'
import { reach } from './reach.ts'
import { isInFleet, remoteRows } from './remote-rows.ts'

interface Options {
  readonly until: ReadonlySet<State>
  readonly timeout?: number
  readonly any?: boolean
  readonly json?: boolean
}

/** As `timeout` of coreutils. */
const EXIT_TIMEOUT = 124
/** The session ended before it reached the state. */
const EXIT_NEVER = 1

export function addWait(program: Command): void {
  program
    .command('wait')
    .description('wait until a session is in one of these states')
    .argument('[session]', SESSION_IS)
    .option('--any', 'wait for any session instead of one')
    .requiredOption('--until <state,…>', `the states to wait for: ${STATES.join(', ')}`, parseUntil)
    .option(
      '--timeout <time>',
      'give up after this time, such as 2s, 10m, 1h30m, or a number of seconds',
      parseTimeout,
    )
    .option('--json', 'print the session as JSON when it is in the state')
    .addHelpText('after', HELP)
    .action((name: string | undefined, options: Options) => wait(name, options))
}

const HELP = `
Examples:
  vigil wait payments --until idle && make deploy
  vigil wait 3f2a --until waiting,error,closed --timeout 10m
  vigil wait --any --until waiting --json

Exit code 0: reached. 1: the session was closed first. 124: timed out. 2: no such session or state.`

async function wait(name: string | undefined, options: Options): Promise<void> {
  const { until, timeout, any } = options
  if ((name === undefined) !== (any === true)) throw new BadInput('expected a session or --any')
  const client = await reach()
  const ended = timeout === undefined ? new AbortController().signal : AbortSignal.timeout(timeout)
  const found =
    name === undefined ? await firstOf(client, until, ended) : await one(client, name, until, ended)
  process.exitCode = found ? report(found, options) : EXIT_TIMEOUT
  if (!found) err.line(`vigil: ${name ?? '--any'}: timed out before it reached the state`)
}

type Found = Promise<Session | undefined>

async function one(
  client: Client,
  name: string,
  until: Options['until'],
  ended: AbortSignal,
): Found {
  const { seq, sessions } = await client.sessions({ all: true })
  const picked = pickSession(sessions, name)
  if (!picked.own) return oneThere(client, picked, until, ended)
  let { id } = picked
  const look = async () => {
    const session = await client.session(id)
    return session && decided(session, until) ? session : undefined
  }
  let found = await look()
  if (!found)
    for await (const change of client.events({ after: seq, signal: ended })) {
      const concerns = change.kind === 'reset' || change.session === id
      // The wait began before the session's own id was known.
      if (change.kind === 'gone' && concerns) id = change.became ?? id
      found = concerns ? await look() : undefined
      if (found) break
    }
  return found
}

/**
 * SPEC FL89. A session of another machine. While that machine is not heard from its state is not
 * known: the wait goes on, and says so once.
 */
export async function oneThere(
  client: Pick<Client, 'stream'>,
  { machine, id }: Session,
  until: Options['until'],
  ended: AbortSignal,
): Found {
  let isSaid = false
  for await (const row of remoteRows(client, ended)) {
    if (row.machine !== machine || row.id !== id) continue
    if (!isStale(row) && decided(row, until)) return row
    if (isStale(row) && !isSaid)
      err.line(`vigil: ${plain(row.name, NAME_MAX_COLUMNS)}: ${UNREACHABLE}; vigil waits for it`)
    isSaid = isStale(row)
  }
  return undefined
}

/** SPEC CM23. Sessions that had ended before do not count: only later changes do. */
async function firstOf(client: Client, until: Options['until'], ended: AbortSignal): Found {
  const { seq, sessions } = await client.sessions()
  const open = new Set(sessions.filter(isOpen).map(keyOf))
  const reached = (session: Session) =>
    until.has(session.state) && !isStale(session) && (isOpen(session) || open.has(keyOf(session)))
  const already = inAttention(sessions).find(reached)
  if (already) return already
  const here = (signal: AbortSignal) => firstHere(client, { seq, open, reached, signal })
  if (!(await isInFleet(client))) return here(ended)
  const over = new AbortController()
  const signal = AbortSignal.any([ended, over.signal])
  const there = firstThere(client, { open, reached, signal })
  return Promise.race([here(signal), there]).finally(() => over.abort())
}

interface Awaited {
  /** Keys of the sessions that were open at some time of the wait. */
  readonly open: Set<string>
  readonly reached: (session: Session) => boolean
  readonly signal: AbortSignal
}

async function firstThere(client: Client, { open, reached, signal }: Awaited): Found {
  for await (const row of remoteRows(client, signal)) {
    if (isOpen(row)) open.add(keyOf(row))
    if (reached(row)) return row
  }
  return undefined
}

async function firstHere(
  client: Client,
  { seq, open, reached, signal }: Awaited & { readonly seq: number },
): Found {
  for await (const change of client.events({ after: seq, signal })) {
    if (change.kind === 'verdict' && isOpen(change.verdict)) open.add(change.session)
    // After a reset changes may have been missed.
    const ids = change.kind === 'reset' ? [...open].filter(isHere) : [change.session]
    for (const id of ids) {
      const session = await client.session(id)
      if (session && reached(session)) return session
    }
  }
  return undefined
}

function isHere(key: string): boolean {
  return readAddress(key).machine === undefined
}

function isOpen({ state }: Pick<Session, 'state'>): boolean {
  return state !== 'closed'
}

function decided({ state }: Session, until: ReadonlySet<State>): boolean {
  return until.has(state) || state === 'closed'
}

function report(session: Session, { until, any, json }: Options): number {
  const who = any ? `${plain(session.name, NAME_MAX_COLUMNS)}: ` : ''
  if (json) out.jsonLine(session)
  else out.line(`${who}${wordsOf(session)}`)
  return until.has(session.state) ? 0 : EXIT_NEVER
}

function parseUntil(value: string): ReadonlySet<State> {
  const states = value.split(',').map((state) => state.trim())
  const unknown = states.find((state) => !(STATES as readonly string[]).includes(state))
  if (unknown !== undefined)
    throw new BadInput(`--until ${unknown}: no such state. The states are ${STATES.join(', ')}`)
  return new Set(states as State[])
}

const NAME_MAX_COLUMNS = 60

/** A timer with more milliseconds than 31 bits would fire at once. */
const TIMEOUT_MAX_MS = 2_000_000_000

function parseTimeout(value: string): number {
  const isTime = /^(\d+[dhms])+$/.test(value.trim())
  const ms = isTime ? durationOption('--timeout', value) : Number(value) * 1000
  if (value.trim() === '' || !(ms >= 0 && ms <= TIMEOUT_MAX_MS))
    throw new BadInput(`--timeout ${value}: expected a time such as 2s, 10m or 1h30m`)
  return ms
}
