import { useEffect, useState } from 'react'
import type { Timeline } from '../../../protocol/insight.ts'
import type { Session } from '../../../protocol/session.ts'
import { isStale, UNREACHABLE } from '../../../view/freshness.ts'
import { api, sessionPath } from '../api.ts'
import type { TimeWindow } from './scale.ts'

/** A working session has a new tool every second; the picture need not be that new. */
const AGAIN_MS = 2_000
/**
 * A slow load is repeated less often, so that it costs the daemon a twentieth of its time at most.
 */
const AGAIN_TIMES = 20
const SETTLE_MS = 250

interface Asked {
  readonly timeline: Timeline | null
  readonly trouble: string | null
}

/**
 * The whole timeline, loaded again while the session is open; when zoomed in, the part with more
 * detail.
 */
export function useTimeline(session: Session, sight: TimeWindow | null): Asked {
  const [asked, setAsked] = useState<Asked>({ timeline: null, trouble: null })
  const { id, state, since } = session
  const isGone = isStale(session)
  const near = asked.timeline?.thinned && sight ? sight : null
  const [from, to] = near ? [Math.floor(near.from), Math.ceil(near.to)] : [null, null]
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of state is asked for
  useEffect(() => {
    // SPEC FL200.
    if (isGone) {
      setAsked((known) => ({ ...known, trouble: UNREACHABLE }))
      return
    }
    const over = new AbortController()
    const path = sessionPath(id, 'timeline') + (from === null ? '' : `?from=${from}&to=${to}`)
    let timer: ReturnType<typeof setTimeout>
    const ask = async () => {
      const begun = performance.now()
      try {
        const timeline = await api.get<Timeline>(path, over.signal)
        setAsked({ timeline, trouble: null })
      } catch (error) {
        if (over.signal.aborted) return
        setAsked((known) => ({ ...known, trouble: (error as Error).message }))
      }
      const tookMs = performance.now() - begun
      if (state === 'closed' || from !== null) return
      timer = setTimeout(ask, Math.max(AGAIN_MS, AGAIN_TIMES * tookMs))
    }
    timer = setTimeout(ask, SETTLE_MS)
    return () => {
      over.abort()
      clearTimeout(timer)
    }
  }, [id, state, since, from, to, isGone])
  return asked
}
