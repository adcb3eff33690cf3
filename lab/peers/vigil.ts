import { SOURCES } from '../../src/core/signal.ts'
import { verdictsOf } from '../../src/recording/client-runs.ts'
import { play } from '../../src/recording/play.ts'
import { reportsOf } from '../../src/recording/read.ts'
import type { Peer } from './peer.ts'

/**
 * The truth comes from the registry, which vigil reads too and no other row does: the rows without
 * it compare like with like. The row by the screen sees what ccmanager sees.
 */
export const VIGILS: readonly Peer[] = [
  vigil('vigil', 'all sources', []),
  vigil('vigil, no screen', 'all but the screen', ['screen']),
  vigil('vigil, no registry', 'all but the registry', ['registry']),
  vigil('vigil, no registry, no screen', 'hooks, transcript, status line, process', [
    'registry',
    'screen',
  ]),
  vigil(
    'vigil, screen alone',
    'screen, process',
    SOURCES.filter((source) => source !== 'screen' && source !== 'process'),
  ),
]

function vigil(name: string, knows: string, without: readonly string[]): Peer {
  return {
    name,
    knows,
    judge({ run, strand, endAt }) {
      const recording = { name, lines: run, bad: [], torn: false }
      const changes = [...play(reportsOf(recording, new Set(without)), endAt)]
      return verdictsOf(strand, changes).map(({ t, verdict }) => ({ t, state: verdict.state }))
    },
  }
}
