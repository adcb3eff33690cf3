import type { Session } from '../../protocol/session.ts'
import type { StreamEvent } from '../../protocol/stream.ts'
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
  let { arriving, machine, now, loading } = board
  let sessions: Map<string, Session> | undefined
  for (const event of events) {
    now = event.now
    if (event.kind === 'machine') {
      machine = event.machine
      loading = false
    } else if (event.kind === 'snapshot') {
      arriving = [...arriving, ...event.sessions]
      if (event.more) continue
      sessions = new Map(arriving.map((session) => [session.id, session]))
      arriving = []
    } else {
      sessions ??= new Map(board.sessions)
      if (event.kind === 'gone') sessions.delete(event.session)
      else sessions.set(event.session.id, event.session)
    }
  }
  const known = { ...board, arriving, machine, now, loading }
  const isBack = events.some(({ kind }) => kind === 'machine')
  return afterLoss(sessions ? arranged({ ...known, sessions }, false) : known, isBack)
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
  const order = arrange(board.order, [...board.sessions.values()], !anew)
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
