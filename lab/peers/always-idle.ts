import type { Peer } from './peer.ts'

/** Looks at nothing: the baseline that any other must beat. */
export const ALWAYS_IDLE: Peer = {
  name: 'always idle',
  knows: 'looks at nothing',
  judge: ({ lines }) => lines.slice(0, 1).map(({ t }) => ({ t, state: 'idle' })),
}
