import { useEffect, useState } from 'react'
import type { Period } from '../../../protocol/constants.ts'
import type { Insight } from '../../../protocol/insight.ts'
import { api } from '../api.ts'

/** Figures of hours do not change by the second. */
const AGAIN_MS = 30_000

interface Asked {
  readonly insight: Insight | null
  readonly trouble: string | null
}

/** The figures of a period in the browser's time zone, loaded again while the page is visible. */
export function useInsight(period: Period): Asked {
  const [asked, setAsked] = useState<Asked>({ insight: null, trouble: null })
  useEffect(() => {
    const over = new AbortController()
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
    const path = `/v1/insight?period=${period}&zone=${encodeURIComponent(zone)}`
    const ask = () => {
      if (document.hidden) return
      api
        .get<Insight>(path, over.signal)
        .then((insight) => setAsked({ insight, trouble: null }))
        .catch((error: Error) => {
          if (!over.signal.aborted) setAsked((known) => ({ ...known, trouble: error.message }))
        })
    }
    ask()
    const again = setInterval(ask, AGAIN_MS)
    document.addEventListener('visibilitychange', ask, { signal: over.signal })
    return () => {
      over.abort()
      clearInterval(again)
    }
  }, [period])
  return asked
}
