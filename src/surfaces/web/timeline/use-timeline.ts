import { useEffect, useRef, useState } from 'react'
import type { Timeline } from '../../../protocol/insight.ts'
import type { Session } from '../../../protocol/session.ts'
import { isStale, UNREACHABLE } from '../../../view/freshness.ts'
import { api, sessionPath } from '../api.ts'
import { Reload } from '../parts/reload.ts'
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
 * SPEC IN33. The whole timeline, loaded again when the session's row arrives again; when zoomed in,
 * the part with more detail.
 */
export function useTimeline(session: Session, sight: TimeWindow | null): Asked {
  const [asked, setAsked] = useState<Asked>({ timeline: null, trouble: null })
  const whole = useRef<Reload | null>(null)
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
    const load = async () => {
      try {
        const timeline = await api.get<Timeline>(path, over.signal)
        setAsked({ timeline, trouble: null })
      } catch (error) {
        if (over.signal.aborted) return
        setAsked((known) => ({ ...known, trouble: (error as Error).message }))
      }
    }
    const pauseMs = (tookMs: number) => Math.max(AGAIN_MS, AGAIN_TIMES * tookMs)
    const reload = new Reload(load, pauseMs, SETTLE_MS)
    reload.want()
    whole.current = from === null ? reload : null
    return () => {
      over.abort()
      reload.stop()
    }
  }, [id, state, since, from, to, isGone])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each arrival of the row is asked for
  useEffect(() => whole.current?.want(), [session])
  return asked
}
