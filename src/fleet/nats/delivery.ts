import type { Msg } from '@nats-io/transport-node'

/** Where a message of a consumer stands, from the subject that would acknowledge it. */
export interface Delivery {
  /** In the bucket. */
  readonly sequence: number
  /** Of this consumer: without a gap. */
  readonly count: number
  /** By the server's clock. */
  readonly storedAt: number
}

/** `$JS.ACK.[<domain>.<account>.]<stream>.<consumer>.<tries>.<sequence>.<count>.<time>.…` */
export function deliveryOf(reply: string | undefined): Delivery | undefined {
  const tokens = (reply ?? '').split('.')
  if (tokens[0] !== '$JS' || tokens[1] !== 'ACK' || tokens.length < 9) return undefined
  const [sequence, count, nanos] = tokens.slice(tokens.length > 9 ? 7 : 5).map(Number)
  if (sequence === undefined || count === undefined || nanos === undefined) return undefined
  return { sequence, count, storedAt: Math.round(nanos / 1e6) }
}

/** What the server says between messages. */
export interface CallSignal {
  /** Messages that it has sent before. */
  readonly sent: number | undefined
  /** It sends on once something was published there. */
  readonly resumeAt: string | undefined
}

export function signalOf(message: Msg): CallSignal | undefined {
  const marks = message.headers
  if (message.data.length > 0 || marks?.code !== 100) return undefined
  const sent = marks.get('Nats-Last-Consumer')
  const stalled = marks.get('Nats-Consumer-Stalled')
  return {
    sent: sent === '' ? undefined : Number(sent),
    resumeAt: stalled !== '' ? stalled : message.reply || undefined,
  }
}
