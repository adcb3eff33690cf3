import { z } from 'zod'
import { named } from './session.ts'

/** Schemas of what an agent said and wants to do. */

export const talk = z
  .strictObject({
    said: z.array(z.string()).describe('the oldest first'),
    call: z.strictObject({ tool: z.string(), input: z.unknown() }).nullable(),
  })
  .register(named, { id: 'Talk' })

export const looked = z.strictObject({ looked: z.literal(true) }).register(named, { id: 'Looked' })
