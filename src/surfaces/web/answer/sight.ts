interface Span {
  readonly top: number
  readonly bottom: number
}

/** What lies over the page as it scrolls. */
const OVERLAYS = '.tabs, .request .acts, .notice.shown'

/** The rows of the window in which what is in a box can be seen. */
export function sightOf(box: Element): Span {
  let [top, bottom] = [0, innerHeight]
  for (let at: Element | null = box; at; at = at.parentElement) {
    if (getComputedStyle(at).overflowY === 'visible') continue
    const { top: from, height } = at.getBoundingClientRect()
    const edge = from + at.clientTop
    top = Math.max(top, edge)
    bottom = Math.min(bottom, edge + Math.min(at.clientHeight, height))
  }
  for (const over of document.querySelectorAll(OVERLAYS)) {
    if (!/sticky|fixed/.test(getComputedStyle(over).position)) continue
    const { top: from, bottom: to } = over.getBoundingClientRect()
    if (to <= top || from >= bottom) continue
    if (from + to < top + bottom) top = Math.max(top, to)
    else bottom = Math.min(bottom, from)
  }
  return { top, bottom }
}

/** Brings a row of the window to where it can be seen, at the top of what scrolls. */
export function bringToTop(box: Element, row: number): void {
  box.scrollIntoView({ block: 'nearest' })
  for (let at: Element | null = box; at; at = at.parentElement) {
    const isScroller = getComputedStyle(at).overflowY !== 'visible'
    if (!isScroller || at.scrollHeight <= at.clientHeight) continue
    at.scrollBy({ top: row - sightOf(box).top, behavior: 'instant' })
    return
  }
}

/** Something in it is wider than it: that can be seen only by scrolling sideways. */
export function isCutAside(part: Element): boolean {
  const inner = [part, ...part.querySelectorAll('[data-scrolls]')]
  return inner.some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
}
