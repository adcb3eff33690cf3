import { z } from 'zod'
import { LONG_TALK_MS } from '../core/limits.ts'
import { originFault } from './origin.ts'

export const TMUX_MODES = ['needs', 'marks', 'stop-only', 'real-time'] as const

const tmux = z.looseObject({
  on: z.boolean().default(false),
  /**
   * When a window's name changes: when its agent needs its user or ends a turn, at the end of turns
   * alone, or with everything it does; `marks` changes no name and colours the window.
   */
  mode: z.enum(TMUX_MODES).default('needs'),
  glyphs: z.enum(['emoji', 'ascii', 'nerd']).default('emoji'),
  /** Where the seed's document and its script differ. */
  emoji: z.enum(['document', 'script']).default('document'),
  /** Of the user's own, by notify-tmux's states (`ALERT`) and by the names of tools. */
  signs: z.record(z.string(), z.string().max(100)).default({}),
  /** With {sign}, {name}, {window}, {project}, {branch}, {title}, {state} and {for}. */
  template: z.string().max(500).default('{sign}{name}'),
  names: z.boolean().default(true),
  segment: z.boolean().default(true),
  screens: z.boolean().default(true),
})

const notify = z.looseObject({
  on: z.boolean().default(false),
})

const origin = z
  .string()
  .max(300)
  .superRefine((text, context) => {
    const message = originFault(text)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })

/** More than one has devices and ways to reach them. */
const ORIGINS_MAX = 16

/** Versions before 0.7 let such ones in for SSH: they must not break a file, and lead nowhere. */
const TUNNEL = /^http:\/\/(localhost|127\.0\.0\.1)(:\d+)?$/

const share = z.looseObject({
  /** Addresses beside loopback under which the page may be asked for: Host and Origin, exactly. */
  origins: z
    .array(z.string())
    .transform((all) => all.filter((one) => !TUNNEL.test(one)))
    .pipe(z.array(origin).max(ORIGINS_MAX))
    .default([]),
})

const answers = z.looseObject({
  /** Whether agents may be answered from anywhere but their terminals. */
  on: z.boolean().default(true),
})

const attention = z.looseObject({
  /** Seconds that a turn of mere talk must take to call its user; 0: none does for its length. */
  longTalk: z
    .number()
    .min(0)
    .max(86_400)
    .default(LONG_TALK_MS / 1_000),
  /** Whether a turn of mere talk that ends with a question calls its user. */
  questions: z.boolean().default(true),
})

/**
 * What `settings.json` may hold, section by section. Every key has a default, so no file at all is
 * a whole one; a key that is not known is kept for the version that knows it.
 */
export const SETTINGS = z.looseObject({
  tmux: tmux.prefault({}),
  notify: notify.prefault({}),
  answers: answers.prefault({}),
  share: share.prefault({}),
  attention: attention.prefault({}),
})

export type Settings = z.output<typeof SETTINGS>
