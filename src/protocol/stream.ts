import { z } from 'zod'
import { amount, machineId, named, machine as ofMachine, type TypeOf, time } from './schema.ts'
import { session } from './session.ts'

const machine = z
  .strictObject({
    id: machineId,
    name: z.string().describe('its host name: a label'),
    version: z.string().describe('of its daemon'),
    own: z.boolean().describe('the machine of the daemon that answers'),
    online: z.boolean().describe('heard from within the last ten seconds'),
    lastHeardAt: amount.describe('by the clock of the daemon that answers; null for its own'),
    clockOffsetMs: z.number().describe('how far its clock is ahead of the answering daemon’s'),
    troubles: z.array(z.string()).describe('what is wrong with its daemon, in words'),
  })
  .register(named, { id: 'Machine' })
export type Machine = TypeOf<typeof machine>

const now = time.describe('the daemon’s clock')

/**
 * The `data` of an event of `/v1/stream`; `event` equals `kind`. Its `id` is a position: sent back
 * as Last-Event-ID, the stream continues from there.
 */
export const streamEvent = z
  .union([
    z
      .strictObject({
        kind: z.literal('snapshot'),
        now,
        sessions: z.array(session),
        more: z.boolean().describe('another page follows; the last one has a position'),
      })
      .describe('all sessions, in pages, where no known position was given'),
    z.strictObject({ kind: z.literal('session'), now, session }).describe('is new or has changed'),
    z
      .strictObject({ kind: z.literal('gone'), now, ...ofMachine, session: z.string() })
      .describe('is not in the list any more'),
    z
      .strictObject({ kind: z.literal('machine'), now, machine })
      .describe('after all that was there at first, and whenever it changes; any of the fleet'),
    z
      .strictObject({ kind: z.literal('machine-gone'), now, ...ofMachine })
      .describe('has left the fleet: neither it nor its sessions are there any more'),
  ])
  .register(named, { id: 'StreamEvent' })
export type StreamEvent = TypeOf<typeof streamEvent>
