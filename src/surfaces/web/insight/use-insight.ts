import { useEffect, useState } from 'react'
import type { State } from '../../../core/verdict.ts'
import type { Period } from '../../../protocol/constants.ts'
import type { Insight } from '../../../protocol/insight.ts'
import { api } from '../api.ts'
import { useStore } from '../frame/use-store.ts'
import type { PageState } from '../model/state.ts'
import { Reload } from '../parts/reload.ts'

/** Figures of hours do not change by the second. */
const AGAIN_MS = 30_000

interface Asked {
  readonly insight: Insight | null
  readonly trouble: string | null
}

/**
 * SPEC IN33. The figures of a period in the browser's time zone, loaded again while the page is
 * visible: when a row arrives, and while a session works or waits.
 */
export function useInsight(period: Period): Asked {
  const [asked, setAsked] = useState<Asked>({ insight: null, trouble: null })
  const store = useStore()
  useEffect(() => {
    const over = new AbortController()
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
    const path = `/v1/insight?period=${period}&zone=${encodeURIComponent(zone)}`
    const load = async () => {
      try {
        const insight = await api.get<Insight>(path, over.signal)
        setAsked({ insight, trouble: null })
      } catch (error) {
        if (over.signal.aborted) return
        setAsked((known) => ({ ...known, trouble: (error as Error).message }))
      }
      if (countsOn(store.state)) want()
    }
    const reload = new Reload(load, () => AGAIN_MS)
    const want = () => {
      if (!document.hidden) reload.want()
    }
    let { sessions } = store.state
    const forget = store.subscribe(() => {
      if (store.state.sessions === sessions) return
      sessions = store.state.sessions
      want()
    })
    want()
    document.addEventListener('visibilitychange', want, { signal: over.signal })
    return () => {
      over.abort()
      forget()
      reload.stop()
    }
  }, [period, store])
  return asked
}

/** These have a share in the figures as time goes by, though their rows stay the same. */
const COUNTED: ReadonlySet<State> = new Set(['working', 'waiting', 'background', 'stuck'])

function countsOn({ sessions }: PageState): boolean {
  return [...sessions.values()].some(({ state }) => COUNTED.has(state))
}
