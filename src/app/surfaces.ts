import type { Surfaces } from '../daemon/attach.ts'
import { Notifications } from '../surfaces/notify/surface.ts'
import { TmuxSurface } from '../surfaces/tmux/surface.ts'

/** Surfaces that act by themselves, in the daemon's process; each by its name in the log. */
export const SURFACES: Surfaces = {
  notify: (ground) => [new Notifications(ground, process.env)],
  tmux: (ground) => [new TmuxSurface(ground)],
}
