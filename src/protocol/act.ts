import { z } from 'zod'
import { ACT_KINDS, PLACES } from './constants.ts'
import { machine, maybe, named, type TypeOf, time } from './schema.ts'

/** An act through vigil; never changed. */
const act = z
  .strictObject({
    id: z.number(),
    at: time,
    session: z.string().describe('empty for what was done to no session: a sign-in, a setting'),
    what: z.enum(ACT_KINDS),
    who: z.string(),
    where: z
      .enum([...PLACES, 'daemon', 'api'])
      .describe('daemon: it followed by itself; api: a program did it'),
    words: z.string().describe('`interrupted`, `12 keys`'),
  })
  .register(named, { id: 'Act' })
export type Act = TypeOf<typeof act>

export const actPage = z
  .strictObject({ ...machine, acts: z.array(act).describe('newest first') })
  .register(named, { id: 'Acts' })
export type ActPage = TypeOf<typeof actPage>

const auditedAct = z
  .strictObject({
    ...act.shape,
    shown: maybe.describe('canonical JSON of what was shown when it was decided, up to 256 KB'),
    digest: maybe.describe('SHA-256 of the whole of it'),
    previous: z.string().describe('the hash of the act before it'),
    hash: z.string().describe('SHA-256 of `previous` and the canonical JSON of the other fields'),
  })
  .register(named, { id: 'AuditedAct' })
export type AuditedAct = TypeOf<typeof auditedAct>

export const auditPage = z
  .strictObject({ ...machine, acts: z.array(auditedAct).describe('oldest first') })
  .register(named, { id: 'AuditPage' })
export type AuditPage = TypeOf<typeof auditPage>
