/** Values and limits of the protocol, apart from its schemas: commands load these without zod. */

/** What the administrator of a machine can forbid. */
export const POLICY_KEYS = ['answering', 'typing', 'loops', 'channels', 'sharing', 'fleet'] as const
export type PolicyKey = (typeof POLICY_KEYS)[number]

/** What another machine of the fleet may do here. Each includes those before it. */
export const FLEET_RIGHTS = ['nothing', 'look', 'answer', 'type'] as const
export type Right = (typeof FLEET_RIGHTS)[number]

/** Where an answer was given. */
export const PLACES = ['page', 'live', 'cli', 'notification'] as const

/** `chain` and `gap` are the audit log's own: its beginnings, and its missing entries. */
export const ACT_KINDS = [
  ...['answer', 'typing', 'keys', 'prompt', 'interrupt', 'loop'],
  ...['settings', 'fleet', 'sign-in', 'sign-out', 'stop'],
  ...['chain', 'gap'],
] as const satisfies readonly string[]

/** What can happen to a loop. */
export const STEP_KINDS = [
  'started',
  'nested',
  'imported',
  'iteration',
  'completed',
  'stuck',
  'aborted',
  'paused',
  'resumed',
  'parked',
  'needs-human',
  'said',
  'moved',
  'compacted',
] as const
export type StepKind = (typeof STEP_KINDS)[number]

/** Periods for figures; all of them end now. */
export const PERIODS = ['today', 'week', 'month'] as const
export type Period = (typeof PERIODS)[number]

/** Tables that figures are exported as. */
export const TABLES = ['projects', 'days', 'hours', 'answers', 'waits'] as const
export type InsightTable = (typeof TABLES)[number]

/** Keys with a name, in tmux's spelling; those with Ctrl are separate: `C-c`. */
export const KEY_NAMES = [
  ...['Enter', 'Escape', 'Tab', 'BTab', 'BSpace', 'DC', 'Space'],
  ...['Up', 'Down', 'Left', 'Right', 'Home', 'End', 'PPage', 'NPage'],
  ...['M-Enter', 'M-Left', 'M-Right', 'M-BSpace'],
  ...['C-Up', 'C-Down', 'C-Left', 'C-Right'],
  ...Array.from('abcdefghijklmnopqrstuvwxyz', (letter) => `C-${letter}`),
  ...Array.from('abcdefghijklmnopqrstuvwxyz', (letter) => `M-${letter}`),
] as const

/** Keys in one request: what a person types in a moment, or a pasted page of text. */
export const KEYS_MAX = 200
/** Characters in one text of a request. */
export const LETTERS_MAX = 2_000

/** Whether this is the name of a time zone, such as Europe/Berlin. */
export function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
