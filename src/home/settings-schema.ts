import { z } from 'zod'
import { LONG_TALK_MS } from '../core/limits.ts'
import { originFault } from './origin.ts'

export const TMUX_MODES = ['needs', 'marks', 'stop-only', 'real-time'] as const

const tmux = z.looseObject({
  on: z.boolean().default(false),
  /**
   * When a window's name changes: when its agent needs its user or ends a turn, only at the end of
   * turns, or with everything it does; `marks` changes no name and colours the window.
   */
  mode: z.enum(TMUX_MODES).default('needs'),
  glyphs: z.enum(['emoji', 'ascii', 'nerd']).default('emoji'),
  /** Where the seed's document and its script differ. */
  emoji: z.enum(['document', 'script']).default('document'),
  /** The user's own, by notify-tmux's states (`ALERT`) and by the names of tools. */
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

/** More than users have devices and ways to reach them. */
const ORIGINS_MAX = 16

/** Versions before 0.7 accepted these for SSH: they must not break a file, and have no effect. */
const TUNNEL = /^http:\/\/(localhost|127\.0\.0\.1)(:\d+)?$/

const share = z.looseObject({
  /** Addresses besides loopback for the page: Host and Origin, exactly. */
  origins: z
    .array(z.string())
    .transform((all) => all.filter((one) => !TUNNEL.test(one)))
    .pipe(z.array(origin).max(ORIGINS_MAX))
    .default([]),
})

const answers = z.looseObject({
  /** Whether agents may be answered outside their terminals. */
  on: z.boolean().default(true),
})

const attention = z.looseObject({
  /**
   * Seconds that a talk-only turn must take to notify its user; 0: none notifies for its length.
   */
  longTalk: z
    .number()
    .min(0)
    .max(86_400)
    .default(LONG_TALK_MS / 1_000),
  /** Whether a talk-only turn that ends with a question notifies its user. */
  questions: z.boolean().default(true),
})

const fleet = z.looseObject({
  /** Runs in place of `vigil jump` for a session of another machine: words, never a shell. */
  ssh: z.string().min(1).max(500).default('ssh -t {host} vigil jump {session}'),
  /** Whether sessions of other machines notify the user here, too. */
  notify: z.boolean().default(true),
})

/**
 * The content of `settings.json`, section by section. Every key has a default, so a missing file is
 * complete; an unknown key stays for the version that knows it.
 */
export const SETTINGS = z.looseObject({
  tmux: tmux.prefault({}),
  notify: notify.prefault({}),
  answers: answers.prefault({}),
  share: share.prefault({}),
  attention: attention.prefault({}),
  fleet: fleet.prefault({}),
})

export type Settings = z.output<typeof SETTINGS>
