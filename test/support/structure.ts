import type { Page } from 'playwright-core'
import { passes } from './page-stage.ts'

export interface Structure {
  /** The readable text, in the order of the document. */
  readonly texts: readonly string[]
  /** What is wrong with it: cut, outside the window, over another text, out of order. */
  readonly faults: readonly string[]
}

/** What a page shows, and whether it can be read: in order, nothing cut, nothing overlapping. */
export function structureOf(page: Page): Promise<Structure> {
  const parts = [lookAround, pieces, isShown, seenBox, isInFront, hiddenBy, overlaps, misplaced]
  return page.evaluate(
    `(() => { ${[...parts, isBefore, nameOf].join('\n')}\nreturn lookAround() })()`,
  )
}

// Everything below runs in the page, and uses only itself and the page.

interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** One line of a text, with its visible part. */
interface Piece extends Box {
  readonly text: string
  readonly element: Element
  readonly whole: Box
}

function lookAround(): Structure {
  const all = pieces()
  const short = ({ text }: Piece) => text.slice(0, 40)
  const faults = all.flatMap((piece, index) => {
    const box = hiddenBy(piece)
    const over = all.slice(index + 1).filter((other) => overlaps(piece, other))
    const isBeside = piece.left < -1 || piece.right > innerWidth + 1
    return [
      ...(box ? [`${short(piece)}: cut by ${box}`] : []),
      ...(isBeside ? [`${short(piece)}: beside the window`] : []),
      ...over.map((other) => `${short(piece)}: over ${short(other)}`),
    ]
  })
  const wider = document.documentElement.scrollWidth - innerWidth
  if (wider > 0) faults.push(`the page can be scrolled sideways by ${wider} px`)
  const texts = all
    .map(({ text }) => text)
    .filter((text, index, every) => text !== every[index - 1])
  return { texts, faults: [...faults, ...misplaced(all)] }
}

function pieces(): Piece[] {
  const found: Piece[] = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement
    const text = node.textContent?.trim().replaceAll(/\s+/g, ' ') ?? ''
    if (!element || text === '' || !isShown(element)) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    for (const whole of range.getClientRects()) {
      const seen = seenBox(element, whole)
      if (seen) found.push({ text, element, whole, ...seen })
    }
  }
  return found
}

function isShown(element: Element): boolean {
  const options = { opacityProperty: true, visibilityProperty: true }
  return element.checkVisibility(options) && element.closest('script, style, option') === null
}

/** What is left of a box within all that clips it; undefined if something covers it. */
function seenBox(element: Element, whole: Box): Box | undefined {
  let { left, top, right, bottom } = whole
  for (let box: Element | null = element; box; box = box.parentElement) {
    const { overflow, display } = getComputedStyle(box)
    if (overflow === 'visible' || display === 'inline' || display === 'contents') continue
    const clip = box.getBoundingClientRect()
    left = Math.max(left, clip.left)
    top = Math.max(top, clip.top)
    right = Math.min(right, clip.right)
    bottom = Math.min(bottom, clip.bottom)
  }
  // Text for screen readers only has one pixel.
  if (right - left < 2 || bottom - top < 2) return undefined
  const isBeside = right < 0 || left > innerWidth
  const isInSight = isBeside || isInFront(element, { left, top, right, bottom })
  return isInSight ? { left, top, right, bottom } : undefined
}

/** Nothing opaque covers the element in the middle of the box's visible part. */
function isInFront(element: Element, { left, top, right, bottom }: Box): boolean {
  const x = (Math.max(left, 0) + Math.min(right, innerWidth - 1)) / 2
  const layers = document.elementsFromPoint(x, (top + bottom) / 2)
  const own = layers.findIndex((layer) => element.contains(layer) || layer.contains(element))
  const isOpaque = (layer: Element): boolean => {
    const { backgroundColor, backgroundImage } = getComputedStyle(layer)
    return backgroundImage !== 'none' || !/transparent|, 0\)$/.test(backgroundColor)
  }
  return own >= 0 && !layers.slice(0, own).some(isOpaque)
}

/** The box that hides a part of a text. Text that can be scrolled to, or ends in …, is not cut. */
function hiddenBy({ element, whole }: Piece): string | undefined {
  for (let box: Element | null = element; box; box = box.parentElement) {
    const { overflowX, overflowY, textOverflow, display } = getComputedStyle(box)
    if (display === 'inline' || display === 'contents') continue
    const clip = box.getBoundingClientRect()
    const isWithin = whole.left >= clip.left - 1 && whole.right <= clip.right + 1
    const isLow = whole.top >= clip.top - 1 && whole.bottom <= clip.bottom + 1
    const hides = (overflow: string) => overflow === 'hidden' || overflow === 'clip'
    if (hides(overflowX) && textOverflow === 'clip' && !isWithin) return nameOf(box)
    if (hides(overflowY) && !isLow) return nameOf(box)
    if (textOverflow !== 'clip' || /auto|scroll/.test(overflowX + overflowY)) return undefined
  }
  return undefined
}

/** Boxes of lines of different size overlap a little; letters do not. */
function overlaps(one: Piece, other: Piece): boolean {
  if (one.element === other.element) return false
  const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left)
  const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
  return wide > 2 && high > Math.min(one.bottom - one.top, other.bottom - other.top) / 3
}

/** Siblings are below or beside each other in the order of the document. */
function misplaced(all: readonly Piece[]): string[] {
  const parents = new Set<Element>()
  for (const { element } of all)
    for (let box = element.parentElement; box; box = box.parentElement) parents.add(box)
  return [...parents].flatMap((parent) => {
    const shown = [...parent.children].filter(
      (child) =>
        child instanceof HTMLElement &&
        all.some(({ element }) => child.contains(element)) &&
        /static|relative/.test(getComputedStyle(child).position),
    )
    return shown.flatMap((child, index) => {
      const next = shown[index + 1]
      return next && isBefore(next, child) ? [`${nameOf(next)}: before ${nameOf(child)}`] : []
    })
  })
}

/** Above it, or on the left in the same row. */
function isBefore(one: Element, other: Element): boolean {
  const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()]
  const middle = ({ top, bottom }: DOMRect) => (top + bottom) / 2
  const isRow = middle(a) < b.bottom && middle(b) > a.top && middle(a) > b.top
  return a.bottom <= b.top + 1 || (isRow && a.right <= b.left + 1)
}

function nameOf(element: Element): string {
  const own = element.id ? `#${element.id}` : element.getAttribute('class')?.split(' ')[0]
  return own ? `${element.tagName.toLowerCase()}.${own}` : element.tagName.toLowerCase()
}

/** Without what a notice covers: it is over the page for some seconds. */
export async function lastingFaults(page: Page): Promise<readonly string[]> {
  let { faults } = await structureOf(page)
  for (let tries = 0; tries < 10 && faults.length > 0; tries++) {
    await passes(page, 1_000)
    faults = (await structureOf(page)).faults
  }
  return faults
}
