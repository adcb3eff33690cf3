import { z } from 'zod'
import { readAddress, type SessionName } from './address.ts'
import type { TypeOf } from './schema.ts'
import { source } from './verdict.ts'

/** Parameters of a path or a query: text, parsed here. */

/** The longest id of a session; an address has a machine's id before it. */
const ID_LENGTH_MAX = 300
const ADDRESS_LENGTH_MAX = ID_LENGTH_MAX + 26

/** One page of a listing: `after` gets more. */
const PAGE_DEFAULT = 100
const PAGE_MAX = 1000

/** A client's query: a missing or undefined parameter has its default. */
type Query<Schema extends z.ZodType> = {
  readonly [Name in keyof TypeOf<Schema>]?: Given<TypeOf<Schema>[Name]> | undefined
}
type Given<Value> = Value extends SessionName ? string : Value

export const none = z.strictObject({})

const TOO_LONG = `expected an id of at most ${ID_LENGTH_MAX} characters`
const noControls = /^\P{Cc}+$/u
const name = (max: number) =>
  z.string().min(1).max(max).regex(noControls, 'expected no control characters')

/** SPEC MA6. A session by its address, or by its id on this machine. */
export const sessionName = name(ADDRESS_LENGTH_MAX)
  .describe('<machine>/<session>, or <session> of this machine')
  .transform(readAddress)
  .refine(({ session }) => session.length <= ID_LENGTH_MAX, TOO_LONG)

export const byId = z.strictObject({ id: name(ID_LENGTH_MAX) })
/** SPEC FL122. A request by its id, which on another machine has that machine's id before it. */
export const byRequest = z.strictObject({
  id: name(ADDRESS_LENGTH_MAX)
    .describe('<machine>/<request>, or <request> of this machine')
    .transform(readAddress),
})
export const bySession = z.strictObject({ id: sessionName })

/** Digits only: "1e3", "0x10" or " 5" would be coerced by mistake. */
const digits = z.string().regex(/^\d{1,15}$/, 'expected a whole number, 0 or larger')
const number = digits.transform(Number)

const limit = number
  .pipe(z.number().min(1).max(PAGE_MAX))
  .default(PAGE_DEFAULT)
  .describe(`1 to ${PAGE_MAX}, ${PAGE_DEFAULT} if not given`)

const after = number.optional().describe('only what has a larger id')

export const allOrOpen = z.strictObject({
  all: z
    .enum(['true', 'false'])
    .default('false')
    .transform((all) => all === 'true')
    .describe('every session in the log, not only the open and the lately closed'),
})
export type ListingOptions = TypeOf<typeof allOrOpen>

export const pageOfHistory = z.strictObject({ limit })
export const pageOfReports = z.strictObject({ after, limit, source: source.optional() })
export type ReportQuery = Query<typeof pageOfReports>
export const ofSession = z.strictObject({ session: sessionName.optional() })
export const pageOfActs = z.strictObject({ session: sessionName.optional(), limit })

export const pageOfAudit = z.strictObject({
  session: sessionName.optional(),
  after,
  since: number.optional().describe('only acts from this time on, in milliseconds since 1970'),
  last: z
    .enum(['true', 'false'])
    .default('false')
    .transform((last) => last === 'true')
    .describe('the newest of them; the oldest unless given'),
  limit,
})
export type AuditQuery = Query<typeof pageOfAudit>

export const resumption = z.strictObject({ after })
