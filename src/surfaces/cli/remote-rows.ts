import type { Client } from '../../client/client.ts'
import type { Session } from '../../protocol/session.ts'

type Streams = Pick<Client, 'stream' | 'fleet'>

/** A machine outside a fleet pays one short request for that, and no stream. */
export async function isInFleet(client: Pick<Streams, 'fleet'>): Promise<boolean> {
  const view = await client.fleet().catch(() => undefined)
  return view !== undefined && view.fleet !== null
}

/**
 * SPEC FL88. Rows of other machines, those that are there first. The log of changes is this
 * machine's own.
 */
export async function* remoteRows(
  client: Pick<Streams, 'stream'>,
  signal: AbortSignal,
): AsyncGenerator<Session, void> {
  for await (const events of client.stream({ signal }))
    for (const event of events) {
      const sessions = event.kind === 'snapshot' ? event.sessions : []
      yield* (event.kind === 'session' ? [event.session] : sessions).filter(({ own }) => !own)
    }
}
