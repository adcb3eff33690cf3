import type { Surfaces } from '../daemon/attach.ts'
import { Notifications } from './notify/surface.ts'
import { TmuxSurface } from './tmux/surface.ts'

/** Surfaces that act by themselves, in the daemon's process; each by its name in the log. */
export const SURFACES: Surfaces = {
  notify: (ground) => [new Notifications(ground, process.env)],
  tmux: (ground) => [new TmuxSurface(ground)],
}
