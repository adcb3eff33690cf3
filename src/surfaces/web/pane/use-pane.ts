import { useEffect, useRef, useState } from 'react'
import { subscribe } from '../../../client/subscribe.ts'
import type {
  ScreenChange,
  ScreenEvent,
  ScreenSnapshot,
  TypingView,
} from '../../../protocol/pane.ts'
import { ApiError, api, sessionPath } from '../api.ts'

/** The delay before a broken stream is opened again; it grows. */
const AGAIN_FIRST_MS = 500
const AGAIN_MAX_MS = 10_000

/** Screen readers get a new screen at most this often. */
const WORDS_MS = 1_000

export interface Pane {
  /** Undefined until it is known. */
  readonly typing: TypingView | undefined
  readonly size: { readonly width: number; readonly height: number } | undefined
  /** Why there is nothing to see, or nothing more. */
  readonly why: string | undefined
  /** The words on the screen, for screen readers. */
  readonly words: readonly string[]
  readonly setTyping: (typing: TypingView) => void
  /** Tries again after a refusal. */
  readonly again: () => void
}

/** Follows what a session's pane shows; `onNews` gets every change. */
export function usePane(
  session: string,
  onNews: (news: ScreenSnapshot | ScreenChange) => void,
): Pane {
  const [typing, setTyping] = useState<TypingView>()
  const [size, setSize] = useState<Pane['size']>()
  const [why, setWhy] = useState<string>()
  const [words, setWords] = useState<readonly string[]>([])
  const [tries, setTries] = useState(0)
  const isSeen = useSeen()
  const tell = useRef(onNews)
  tell.current = onNews

  // biome-ignore lint/correctness/useExhaustiveDependencies: another try starts over.
  useEffect(() => {
    if (!isSeen) return
    const gone = new AbortController()
    const rows: string[] = []
    let spoken: ReturnType<typeof setTimeout> | undefined
    const take = (news: ScreenEvent) => {
      if (news.kind === 'over') setWhy(news.why)
      else if (news.kind === 'typing') setTyping(news)
      else {
        if (news.kind === 'screen') {
          rows.splice(0, rows.length, ...news.rows)
          setSize({ width: news.width, height: news.height })
        } else for (const [place, row] of news.rows) rows[place] = row
        spoken ??= setTimeout(() => {
          spoken = undefined
          setWords(rows.map(plain))
        }, WORDS_MS)
        setWhy(undefined)
        tell.current(news)
      }
    }
    void follow(session, take, setWhy, gone.signal)
    return () => {
      gone.abort()
      clearTimeout(spoken)
    }
  }, [session, tries, isSeen])

  return { typing, size, why, words, setTyping, again: () => setTries((count) => count + 1) }
}

/** A hidden tab does not watch. */
function useSeen(): boolean {
  const [isSeen, setSeen] = useState(document.visibilityState === 'visible')
  useEffect(() => {
    const look = () => setSeen(document.visibilityState === 'visible')
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  return isSeen
}

const COLOURS = new RegExp(`${'\x1b'}\\[[\\d;:]*m`, 'g')

function plain(row: string): string {
  return row.replaceAll(COLOURS, '').trimEnd()
}

/** Reports a refusal; reopens a broken stream. */
async function follow(
  session: string,
  take: (news: ScreenEvent) => void,
  setWhy: (why: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const batches = subscribe({
    connect: () => api.stream(sessionPath(session, 'screen'), signal),
    onConnection: (_, error) => {
      if (error) setWhy(error instanceof ApiError ? error.message : 'the daemon does not answer')
    },
    isFinal: (error) => error instanceof ApiError && error.status >= 400,
    backoffFirstMs: AGAIN_FIRST_MS,
    backoffMaxMs: AGAIN_MAX_MS,
    signal,
  })
  for await (const blocks of batches)
    for (const { data } of blocks) {
      const news = data as ScreenEvent
      take(news)
      if (news.kind === 'over') return
    }
}
