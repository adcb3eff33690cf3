import './pane.css'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Session } from '../../../daemon/session.ts'
import { api, sessionPath } from '../api.ts'
import { Controls } from './controls.tsx'
import { keysIn } from './keys.ts'
import type { Change, FromFrame, Screen, ToFrame, Typing } from './news.ts'
import { themeHere } from './theme-here.ts'
import { Typist } from './typist.ts'
import { usePane } from './use-pane.ts'

interface PaneProps {
  readonly session: Session
}

/** The live screen of a session's pane; typing into it is a switch of its own. */
export function PaneView({ session }: PaneProps) {
  return <Watched key={session.id} session={session} />
}

function Watched({ session }: PaneProps) {
  const { id } = session
  const frame = useRef<HTMLIFrameElement>(null)
  /** What came before the frame could take it. */
  const queue = useRef<ToFrame[] | undefined>([])
  const [high, setHigh] = useState(360)
  const [trouble, setTrouble] = useState<string>()
  const show = useCallback((told: ToFrame) => {
    if (queue.current) queue.current.push(told)
    else frame.current?.contentWindow?.postMessage(told, location.origin)
  }, [])
  const pane = usePane(id, (news: Screen | Change) => show(news))
  const isOn = pane.typing?.on === true
  const typist = useRef<Typist>(null)

  useEffect(() => {
    typist.current = new Typist(id, setTrouble)
  }, [id])

  useEffect(() => show({ kind: 'open', on: isOn }), [show, isOn])
  useEffect(() => followTheme((theme) => show({ kind: 'theme', theme })), [show])
  useEffect(() => {
    const hear = ({ origin, source, data }: MessageEvent<FromFrame>) => {
      if (origin !== location.origin || source !== frame.current?.contentWindow) return
      if (data.kind === 'high') setHigh(data.px)
      else if (data.kind === 'typed') typist.current?.type(keysIn(data.data))
      else if (data.kind === 'pasted') typist.current?.type([{ paste: pastable(data.text) }])
      else {
        const waiting = queue.current ?? []
        queue.current = undefined
        for (const told of waiting) show(told)
      }
    }
    window.addEventListener('message', hear)
    return () => window.removeEventListener('message', hear)
  }, [show])

  const turn = async (on: boolean) => {
    setTrouble(undefined)
    try {
      const view = await api.post<Omit<Typing, 'kind'>>(sessionPath(id, 'typing'), {
        on,
        where: 'page',
      })
      pane.setTyping({ kind: 'typing', ...view })
    } catch (error) {
      setTrouble((error as Error).message)
    }
  }

  return (
    <section className="pane" aria-label="terminal">
      <Controls
        session={session}
        pane={pane}
        onTurn={(on) => void turn(on)}
        onKey={(key) => typist.current?.type([{ key }])}
        trouble={trouble}
        onTrouble={setTrouble}
      />
      <iframe
        ref={frame}
        src="/pane.html"
        className="pane-frame"
        title={isOn ? 'its terminal: what you type goes there' : 'its terminal, to look at'}
        tabIndex={isOn ? 0 : -1}
        hidden={pane.size === undefined}
        style={{ blockSize: `${high}px` }}
      />
      <details className="pane-words">
        <summary>the screen as text</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: who has no pointer must scroll it too */}
        <pre tabIndex={0}>{pane.words.join('\n').trimEnd()}</pre>
      </details>
    </section>
  )
}

/** Line breaks and tabs, and no other control characters: the daemon takes none. */
function pastable(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(/(?![\n\t])\p{Cc}/gu, '')
}

/** The theme at once, and whenever its user or his system chooses another. */
function followTheme(tell: (theme: ReturnType<typeof themeHere>) => void): () => void {
  const now = () => tell(themeHere())
  const system = matchMedia('(prefers-color-scheme: dark)')
  const chosen = new MutationObserver(now)
  chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  system.addEventListener('change', now)
  now()
  return () => {
    chosen.disconnect()
    system.removeEventListener('change', now)
  }
}
