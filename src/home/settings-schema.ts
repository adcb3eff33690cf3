import { z } from 'zod'

const tmux = z.looseObject({
  on: z.boolean().default(false),
  mode: z.enum(['stop-only', 'real-time']).default('stop-only'),
  glyphs: z.enum(['emoji', 'ascii', 'nerd']).default('emoji'),
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
