import { z } from 'zod'
import { named, time } from './session.ts'

/** Schemas of what is asked and answered about browsers. */

/** Longer than any code: what is longer is not even looked at. */
const CODE_LENGTH_MAX = 100
const ORIGIN_LENGTH_MAX = 300

export const code = z
  .strictObject({
    code: z.string().describe('signs one browser in, once: the page at #code=…'),
    endsAt: time,
    address: z.string().nullable().describe('where the page is, and where the code is good'),
    file: z.string().nullable().describe('sends a browser there, with the code'),
    page: z.boolean().describe('false where no page was built'),
  })
  .register(named, { id: 'Code' })

export const wanted = z
  .strictObject({
    origin: z.string().max(ORIGIN_LENGTH_MAX).optional().describe('one of share.origins'),
    file: z.boolean().optional().describe('also in a file of its user’s that opens it'),
  })
  .register(named, { id: 'CodeWanted' })

export const signingIn = z
  .strictObject({ code: z.string().min(1).max(CODE_LENGTH_MAX) })
  .register(named, { id: 'SigningIn' })

const browser = z.strictObject({
  id: z.string(),
  name: z.string(),
  origin: z.string().describe('the address it signed in under'),
  madeAt: time,
  seenAt: time,
})

export const signedIn = z
  .strictObject({ ...browser.shape, key: z.string().describe('sent as Bearer, from now on') })
  .register(named, { id: 'SignedIn' })

export const browsers = z
  .strictObject({
    browsers: z.array(
      z.strictObject({ ...browser.shape, here: z.boolean().describe('the one that asks') }),
    ),
  })
  .register(named, { id: 'Browsers' })

export const forgotten = z
  .strictObject({ forgotten: z.literal(true) })
  .register(named, { id: 'Forgotten' })
