import { headers, type NatsConnection } from '@nats-io/transport-node'
import { TransportError } from '../transport.ts'
import { JetStreamFault, requestFault, STREAM_MISSING } from './faults.ts'
import { createStream, type StreamInfo, store, streamInfo } from './jetstream.ts'
import type { FleetNames } from './subjects.ts'

const REPLICAS = 3

const OPERATION = 'KV-Operation'

/** SPEC FL64. The bucket; its founder creates it if it is missing. Throws a `TransportError`. */
export async function findBucket(
  nats: NatsConnection,
  names: FleetNames,
  create: { readonly bytesMax: number } | undefined,
): Promise<StreamInfo> {
  try {
    return await streamInfo(nats, names.stream)
  } catch (error) {
    const isMissing = error instanceof JetStreamFault && error.exact === STREAM_MISSING
    if (!isMissing) throw requestFault(error, 'look at the fleet’s bucket')
    if (create === undefined)
      throw new TransportError(
        'disconnected',
        'The fleet’s bucket is missing on the server: ' +
          'the founder’s machine creates it again once it is connected.',
      )
  }
  return makeBucket(nats, names, create.bytesMax)
}

async function makeBucket(
  nats: NatsConnection,
  { stream, keys }: FleetNames,
  bytesMax: number,
): Promise<StreamInfo> {
  const config = { stream, subject: `${keys}>`, bytesMax }
  const servers = nats.info?.cluster === undefined ? 1 : (nats.info.connect_urls?.length ?? 1)
  if (servers >= REPLICAS) {
    try {
      return await createStream(nats, { ...config, replicas: REPLICAS })
    } catch {
      // Fewer of them have JetStream, or room.
    }
  }
  try {
    return await createStream(nats, { ...config, replicas: 1 })
  } catch (error) {
    throw requestFault(error, 'create the fleet’s bucket')
  }
}

export async function putKey(nats: NatsConnection, subject: string, value: Uint8Array) {
  const sizeMax = nats.info?.max_payload ?? 0
  if (value.length > sizeMax)
    throw new TransportError('refused', `A value of ${value.length} bytes: at most ${sizeMax}.`)
  try {
    await store(nats, subject, value)
  } catch (error) {
    throw requestFault(error, 'store a value')
  }
}

/** A mark takes the value's place, so that watches that are away learn of it later. */
export async function deleteKey(nats: NatsConnection, subject: string) {
  const mark = headers()
  mark.set(OPERATION, 'DEL')
  try {
    await store(nats, subject, new Uint8Array(), { headers: mark })
  } catch (error) {
    throw requestFault(error, 'delete a value')
  }
}

export function isDeletion(marks: { get(name: string): string } | undefined): boolean {
  return ['DEL', 'PURGE'].includes(marks?.get(OPERATION) ?? '')
}
