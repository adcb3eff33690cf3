import type { Surfaces } from '../daemon/attach.ts'

/** Surfaces that act by themselves, in the daemon's process; each by its name in the log. */
export const SURFACES: Surfaces = {}
