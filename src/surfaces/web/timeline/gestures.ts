import { type RefObject, useEffect, useRef } from 'react'
import { movedWindow, type TimeWindow, zoomed } from './scale.ts'

interface Hands {
  readonly sight: TimeWindow
  readonly whole: TimeWindow
  readonly look: (sight: TimeWindow) => void
}

/** The zoom of one notch of a wheel. */
const WHEEL = 0.0022
/** A trembling hand does not drag. */
const DRAG_MIN_PX = 4

/** Wheel, pinch and drag on an element; plain scrolling still scrolls the page. */
export function useGestures(ref: RefObject<HTMLElement | null>, hands: Hands): void {
  const now = useRef(hands)
  now.current = hands
  useEffect(() => {
    const element = ref.current
    if (!element) return
    const over = new AbortController()
    const { signal } = over
    const pointers = new Map<number, PointerEvent>()
    const timeAt = (x: number) => {
      const { left, width } = element.getBoundingClientRect()
      const { from, to } = now.current.sight
      return from + ((x - left) / Math.max(1, width)) * (to - from)
    }
    const onWheel = (event: WheelEvent) => {
      const { sight, whole, look } = now.current
      const across = event.shiftKey ? event.deltaY : event.deltaX
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault()
        look(zoomed(sight, Math.exp(event.deltaY * WHEEL * 4), timeAt(event.clientX), whole))
      } else if (Math.abs(across) > Math.abs(event.shiftKey ? 0 : event.deltaY)) {
        event.preventDefault()
        look(movedWindow(sight, across / Math.max(1, element.clientWidth), whole))
      }
    }
    element.addEventListener('wheel', onWheel, { passive: false, signal })
    element.addEventListener('pointerdown', (event) => pointers.set(event.pointerId, event), {
      signal,
    })
    for (const name of ['pointerup', 'pointercancel'] as const)
      addEventListener(name, (event) => pointers.delete(event.pointerId), { signal })
    addEventListener(
      'pointermove',
      (event) => {
        const before = pointers.get(event.pointerId)
        if (!before) return
        const others = [...pointers.values()].filter((one) => one.pointerId !== event.pointerId)
        const { sight, whole, look } = now.current
        const [other] = others
        const by = event.clientX - before.clientX
        if (!other && Math.abs(by) < DRAG_MIN_PX) return
        pointers.set(event.pointerId, event)
        if (!other) return look(movedWindow(sight, -by / Math.max(1, element.clientWidth), whole))
        const apart = Math.abs(before.clientX - other.clientX)
        const nowApart = Math.max(1, Math.abs(event.clientX - other.clientX))
        const middle = (event.clientX + other.clientX) / 2
        look(zoomed(sight, Math.max(1, apart) / nowApart, timeAt(middle), whole))
      },
      { signal },
    )
    return () => over.abort()
  }, [ref])
}
