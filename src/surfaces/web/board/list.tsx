import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import { useChosen, useStore } from '../frame/use-store.ts'
import { Safe } from '../parts/safe-text.tsx'
import { EmptyList } from './empty-list.tsx'
import { SessionLine } from './row.tsx'
import { NARROW, type RowsInSight, scrollTo, sightOf, WIDE } from './sight.ts'

/** The visible part of the list of sessions, each row at its place. */
export function List() {
  const store = useStore()
  const rows = useChosen(({ list }) => list)
  const selected = useChosen(({ selected }) => selected)
  const wide = useChosen(({ wide }) => wide)
  const place = useRef<HTMLDivElement>(null)
  const [port, setPort] = useState({ scrolled: 0, height: 800 })
  const heights = wide ? WIDE : NARROW
  const sight = sightOf(rows, heights, port.scrolled, port.height, selected)

  useLayoutEffect(() => {
    const box = place.current
    if (!box) return
    const measure = () => setPort({ scrolled: box.scrollTop, height: box.clientHeight })
    const size = new ResizeObserver(measure)
    size.observe(box)
    box.addEventListener('scroll', measure, { passive: true })
    return () => {
      size.disconnect()
      box.removeEventListener('scroll', measure)
    }
  }, [])

  const { from, count } = sight
  useLayoutEffect(() => store.send({ kind: 'sight', from, count }), [store, from, count])
  useFollow(place, heights)
  return (
    <div className="list" ref={place} data-testid="list">
      {rows.length === 0 ? <EmptyList /> : <Rows sight={sight} selected={selected} />}
    </div>
  )
}

/** Scrolls to the row that keys selected, and focuses it. */
function useFollow(place: React.RefObject<HTMLDivElement | null>, heights: typeof WIDE): void {
  const store = useStore()
  useLayoutEffect(
    () =>
      store.onEffect((effect) => {
        const box = place.current
        const { selected, list: rows } = store.state
        if (effect.do !== 'focus-row' || !box || selected === null) return
        const to = scrollTo(rows, heights, box.scrollTop, box.clientHeight, selected)
        if (to !== null) box.scrollTop = to
        if (document.activeElement?.id === 'search') return
        box.querySelector<HTMLElement>('[aria-current="true"]')?.focus({ preventScroll: true })
      }),
    [store, heights, place],
  )
}

/** With more rows something always moves: then rows jump to their places without animation. */
const GLIDING_MAX = 60

interface RowsProps {
  readonly sight: RowsInSight
  readonly selected: string | null
}

function Rows({ sight, selected }: RowsProps) {
  const store = useStore()
  const now = useChosen(({ now }) => now)
  const total = useChosen(({ list }) => list.length)
  const onChoose = useCallback(
    (id: string) => store.send({ kind: 'chose', id, now: store.state.now, at: performance.now() }),
    [store],
  )
  const onUnfold = () => store.send({ kind: 'unfolded', now: store.state.now })
  let number = 0
  const seconds = Math.floor(now / 1_000) * 1_000
  return (
    <ul
      className={`rows ${total <= GLIDING_MAX ? 'gliding' : ''}`}
      style={{ height: sight.total }}
      aria-label="sessions"
    >
      {sight.drawn.map(({ row, at, top }) => {
        const place = { transform: `translateY(${top}px)` }
        if (row.kind === 'group')
          return (
            <li key={`group ${row.name}`} className="group" style={place}>
              <h2>
                <Safe text={row.name} />
              </h2>
              <span>{row.count}</span>
            </li>
          )
        if (row.kind === 'closed')
          return (
            <li key="closed" className="closed-row" style={place}>
              <button type="button" aria-expanded={row.isOpen} onClick={onUnfold}>
                {row.count} closed
              </button>
            </li>
          )
        const isSeen = at >= sight.from && at < sight.from + sight.count
        if (isSeen) number += 1
        const { id } = row.session
        return (
          <li key={id} style={place} aria-setsize={total} aria-posinset={at + 1}>
            <SessionLine
              session={row.session}
              number={isSeen && number <= 9 ? number : null}
              selected={id === selected}
              now={seconds}
              onChoose={onChoose}
            />
          </li>
        )
      })}
    </ul>
  )
}
