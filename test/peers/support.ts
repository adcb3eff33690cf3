import type { Absent, Peer } from '../../lab/peers/peer.ts'
import type { RecordedLine } from '../../src/agents/truth-reader.ts'
import { strandsOf } from '../../src/recording/client-runs.ts'

/** A whole ten seconds, so that whole seconds are easy to see in a test. */
const START = 1_800_000_000_000

/** Lines by hand; times are milliseconds from the start. */
export const at = {
  start: (ms = 0): RecordedLine => ({ t: START + ms, source: 'meta' }),
  hook: (ms: number, event: string, more: object = {}): RecordedLine => ({
    t: START + ms,
    source: 'hook',
    env: { tmuxPane: '%0' },
    payload: { session_id: 's', hook_event_name: event, ...more },
  }),
  /** Written at `ms`, and stamped `stampMs` when that is another time. */
  entry: (ms: number, entry: object, stampMs = ms): RecordedLine => ({
    t: START + ms,
    source: 'transcript',
    path: '/lab/s.jsonl',
    entry: { timestamp: new Date(START + stampMs).toISOString(), ...entry },
  }),
  screen: (ms: number, text: string): RecordedLine => ({
    t: START + ms,
    source: 'screen',
    pane: '%0',
    text,
  }),
  process: (ms: number, alive: boolean, pid = 7): RecordedLine => ({
    t: START + ms,
    source: 'process',
    pid,
    alive,
  }),
  key: (ms: number, value: string): RecordedLine => ({
    t: START + ms,
    source: 'action',
    what: 'key',
    value,
  }),
}

/** What a system said and when, `ms state` each. */
export function saidBy(
  peer: Peer | Absent,
  lines: readonly RecordedLine[],
  endMs = 60_000,
): string[] {
  if (!('judge' in peer)) throw new Error(`${peer.name}: ${peer.absent}`)
  const [strand] = strandsOf(lines)
  if (!strand) throw new Error('no strand')
  const said = peer.judge({ lines, endAt: START + endMs, run: lines, strand })
  return said.map(({ t, state }) => `${t - START} ${state}`)
}

export function prompt(text: string): object {
  return { type: 'user', message: { content: text } }
}

export function tool(name: string): object {
  return { type: 'assistant', message: { content: [{ type: 'tool_use', name }] } }
}

export const INTERRUPTED = {
  type: 'user',
  message: { content: [{ type: 'text', text: '[Request interrupted by user]' }] },
}
