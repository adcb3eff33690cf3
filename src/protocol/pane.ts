import { z } from 'zod'
import { PROMPT_MAX_CHARS } from '../core/limits.ts'
import { KEYS_MAX, TEXT_MAX_CHARS } from '../daemon/panes/limits.ts'
import { KEY_NAMES } from '../daemon/panes/shapes.ts'
import { PLACES } from '../daemon/requests/shapes.ts'
import { named, time } from './session.ts'

/** Schemas of what is asked and answered about panes. */

const where = z.enum(PLACES)

const cursor = z.strictObject({ x: z.number(), y: z.number(), shown: z.boolean() })
const rows = z.array(z.string()).describe('text with its colours as SGR sequences, and no others')

const typingView = {
  session: z.string(),
  on: z.boolean(),
  since: time.nullable(),
  by: z.string().nullable().describe('who turned it on'),
}

/** What an event's `data` holds; `event` says the same as `kind`. */
export const screenEvent = z
  .union([
    z.strictObject({
      kind: z.literal('screen'),
      width: z.number(),
      height: z.number(),
      above: rows.describe('the last lines that have left the screen at the top'),
      rows,
      cursor,
    }),
    z.strictObject({
      kind: z.literal('change'),
      left: rows.describe('lines that have left the screen since; then all rows are given'),
      rows: z.array(z.tuple([z.number(), z.string()])).describe('by their place from the top'),
      cursor,
    }),
    z.strictObject({ kind: z.literal('typing'), ...typingView }),
    z.strictObject({ kind: z.literal('over'), why: z.string() }),
  ])
  .register(named, { id: 'ScreenEvent' })

export const typing = z.strictObject(typingView).register(named, { id: 'Typing' })

export const switching = z
  .strictObject({ on: z.boolean(), where })
  .register(named, { id: 'Switching' })

/** Whatever has a meaning of its own to a terminal is a key, and has a name. */
const letters = z
  .string()
  .min(1)
  .max(TEXT_MAX_CHARS)
  .regex(/^\P{Cc}+$/u, 'expected no control characters; keys have names')

const pasted = z
  .string()
  .min(1)
  .max(PROMPT_MAX_CHARS)
  .regex(/^(?:\P{Cc}|[\n\t])+$/u, 'expected no control characters but line breaks and tabs')

const typed = z.union([
  z.strictObject({ text: letters }),
  z.strictObject({ key: z.enum(KEY_NAMES) }),
  z.strictObject({ paste: pasted }),
])

export const keys = z
  .strictObject({ keys: z.array(typed).min(1).max(KEYS_MAX), where })
  .register(named, { id: 'Keys' })

export const prompt = z
  .strictObject({ text: pasted.regex(/\S/, 'expected some words'), where })
  .register(named, { id: 'Prompt' })

export const interrupt = z.strictObject({ where }).register(named, { id: 'Interrupt' })

export const done = z.strictObject({ done: z.literal(true) }).register(named, { id: 'Done' })
