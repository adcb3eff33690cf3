import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import type { PaneInput } from '../../../protocol/pane.ts'
import { keysIn } from './keys.ts'
import type { FromFrame, ToFrame } from './news.ts'
import { themeHere } from './theme-here.ts'

interface Frame {
  readonly ref: RefObject<HTMLIFrameElement | null>
  /** The height of its content. */
  readonly highPx: number
  readonly show: (told: ToFrame) => void
}

const FIRST_PX = 360

/** The frame that shows the terminal: messages to it, and typed keys from it. */
export function useFrame(
  onTyped: (typed: readonly PaneInput[]) => void,
  onHand: (told: Extract<FromFrame, { kind: 'pointed' | 'left' | 'back' }>) => void,
): Frame {
  const ref = useRef<HTMLIFrameElement>(null)
  /** Messages from before the frame was ready. */
  const queue = useRef<ToFrame[] | undefined>([])
  const [highPx, setHighPx] = useState(FIRST_PX)
  const type = useRef(onTyped)
  type.current = onTyped
  const hand = useRef(onHand)
  hand.current = onHand
  const show = useCallback((told: ToFrame) => {
    if (queue.current) queue.current.push(told)
    else ref.current?.contentWindow?.postMessage(told, location.origin)
  }, [])
  useEffect(() => {
    const hear = ({ origin, source, data }: MessageEvent<FromFrame>) => {
      if (origin !== location.origin || source !== ref.current?.contentWindow) return
      if (data.kind === 'high') setHighPx(data.px)
      else if (data.kind === 'typed') type.current(keysIn(data.data))
      else if (data.kind === 'pasted') type.current([{ paste: pastable(data.text) }])
      else if (data.kind !== 'ready') hand.current(data)
      else {
        const waiting = queue.current ?? []
        queue.current = undefined
        for (const told of waiting) show(told)
      }
    }
    window.addEventListener('message', hear)
    return () => window.removeEventListener('message', hear)
  }, [show])
  useEffect(() => followTheme((theme) => show({ kind: 'theme', theme })), [show])
  return { ref, highPx, show }
}

/** Line breaks and tabs, and no other control characters: the daemon accepts none. */
function pastable(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(/(?![\n\t])\p{Cc}/gu, '')
}

/** Sends the theme at once, and whenever the user or the system changes it. */
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
