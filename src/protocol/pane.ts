import { z } from 'zod'
import { PROMPT_MAX_CHARS } from '../core/limits.ts'
import { KEY_NAMES, KEYS_MAX, LETTERS_MAX, PLACES } from './constants.ts'
import { machine, maybe, named, type TypeOf, time } from './schema.ts'

const where = z.enum(PLACES)

const cursor = z.strictObject({ x: z.number(), y: z.number(), shown: z.boolean() })
const rows = z.array(z.string()).describe('text with its colours as SGR sequences, and no others')

/** Whether the user allows typing into a session through vigil. */
const typingView = z.strictObject({
  session: z.string(),
  on: z.boolean(),
  since: time.nullable(),
  by: maybe.describe('who turned it on'),
})
export const typing = z
  .strictObject({ ...machine, ...typingView.shape })
  .register(named, { id: 'Typing' })
export type TypingView = TypeOf<typeof typingView>

/** The `data` of an event; `event` equals `kind`. */
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
    z.strictObject({ kind: z.literal('typing'), ...typingView.shape }),
    z.strictObject({ kind: z.literal('over'), why: z.string() }),
  ])
  .register(named, { id: 'ScreenEvent' })
export type ScreenEvent = TypeOf<typeof screenEvent>
export type ScreenSnapshot = Extract<ScreenEvent, { kind: 'screen' }>
export type ScreenChange = Extract<ScreenEvent, { kind: 'change' }>

/** What a pane shows at one moment. */
export const paneLines = z
  .strictObject({ ...machine, session: z.string(), rows: rows.describe('the lowest last') })
  .register(named, { id: 'PaneLines' })
export type PaneLines = TypeOf<typeof paneLines>

export const typingSwitch = z
  .strictObject({ on: z.boolean(), where })
  .register(named, { id: 'TypingSwitch' })

/** Characters with a special meaning to a terminal are keys, and have names. */
const letters = z
  .string()
  .min(1)
  .max(LETTERS_MAX)
  .regex(/^\P{Cc}+$/u, 'expected no control characters; keys have names')

const pasted = z
  .string()
  .min(1)
  .max(PROMPT_MAX_CHARS)
  .regex(/^(?:\P{Cc}|[\n\t])+$/u, 'expected no control characters but line breaks and tabs')

/** Input: letters, a key, or a text to paste. */
const paneInput = z.union([
  z.strictObject({ text: letters }),
  z.strictObject({ key: z.enum(KEY_NAMES) }),
  z.strictObject({ paste: pasted }),
])
export type PaneInput = TypeOf<typeof paneInput>

export const paneKeys = z
  .strictObject({ keys: z.array(paneInput).min(1).max(KEYS_MAX), where })
  .register(named, { id: 'Keys' })

export const prompt = z
  .strictObject({ text: pasted.regex(/\S/, 'expected some words'), where })
  .register(named, { id: 'Prompt' })

export const prompted = z
  .strictObject({
    done: z.literal(true),
    queued: z.boolean().describe('it works, and hears it as soon as its turn takes it up or ends'),
  })
  .register(named, { id: 'Prompted' })
export type PromptSent = TypeOf<typeof prompted>

export const interrupt = z.strictObject({ where }).register(named, { id: 'Interrupt' })
