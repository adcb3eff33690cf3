import type { Change } from '../../../daemon/api/shapes.ts'
import type { Listing } from '../../../daemon/fleet.ts'
import { ApiError, api } from '../api.ts'
import type { Block } from '../event-blocks.ts'
import type { Event } from '../model/state.ts'

/** A daemon that restarts is back within this; one that is gone must not be asked all the time. */
const BACKOFF_FIRST_MS = 100
const BACKOFF_MAX_MS = 2_000

/** What an agent is doing changes without a change of its verdict: asked for as often as ages. */
const LIST_MS = 1_000
/** What has long been closed is listed no more, and nothing tells of that. */
const WHOLE_MS = 60_000

export interface Following {
  readonly tell: (event: Event) => void
  readonly isKnown: (session: string) => boolean
  readonly now: () => number
  readonly signal: AbortSignal
}

/** Tells what is and what changes, until aborted; a daemon that ends is waited for. */
export async function follow(following: Following): Promise<void> {
  const { tell, now, signal } = following
  const list = lister(following)
  let [after, backoffMs] = [await list(), BACKOFF_FIRST_MS]
  const onEvent = (block: Block) => {
    after = block.id === null ? after : Number(block.id)
    take(block, following, list)
  }
  while (!signal.aborted) {
    try {
      const lastEventId = after === undefined ? null : String(after)
      const onOpen = () => {
        backoffMs = BACKOFF_FIRST_MS
        tell({ kind: 'connection', connected: true, now: now() })
        void list()
      }
      await api.stream('/v1/events', onEvent, signal, { lastEventId, onOpen })
    } catch (error) {
      if (signal.aborted || (error instanceof ApiError && error.status === 401)) return
    }
    tell({ kind: 'connection', connected: false, now: now() })
    await pause(backoffMs, signal)
    backoffMs = Math.min(2 * backoffMs, BACKOFF_MAX_MS)
  }
}

function take(block: Block, { tell, isKnown, now }: Following, list: () => Promise<unknown>) {
  if (block.event === 'reset') {
    tell({ kind: 'reset' })
    void list()
  }
  if (block.event === 'requests') {
    const { session, asks } = block.data as { session: string; asks: readonly string[] }
    tell({ kind: 'asks', session, asks })
  }
  if (block.event !== 'verdict' && block.event !== 'gone') return
  const change = block.data as Change
  tell({ kind: 'changed', changes: [change], now: now() })
  if (!isKnown(change.session)) void list()
}

/**
 * One listing at a time, of what is new since the last, and the next not at once; gives the id of
 * the newest change it has.
 */
function lister({ tell, signal }: Following) {
  let busy: Promise<number | undefined> | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const again = () => {
    clearTimeout(timer)
    timer = setTimeout(() => (document.hidden ? again() : void list()), LIST_MS)
  }
  let [since, wholeAt] = [undefined as string | undefined, 0]
  const ask = async () => {
    try {
      const isDue = since === undefined || performance.now() - wholeAt > WHOLE_MS
      const path = isDue ? '/v1/sessions' : `/v1/sessions?since=${since}`
      const listing = await api.get<Listing>(path, signal)
      since = listing.cursor
      if (!listing.partial) wholeAt = performance.now()
      tell({ kind: 'listed', listing })
      return listing.seq
    } catch {
      // That the daemon is gone is told by who reads its events.
      return undefined
    }
  }
  const list = async () => {
    busy ??= ask().finally(() => {
      busy = undefined
      if (!signal.aborted) again()
    })
    return await busy
  }
  signal.addEventListener('abort', () => clearTimeout(timer))
  return list
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done, { once: true })
  })
}
