import type { Peer } from './peer.ts'

/** Looks at nothing: what any other must beat to be worth its cost. */
export const ALWAYS_IDLE: Peer = {
  name: 'always idle',
  knows: 'looks at nothing',
  judge: ({ lines }) => lines.slice(0, 1).map(({ t }) => ({ t, state: 'idle' })),
}
