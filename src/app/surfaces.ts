import type { SurfaceTable } from '../client/surface-context.ts'
import { Notifications } from '../surfaces/notify/surface.ts'
import { TmuxSurface } from '../surfaces/tmux/surface.ts'

/** Surfaces that act by themselves, in the daemon's process; each by its name in the log. */
export const SURFACES: SurfaceTable = {
  notify: (context) => [new Notifications(context, process.env)],
  tmux: (context) => [new TmuxSurface(context)],
}
