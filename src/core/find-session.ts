import { formerOf, isOpenSession, type Known, onlyPaneless, withoutProcess } from './guess.ts'
import type { Guesses } from './guesses.ts'
import type { Signal, SignalOf } from './signal.ts'
import { PROCESS, SCREEN, type StandIns } from './stand-ins.ts'

/** The session that a signal without a session id is about. */
export function findSession(
  known: Known,
  unnamed: StandIns,
  guessed: Guesses,
  signal: Signal,
): string | undefined {
  const { pid, pane } = signal.about
  if (signal.kind === 'process') return findProcess(known, unnamed, guessed, signal)
  if (pid !== undefined) return known.where.ofPid(pid)?.session
  if (pane === undefined) return undefined
  const held = known.where.ofPane(pane)
  if (held && isOpenSession(known, held.session)) return held.session
  if (signal.kind !== 'screen' || signal.shows === 'nothing') return held?.session
  const id = onlyPaneless(known) ?? held?.session ?? unnamed.open(SCREEN + pane)
  known.where.holdPane(pane, id, signal.at)
  return id
}

function findProcess(
  known: Known,
  unnamed: StandIns,
  guessed: Guesses,
  signal: SignalOf<'process'>,
): string | undefined {
  const { pid, folder } = signal.about
  const held = known.where.ofPid(pid)
  if (held && formerOf(known, signal) === undefined) return held.session
  if (!signal.alive || folder === undefined) return undefined
  const id = withoutProcess(known, folder, signal)
  if (id === undefined) return unnamed.open(`${PROCESS}${pid}`)
  guessed.make(known.facts(id), signal)
  return id
}
