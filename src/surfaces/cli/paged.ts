import { wrappedWhole } from '../tui/text.ts'
import { out } from './output.ts'

/** The classic size, for a terminal that does not report its own. */
const USUAL = { columns: 80, rows: 24 }

/** As on other surfaces: a key that was pressed earlier was meant for something else. */
const SEEN_MS = 400

/** The row below a page: its number, or the user's input. */
const BELOW_ROWS = 1

/**
 * SPEC SH6. Shows every line, one screen at a time if there are more. A key turns the page, unless
 * it was pressed before the page was visible. False if the user stopped before the last page.
 */
export async function showsWhole(lines: readonly string[]): Promise<boolean> {
  for (;;) {
    const size = sizeOf()
    const pages = pagesOf(lines, size)
    for (const [at, page] of pages.entries()) {
      out.lines(page)
      if (at === pages.length - 1) return true
      out.text(`-- page ${at + 1} of ${pages.length} · space: next page · q: quit --  `)
      const key = await keyAfter(SEEN_MS)
      out.line('')
      if (key === null || STOPS.includes(key)) return false
      if (isOther(size)) break
    }
    out.line('-- the terminal was resized: starting again --')
  }
}

interface Size {
  readonly columns: number
  readonly rows: number
}

/** Lines as they are if all fit; otherwise wrapped into rows. */
export function pagesOf(lines: readonly string[], { columns, rows }: Size): readonly string[][] {
  // The last column stays free: a letter there makes some terminals wrap.
  const width = Math.max(8, columns - 1)
  const all = lines.flatMap((line) => wrappedWhole(line, width))
  const room = Math.max(1, rows - BELOW_ROWS)
  if (all.length <= room) return [[...lines]]
  const pages = Array.from({ length: Math.ceil(all.length / room) }, (_, at) => at * room)
  return pages.map((from) => all.slice(from, from + room))
}

function sizeOf(): Size {
  return { columns: out.columns || USUAL.columns, rows: out.rows || USUAL.rows }
}

function isOther({ columns, rows }: Size): boolean {
  const now = sizeOf()
  return now.columns !== columns || now.rows !== rows
}

const [CTRL_C, CTRL_D, ESCAPE] = ['\x03', '\x04', '\x1b']
const STOPS = ['q', 'Q', ESCAPE]
const ENDS = [CTRL_C, CTRL_D]

/** Waits until the user can have seen the page, and drops earlier input. */
export async function settled(): Promise<void> {
  await keyAfter(SEEN_MS, SEEN_MS)
}

/** The first key after a while; null if input has ended, or no key came in time. */
function keyAfter(deafMs: number, maxMs?: number): Promise<string | null> {
  const { stdin } = process
  const hearsAt = performance.now() + deafMs
  stdin.setRawMode(true)
  return new Promise((resolve) => {
    const end = (key: string | null) => {
      clearTimeout(timer)
      stdin.off('data', onData).off('end', onEnd)
      stdin.setRawMode(false)
      stdin.pause()
      resolve(key)
    }
    const onEnd = () => end(null)
    const onData = (typed: Buffer) => {
      const key = typed.toString('latin1')
      if (ENDS.some((one) => key.includes(one))) end(null)
      else if (performance.now() >= hearsAt) end(key)
    }
    const timer = maxMs === undefined ? undefined : setTimeout(onEnd, maxMs)
    stdin.on('data', onData).on('end', onEnd).resume()
  })
}
