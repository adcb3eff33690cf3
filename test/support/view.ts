import type { Session } from '../../src/protocol/session.ts'
import { updateTerminal } from '../../src/surfaces/tui/model.ts'
import type { TerminalPicture } from '../../src/surfaces/tui/picture.ts'
import {
  initialTerminal,
  type TerminalEffect,
  type TerminalEvent,
  type TerminalState,
} from '../../src/surfaces/tui/state.ts'
import { NOW, snapshot } from './board.ts'
import { aSession } from './sessions.ts'

/** A view of these sessions before the first key. */
export function viewOf(sessions: readonly Session[], columns = 80, rows = 24): TerminalState {
  return happened(initialTerminal(columns, rows, NOW), snapshot(sessions))
}

export function happened(state: TerminalState, ...events: readonly TerminalEvent[]): TerminalState {
  return events.reduce((known, event) => updateTerminal(known, event).state, state)
}

/** Keys one after the other, each at this moment. */
export function press(state: TerminalState, ...keys: readonly string[]): TerminalState {
  return happened(
    state,
    ...keys.map((key): TerminalEvent => ({ kind: 'key', key, now: state.now })),
  )
}

export function effectsOf(state: TerminalState, key: string): readonly TerminalEffect[] {
  return updateTerminal(state, { kind: 'key', key, now: state.now }).effects
}

/** The picture as text, line by line. */
export function linesIn({ rows, columns, strips }: TerminalPicture): string[] {
  const lines = Array.from({ length: rows }, () => ' '.repeat(columns))
  for (const { row, column, width, line } of strips) {
    const text = line.map((span) => span.text).join('')
    const before = lines[row] ?? ''
    lines[row] = before.slice(0, column) + text.padEnd(width) + before.slice(column + width)
  }
  return lines.map((line) => line.trimEnd())
}

/** Of everything one: the neediest first, as they should be shown. */
export const FLEET: readonly Session[] = [
  aSession({
    id: 'asks',
    state: 'waiting',
    for: 'permission',
    project: 'payments',
    branch: 'main',
    since: NOW - 45_000,
    unread: true,
    request: { tool: 'Bash', text: 'Rebuild from scratch', at: 1 },
    contextUsedPercent: 58,
  }),
  aSession({
    id: 'wonders',
    state: 'waiting',
    for: 'question',
    project: 'website',
    since: NOW - 9,
  }),
  aSession({ id: 'failed', state: 'error', cause: 'rate_limit', project: 'parser', unread: true }),
  aSession({ id: 'done', state: 'idle', after: 'work', project: 'planner', unread: true }),
  aSession({
    id: 'works',
    state: 'working',
    project: 'engine',
    host: 'there',
    doing: { what: 'tool', tool: 'Bash', label: 'npm test', since: NOW - 4_000 },
    todosDone: 3,
    todosTotal: 7,
    loop: { state: 'ACTIVE', iteration: 2, max: 10, hold: null, until: null },
  }),
  aSession({ id: 'read', state: 'idle', after: 'talk', project: 'engine' }),
  aSession({ id: 'ended', state: 'closed', how: 'exit', project: 'sandbox', cwd: '/tmp' }),
]

/** Of a tool that runs a command. */
export const COMMAND_LAYOUT = {
  parts: [{ role: 'command' as const, field: 'command' }],
  explains: ['description'],
}
