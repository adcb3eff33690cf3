import { z } from 'zod'

const tmux = z.looseObject({
  on: z.boolean().default(false),
  mode: z.enum(['stop-only', 'real-time']).default('stop-only'),
  glyphs: z.enum(['emoji', 'ascii', 'nerd']).default('emoji'),
  /** Where the seed's document and its script differ. */
  emoji: z.enum(['document', 'script']).default('document'),
  /** Of the user's own, by notify-tmux's states (`ALERT`) and by tools (`Bash`). */
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

/**
 * What `settings.json` may hold, section by section. Every key has a default, so no file at all is
 * a whole one; a key that is not known is kept for the version that knows it.
 */
export const SETTINGS = z.looseObject({
  tmux: tmux.prefault({}),
  notify: notify.prefault({}),
})

export type Settings = z.output<typeof SETTINGS>
