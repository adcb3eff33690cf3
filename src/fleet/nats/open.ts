import { type NatsOptions, NatsTransport } from './transport.ts'

/** SPEC FL61. Connects, and throws a `TransportError` if the first attempt fails. */
export async function openNatsTransport(options: NatsOptions): Promise<NatsTransport> {
  const transport = new NatsTransport(options)
  try {
    await transport.attempt()
    return transport
  } catch (error) {
    await transport.close()
    throw error
  }
}

/** Returns at once, and connects as soon as the server allows it. */
export function startNatsTransport(options: NatsOptions): NatsTransport {
  const transport = new NatsTransport(options)
  transport.attempt().catch(() => {})
  return transport
}
