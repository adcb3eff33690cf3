import { useEffect, useState } from 'react'
import type { Timeline } from '../../../core/insight/shapes.ts'
import type { Session } from '../../../daemon/session.ts'
import { api, sessionPath } from '../api.ts'
import type { Sight } from './scale.ts'

/** A session at work has a new tool every second; a picture of it need not. */
const AGAIN_MS = 2_000
const SETTLE_MS = 250

interface Asked {
  readonly timeline: Timeline | null
  readonly trouble: string | null
}

/** The whole, and anew while the session goes on; of a closer look the piece that was left out. */
export function useTimeline(session: Session, sight: Sight | null): Asked {
  const [asked, setAsked] = useState<Asked>({ timeline: null, trouble: null })
  const { id, state, since } = session
  const near = asked.timeline?.thinned && sight ? sight : null
  const [from, to] = near ? [Math.floor(near.from), Math.ceil(near.to)] : [null, null]
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of state is asked for
  useEffect(() => {
    const over = new AbortController()
    const path = sessionPath(id, 'timeline') + (from === null ? '' : `?from=${from}&to=${to}`)
    const ask = () =>
      api
        .get<Timeline>(path, over.signal)
        .then((timeline) => setAsked({ timeline, trouble: null }))
        .catch((error: Error) => {
          if (!over.signal.aborted) setAsked((known) => ({ ...known, trouble: error.message }))
        })
    const first = setTimeout(ask, SETTLE_MS)
    const again = state === 'closed' || from !== null ? undefined : setInterval(ask, AGAIN_MS)
    return () => {
      over.abort()
      clearTimeout(first)
      clearInterval(again)
    }
  }, [id, state, since, from, to])
  return asked
}
