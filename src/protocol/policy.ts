import { z } from 'zod'
import { POLICY_KEYS } from '../home/policy.ts'

export const policy = z
  .strictObject({
    file: z.string(),
    state: z.enum(['missing', 'in force', 'broken']),
    fault: z.string().nullable(),
    allowed: z.record(z.enum(POLICY_KEYS), z.boolean()),
  })
  .describe('what the administrator of the machine allows')
