import type { MsgHdrs, NatsConnection } from '@nats-io/transport-node'
import { JetStreamFault } from './faults.ts'

const REQUEST_MAX_MS = 5_000

/** What vigil reads of the replies of JetStream. */
export interface StreamInfo {
  /** A bucket that was made anew has another time. */
  readonly created: string
  readonly state: { readonly last_seq: number }
}

interface ConsumerInfo {
  readonly num_pending: number
}

interface Refusal {
  readonly error?: { code?: number; err_code?: number; description?: string }
}

/**
 * Requests of JetStream as they are on the wire. The library's own consumers choose names, for
 * which a member would need permission to touch those of others: SPEC FL72.
 */
export function streamInfo(nats: NatsConnection, stream: string): Promise<StreamInfo> {
  return ask(nats, `STREAM.INFO.${stream}`, {})
}

export interface BucketConfig {
  readonly stream: string
  readonly subject: string
  readonly bytesMax: number
  readonly replicas: number
}

export function createStream(nats: NatsConnection, config: BucketConfig): Promise<StreamInfo> {
  return ask(nats, `STREAM.CREATE.${config.stream}`, {
    name: config.stream,
    subjects: [config.subject],
    retention: 'limits',
    storage: 'file',
    // A full bucket refuses; it does not forget another machine's rows.
    discard: 'new',
    max_bytes: config.bytesMax,
    max_msgs_per_subject: 1,
    max_msgs: -1,
    max_consumers: -1,
    num_replicas: config.replicas,
    // A header in a member's own row could otherwise empty the whole bucket.
    allow_rollup_hdrs: false,
    deny_delete: true,
    allow_direct: false,
  })
}

export interface ConsumerConfig {
  readonly stream: string
  readonly name: string
  readonly filter: string
  readonly deliverTo: string
  /** The first message that is wanted; undefined: the newest of each key. */
  readonly from: number | undefined
  readonly idleMs: number
  readonly forgottenMs: number
}

/** Of all that matches, how many are there already. */
export async function createConsumer(nats: NatsConnection, made: ConsumerConfig): Promise<number> {
  const start =
    made.from === undefined
      ? { deliver_policy: 'last_per_subject' }
      : { deliver_policy: 'by_start_sequence', opt_start_seq: made.from }
  const config = {
    name: made.name,
    filter_subject: made.filter,
    deliver_subject: made.deliverTo,
    ...start,
    ack_policy: 'none',
    max_deliver: 1,
    mem_storage: true,
    num_replicas: 1,
    flow_control: true,
    idle_heartbeat: made.idleMs * 1e6,
    inactive_threshold: made.forgottenMs * 1e6,
  }
  const subject = `CONSUMER.CREATE.${made.stream}.${made.name}.${made.filter}`
  const body = { stream_name: made.stream, config, action: 'create' }
  return (await ask<ConsumerInfo>(nats, subject, body)).num_pending
}

export async function deleteConsumer(nats: NatsConnection, stream: string, name: string) {
  await ask(nats, `CONSUMER.DELETE.${stream}.${name}`, undefined)
}

/** Stores a value; resolves when the server has it on disk. */
export async function store(
  nats: NatsConnection,
  subject: string,
  value: Uint8Array,
  options: { readonly headers?: MsgHdrs } = {},
): Promise<void> {
  const reply = await nats.request(subject, value, { ...options, timeout: REQUEST_MAX_MS })
  refuse(reply.json<Refusal>())
}

async function ask<T>(nats: NatsConnection, subject: string, body: unknown): Promise<T> {
  const text = body === undefined ? '' : JSON.stringify(body)
  const reply = await nats.request(`$JS.API.${subject}`, text, { timeout: REQUEST_MAX_MS })
  const answer = reply.json<T & Refusal>()
  refuse(answer)
  return answer
}

function refuse({ error }: Refusal): void {
  if (error === undefined) return
  const { code = 0, err_code = 0, description = 'no reason given' } = error
  throw new JetStreamFault(code, err_code, description)
}
