import { BlockList, isIPv4 } from 'node:net'
import { z } from 'zod'
import { NOTIFY_SETTLE_MS } from '../../core/limits.ts'
import { PER_MINUTE } from './limits.ts'

/** The states and kinds of requests that a channel can be limited to. */
export const CALLS = [
  'waiting',
  'permission',
  'question',
  'plan',
  'dialog',
  'error',
  'stuck',
  'idle',
] as const

export const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
export const SEQUENCES = ['auto', 'osc9', 'osc777', 'osc99', 'bell'] as const

const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'expected a time such as 22:00')

const quiet = z.object({
  from: time,
  to: time,
  /** The days on which it begins; every day by default. */
  days: z.array(z.enum(DAYS)).min(1).optional(),
})

/** The name of the channel in the log and in `vigil doctor`. */
const name = z.string().regex(/^[\w.-]{1,40}$/, 'expected letters, digits, dots and hyphens')

const common = {
  name,
  /** Only if the session is still unread after this many minutes. */
  afterMin: z.number().min(0).max(1_440).default(0),
  states: z.array(z.enum(CALLS)).optional(),
  /** Names of projects, `*` for any letters; a leading `!` excludes. */
  projects: z.array(z.string().min(1)).optional(),
  /** Also in quiet hours. */
  always: z.boolean().default(false),
  /** What looks like a secret may leave the machine by this channel. */
  secrets: z.boolean().default(false),
}

const url = z.string('expected an address').superRefine((value, context) => {
  const fault = faultOfUrl(value)
  if (fault !== undefined) context.addIssue(fault)
})

const CHANNEL = z.discriminatedUnion('kind', [
  z.object({ ...common, kind: z.literal('desktop') }),
  z.object({
    ...common,
    kind: z.literal('terminal'),
    sequence: z.enum(SEQUENCES).default('auto'),
  }),
  z.object({ ...common, kind: z.literal('sound'), file: z.string().optional() }),
  z.object({ ...common, kind: z.literal('ntfy'), url, token: z.string().optional() }),
  z.object({ ...common, kind: z.literal('webhook'), url, secret: z.string().min(16) }),
  z.object({ ...common, kind: z.literal('slack'), url }),
  z.object({ ...common, kind: z.literal('discord'), url }),
])

export type ChannelSettings = z.output<typeof CHANNEL>
export type Quiet = z.output<typeof quiet>
export const KINDS = CHANNEL.options.map(({ shape }) => shape.kind.value)

const NOTIFY = z.object({
  on: z.boolean().default(false),
  perMinute: z.int().min(1).max(600).default(PER_MINUTE),
  settleMs: z.int().min(0).max(60_000).default(NOTIFY_SETTLE_MS),
  quiet: z.array(quiet).default([]),
})

export type NotifySettings = z.output<typeof NOTIFY> & {
  readonly channels: readonly ChannelSettings[]
}

export interface ReadNotify {
  readonly settings: NotifySettings
  /** Each names the key and what was expected. */
  readonly faults: readonly string[]
}

/** SPEC NO30. An invalid channel is reported and does not silence the others. */
export function readNotify(section: unknown): ReadNotify {
  const { channels = [], ...rest } = (section ?? {}) as Readonly<Record<string, unknown>>
  const whole = NOTIFY.safeParse(rest)
  const faults = whole.success ? [] : said('notify', whole.error)
  const list = Array.isArray(channels) ? channels : []
  if (!Array.isArray(channels)) faults.push('notify.channels: expected a list')
  const good = new Map<string, ChannelSettings>()
  for (const [index, given] of list.entries()) {
    const read = readChannel(given)
    const where = `notify.channels[${index}]`
    if ('error' in read) faults.push(...said(where, read.error))
    else if (good.has(read.channel.name))
      faults.push(`${where}.name: ${read.channel.name} is used twice`)
    else good.set(read.channel.name, read.channel)
  }
  // An invalid section falls back to its defaults: notifications are off.
  const settings = whole.success ? whole.data : NOTIFY.parse({})
  return { settings: { ...settings, channels: [...good.values()] }, faults }
}

export function readChannel(
  given: unknown,
): { readonly channel: ChannelSettings } | { readonly error: z.ZodError } {
  const read = CHANNEL.safeParse(given)
  return read.success ? { channel: read.data } : { error: read.error }
}

export function said(where: string, { issues }: z.ZodError): string[] {
  return issues.map(({ path, message }) => `${[where, ...path].join('.')}: ${message}`)
}

/** Plain HTTP is only for machines nearby: the message and the token could be read on the way. */
function faultOfUrl(value: string): string | undefined {
  const parsed = URL.parse(value)
  if (parsed?.protocol === 'https:') return undefined
  if (parsed?.protocol !== 'http:') return 'expected an address that begins with https://'
  if (isNearby(parsed.hostname)) return undefined
  return 'expected https://: plain http only within a private network'
}

const PRIVATE = new BlockList()
for (const [net, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
] as const)
  PRIVATE.addSubnet(net, prefix)

function isNearby(host: string): boolean {
  if (isIPv4(host)) return PRIVATE.check(host)
  return /^(\[::1\]|[^.:[\]]+|.+\.(local|lan|internal|home\.arpa))$/.test(host)
}
