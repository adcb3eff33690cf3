import { randomBytes } from 'node:crypto'
import { headers, type NatsConnection } from '@nats-io/transport-node'
import { type CallOptions, TransportError } from '../transport.ts'
import { CALL_HEADER, PartQueue } from './parts.ts'
import { type FleetNames, isToken } from './subjects.ts'

/** Three of them fit into what the machine that serves waits: `HELD_MAX_MS`. */
const HOLD_EVERY_MS = 5_000

export interface CallContext {
  readonly nats: NatsConnection
  readonly names: FleetNames
  /** The machine that asks. */
  readonly caller: string
}

/** SPEC FL68, FL69. */
export async function* callMachine(
  { nats, names, caller }: CallContext,
  machine: string,
  request: Uint8Array,
  { silenceMaxMs, signal }: CallOptions,
): AsyncGenerator<Uint8Array> {
  if (!isToken(machine)) throw new TransportError('refused', `No id of a machine: ${machine}`)
  checkSize(nats, request)
  const id = randomBytes(16).toString('hex')
  const path = `${caller}.${machine}.${id}`
  const queue = new PartQueue()
  const subscription = nats.subscribe(`${names.reply}.${path}`, {
    callback: (error, message) => (error === null ? queue.take(message) : queue.end(refused())),
  })
  const forget = onRefusal(nats, `${names.call}.${machine}`, () => queue.end(refused()))
  const stop = () => queue.end(signal?.reason)
  signal?.addEventListener('abort', stop)
  const hold = (word: string) => {
    if (!nats.isClosed()) nats.publish(`${names.hold}.${path}`, word)
  }
  const timer = setInterval(() => hold('keep'), HOLD_EVERY_MS)
  nats.closed().then(() => queue.end(lost()), stop)
  let isComplete = false
  try {
    signal?.throwIfAborted()
    const marks = headers()
    marks.set(CALL_HEADER, `${caller}.${id}`)
    const reply = `${names.reply}.${path}`
    nats.publish(`${names.call}.${machine}`, request, { reply, headers: marks })
    while (true) {
      const part = await queue.next(silenceMaxMs)
      isComplete = part === undefined
      if (part === undefined) return
      yield part
    }
  } finally {
    clearInterval(timer)
    signal?.removeEventListener('abort', stop)
    forget()
    if (!isComplete) hold('stop')
    if (!nats.isClosed()) subscription.unsubscribe()
  }
}

/** nats.js reports a refused publication as a state of the connection. */
const REFUSALS = new WeakMap<NatsConnection, Map<string, Set<() => void>>>()

function onRefusal(nats: NatsConnection, subject: string, run: () => void): () => void {
  const subjects = REFUSALS.get(nats) ?? new Map<string, Set<() => void>>()
  REFUSALS.set(nats, subjects)
  const waiting = subjects.get(subject) ?? new Set()
  subjects.set(subject, waiting.add(run))
  return () => {
    waiting.delete(run)
    if (waiting.size === 0) subjects.delete(subject)
  }
}

/** The server refused what was published to the subject. */
export function failCalls(nats: NatsConnection, subject: string): void {
  for (const run of [...(REFUSALS.get(nats)?.get(subject) ?? [])]) run()
}

function checkSize(nats: NatsConnection, request: Uint8Array): void {
  // Headers count, too.
  const sizeMax = (nats.info?.max_payload ?? 0) - 1_000
  if (request.length <= sizeMax) return
  throw new TransportError('refused', `A request of ${request.length} bytes: at most ${sizeMax}.`)
}

function refused(): TransportError {
  return new TransportError('refused', 'The server does not allow this machine to ask the other.')
}

function lost(): TransportError {
  return new TransportError('late', 'The connection was lost before the reply was complete.')
}
