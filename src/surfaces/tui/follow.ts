import type { Client } from '../../client/client.ts'
import type { SessionChange } from '../../protocol/session.ts'
import { lister } from '../lister.ts'
import type { Event } from './state.ts'

/** What an agent is doing changes without a change of its verdict: asked for as often as ages. */
const LIST_MS = 1_000
/** Changes that come in a burst are taken together. */
const BURST_MS = 80

export interface Following {
  readonly client: Pick<Client, 'sessions' | 'events'>
  readonly tell: (event: Event) => void
  readonly isKnown: (session: string) => boolean
  readonly signal: AbortSignal
}

/** Tells what is and what changes, until aborted; a daemon that ends is waited for. */
export async function follow({ client, tell, isKnown, signal }: Following): Promise<void> {
  const list = lister({
    ask: (since) => client.sessions({ since }),
    tell: (listing) => {
      if (!signal.aborted) tell({ kind: 'listed', listing })
    },
  })
  const burst = bursts((changes) => {
    tell({ kind: 'changed', changes, now: Date.now() })
    if (changes.some(({ session }) => !isKnown(session))) void list()
  })
  let wasLost = false
  const onConnection = (connected: boolean) => {
    tell({ kind: 'connection', connected, now: Date.now() })
    if (connected) void list(wasLost ? 'all' : 'new')
    wasLost = !connected
  }
  const timer = setInterval(() => void list(), LIST_MS)
  const after = await list()
  try {
    const options = { after, signal, onConnection, backoffMaxMs: 1_000, answers: true }
    for await (const change of client.events(options))
      if (change.kind === 'reset') {
        tell({ kind: 'reset' })
        await list('all')
      } else if (change.kind === 'requests') tell({ ...change, kind: 'asks' })
      else burst.add(change)
  } finally {
    clearInterval(timer)
    burst.stop()
  }
}

/** The first at once, those that follow close behind it together. */
function bursts(flush: (changes: readonly SessionChange[]) => void) {
  let waiting: SessionChange[] = []
  let timer: NodeJS.Timeout | undefined
  const send = () => {
    timer = undefined
    if (waiting.length === 0) return
    const changes = waiting
    waiting = []
    flush(changes)
    timer = setTimeout(send, BURST_MS)
  }
  return {
    add: (change: SessionChange) => {
      waiting.push(change)
      if (!timer) send()
    },
    stop: () => clearTimeout(timer),
  }
}
