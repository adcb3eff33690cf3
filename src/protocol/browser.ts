import { z } from 'zod'
import { maybe, named, type TypeOf, time } from './schema.ts'

/** Longer than any code: a longer text is refused at once. */
const CODE_LENGTH_MAX = 100
const ORIGIN_LENGTH_MAX = 300

export const browserCode = z
  .strictObject({
    code: z.string().describe('signs one browser in, once: the page at #code=…'),
    endsAt: time,
    address: maybe.describe('where the page is, and where the code is good'),
    file: maybe.describe('sends a browser there, with the code'),
    page: z.boolean().describe('false where no page was built'),
  })
  .register(named, { id: 'BrowserCode' })
export type BrowserCode = TypeOf<typeof browserCode>

export const codeWanted = z
  .strictObject({
    origin: z.string().max(ORIGIN_LENGTH_MAX).optional().describe('one of share.origins'),
    file: z.boolean().optional().describe('also in a file of its user’s that opens it'),
  })
  .register(named, { id: 'CodeWanted' })
export type CodeWanted = TypeOf<typeof codeWanted>

export const tunnel = z
  .strictObject({
    name: z
      .string()
      .regex(/^\d{1,10}$/, 'expected up to ten digits')
      .describe('of its socket; each is good once'),
    port: z.int().min(1).max(65_535).describe('where it begins, on the other computer'),
    label: z
      .string()
      .regex(/^[0-9a-f]{32}$/, 'expected 32 hexadecimal digits')
      .describe('of its address, random'),
  })
  .register(named, { id: 'Tunnel' })
export type Tunnel = TypeOf<typeof tunnel>

export const signIn = z
  .strictObject({ code: z.string().min(1).max(CODE_LENGTH_MAX) })
  .register(named, { id: 'SignIn' })

const browser = z.strictObject({
  id: z.string(),
  name: z.string(),
  origin: z.string().describe('the address it signed in under'),
  madeAt: time,
  seenAt: time,
})
export type Browser = TypeOf<typeof browser>

export const signedIn = z
  .strictObject({ ...browser.shape, key: z.string().describe('sent as Bearer, from now on') })
  .register(named, { id: 'SignedIn' })
export type SignedIn = TypeOf<typeof signedIn>

export const browserList = z
  .strictObject({
    browsers: z.array(
      z.strictObject({ ...browser.shape, here: z.boolean().describe('the one that asks') }),
    ),
  })
  .register(named, { id: 'Browsers' })
export type BrowserList = TypeOf<typeof browserList>

export const forgotten = z
  .strictObject({ forgotten: z.literal(true) })
  .register(named, { id: 'Forgotten' })
