import { addressOf, keyedRow } from '../../protocol/address.ts'
import type { Session } from '../../protocol/session.ts'
import type { Machine, StreamEvent } from '../../protocol/stream.ts'
import { arrange } from '../order.ts'
import { type Board, type BoardEvent, noticed } from './board.ts'
import { meanwhile } from './news.ts'
import { isDismissed } from './rows.ts'

/** The board after an event that no key caused. */
export function afterEvent<B extends Board>(board: B, event: BoardEvent): B {
  switch (event.kind) {
    case 'stream':
      return afterStream(board, event.events)
    case 'connection':
      return afterConnection(board, event.connected, event.now)
    case 'passed':
      return afterTime(board, event.now)
    case 'focus':
      return { ...board, focused: event.focused }
    case 'details':
      return { ...board, details: event.details, now: event.now }
    case 'notice':
      return noticed(board, event.text, event.tone)
  }
}

/** SPEC BD1. Every event has the whole row, so the newest is right. */
function afterStream<B extends Board>(board: B, events: readonly StreamEvent[]): B {
  let { arriving, now } = board
  let sessions: Map<string, Session> | undefined
  for (const event of events) {
    now = event.now
    if (event.kind === 'machine') continue
    if (event.kind === 'snapshot') {
      arriving = [...arriving, ...event.sessions]
      if (event.more) continue
      sessions = byKey(arriving)
      arriving = []
    } else {
      sessions ??= new Map(board.sessions)
      if (event.kind === 'session') {
        const row = keyedRow(event.session)
        sessions.set(row.id, row)
      } else if (event.kind === 'gone') removeOne(sessions, event)
      else removeAll(sessions, event.machine)
    }
  }
  const known = { ...board, arriving, now, ...machinesAfter(board, events) }
  const isBack = events.some((event) => event.kind === 'machine' && event.machine.own)
  return afterLoss(sessions ? arranged({ ...known, sessions }, false) : known, isBack)
}

/** SPEC FL80. In a board a row's `id` is its key. */
function byKey(sessions: readonly Session[]): Map<string, Session> {
  return new Map(sessions.map(keyedRow).map((session) => [session.id, session]))
}

function removeOne(
  sessions: Map<string, Session>,
  { machine, session: id }: Extract<StreamEvent, { kind: 'gone' }>,
): void {
  sessions.delete(sessions.get(id)?.machine === machine ? id : addressOf({ machine, id }))
}

function removeAll(sessions: Map<string, Session>, machine: string): void {
  for (const [key, session] of sessions)
    if (session.machine === machine && !session.own) sessions.delete(key)
}

/** SPEC FL81. A snapshot is followed by every machine that there is. */
function machinesAfter(board: Board, events: readonly StreamEvent[]) {
  let { machine, loading } = board
  let machines: Map<string, Machine> | undefined
  for (const event of events) {
    if (event.kind === 'snapshot' && !event.more) machines = new Map()
    if (event.kind !== 'machine' && event.kind !== 'machine-gone') continue
    machines ??= new Map(board.machines)
    if (event.kind === 'machine-gone') machines.delete(event.machine)
    else machines.set(event.machine.id, event.machine)
    if (event.kind !== 'machine' || !event.machine.own) continue
    machine = event.machine
    loading = false
  }
  return { machine, loading, machines: machines ?? board.machines }
}

/** When all missed rows have arrived, the board says what changed. */
function afterLoss<B extends Board>(board: B, isBack: boolean): B {
  if (!isBack || !board.lost) return board
  const words = meanwhile([...board.lost.values()], board.sessions)
  const back = { ...board, lost: null }
  return words === '' ? back : noticed(back, words)
}

/** SPEC BD2. An interrupted snapshot starts over. */
function afterConnection<B extends Board>(board: B, connected: boolean, now: number): B {
  if (connected) return { ...board, arriving: [], lostSince: null }
  const lost = board.loading ? null : (board.lost ?? board.sessions)
  return { ...board, lost, lostSince: board.lostSince ?? now }
}

function afterTime<B extends Board>(board: B, now: number): B {
  const notice = board.notice && board.notice.until > now ? board.notice : null
  const later = { ...board, now, notice }
  return arranged(later, !isLookedAt(later))
}

/**
 * The user did something this recently and the window was not left: the user is probably looking at
 * a row.
 */
const LOOKS_MS = 15_000

export function isLookedAt({ focused, now, lastActAt }: Board): boolean {
  return focused && now - lastActAt < LOOKS_MS
}

/**
 * SPEC BD3. `anew`: rows may move to their places. That happens once a second and not with each
 * change: with many sessions the list would never stand still.
 */
function arranged<B extends Board>(board: B, anew: boolean): B {
  const order = arrange(board.order, board.sessions, !anew)
  if (board.dismissed.size === 0) return { ...board, order }
  const dismissed = new Map(
    [...board.dismissed].filter(([id]) => {
      const session = board.sessions.get(id)
      return session && isDismissed(board, session)
    }),
  )
  return { ...board, order, dismissed }
}

type StreamPart = Extract<BoardEvent, { readonly kind: 'stream' }>

/** Joins consecutive stream events into one: each step costs as much as all rows together. */
export function joinedEvents<E extends { readonly kind: string }>(
  events: readonly (E | StreamPart)[],
): readonly (E | StreamPart)[] {
  const out: (E | StreamPart)[] = []
  for (const event of events) {
    const last = out.at(-1)
    if (isPart(event) && last && isPart(last))
      out[out.length - 1] = { ...event, events: [...last.events, ...event.events] }
    else out.push(event)
  }
  return out
}

function isPart(event: { readonly kind: string }): event is StreamPart {
  return event.kind === 'stream'
}
