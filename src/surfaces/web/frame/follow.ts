import type { Listing, SessionChange } from '../../../protocol/session.ts'
import { type List, lister } from '../../lister.ts'
import { ApiError, api } from '../api.ts'
import type { Block } from '../event-blocks.ts'
import type { Event } from '../model/state.ts'

/** A daemon that restarts is back within this; one that is gone must not be asked all the time. */
const BACKOFF_FIRST_MS = 100
const BACKOFF_MAX_MS = 2_000

/** What an agent is doing changes without a change of its verdict: asked for as often as ages. */
const LIST_MS = 1_000

export interface Following {
  readonly tell: (event: Event) => void
  readonly isKnown: (session: string) => boolean
  readonly now: () => number
  readonly signal: AbortSignal
}

/** Tells what is and what changes, until aborted; a daemon that ends is waited for. */
export async function follow(following: Following): Promise<void> {
  const { tell, now, signal } = following
  const list = listing(following)
  let [after, backoffMs, wasLost] = [await list(), BACKOFF_FIRST_MS, false]
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
        void list(wasLost ? 'all' : 'new')
        wasLost = false
      }
      await api.stream('/v1/events', onEvent, signal, { lastEventId, onOpen })
    } catch (error) {
      if (signal.aborted || (error instanceof ApiError && error.status === 401)) return
    }
    tell({ kind: 'connection', connected: false, now: now() })
    wasLost = true
    await pause(backoffMs, signal)
    backoffMs = Math.min(2 * backoffMs, BACKOFF_MAX_MS)
  }
}

function take(block: Block, { tell, isKnown, now }: Following, list: List) {
  if (block.event === 'reset') {
    tell({ kind: 'reset' })
    void list('all')
  }
  if (block.event === 'requests') {
    const { session, asks } = block.data as { session: string; asks: readonly string[] }
    tell({ kind: 'asks', session, asks })
  }
  if (block.event !== 'verdict' && block.event !== 'gone') return
  const change = block.data as SessionChange
  tell({ kind: 'changed', changes: [change], now: now() })
  if (!isKnown(change.session)) void list()
}

/** Again and again, the next not at once; not while nobody sees it. */
function listing({ tell, signal }: Following): List {
  let timer: ReturnType<typeof setTimeout> | undefined
  const once = lister({
    ask: (since) => {
      const path = since === undefined ? '/v1/sessions' : `/v1/sessions?since=${since}`
      return api.get<Listing>(path, signal)
    },
    tell: (listed) => tell({ kind: 'listed', listing: listed }),
  })
  const again = () => {
    clearTimeout(timer)
    if (signal.aborted) return
    timer = setTimeout(() => (document.hidden ? again() : void list()), LIST_MS)
  }
  const list: List = async (what) => {
    const seq = await once(what)
    again()
    return seq
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
