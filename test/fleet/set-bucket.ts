import { connect } from '@nats-io/transport-node'

/**
 * Run where a server without users is: limits the only bucket there to so many bytes.
 *
 *   node test/fleet/set-bucket.ts nats://10.77.0.1:4222 60000
 */
const [, , servers = '', bytes = ''] = process.argv
const nats = await connect({ servers })
const ask = async (subject: string, body: object) => {
  const reply = await nats.request(`$JS.API.STREAM.${subject}`, JSON.stringify(body))
  return reply.json<{ streams?: string[]; config?: object; error?: { description: string } }>()
}
const [stream = ''] = (await ask('NAMES', {})).streams ?? []
const { config } = await ask(`INFO.${stream}`, {})
const { error } = await ask(`UPDATE.${stream}`, { ...config, max_bytes: Number(bytes) })
await nats.close()
if (error) throw new Error(error.description)
