import { wrappedWhole } from '../tui/text.ts'
import { out } from './output.ts'

/** What a terminal has that does not say: as its ancestors had. */
const USUAL = { columns: 80, rows: 24 }

/** As on other surfaces: what was pressed before that is meant for something else. */
const SEEN_MS = 400

/** Below a page: how many there are, or what is typed. */
const BELOW_ROWS = 1

/**
 * SPEC SH6. Shows every line, a screen at a time where they are more: a key leads on, but none that
 * was pressed before the page was in sight. False if its reader stopped before the last page.
 */
export async function showsWhole(lines: readonly string[]): Promise<boolean> {
  for (;;) {
    const size = sizeOf()
    const pages = pagesOf(lines, size)
    for (const [at, page] of pages.entries()) {
      out.lines(page)
      if (at === pages.length - 1) return true
      out.text(`-- page ${at + 1} of ${pages.length} · space: the next · q: stop -- `)
      const key = await keyAfter(SEEN_MS)
      out.line('')
      if (key === null || STOPS.includes(key)) return false
      if (isOther(size)) break
    }
    out.line('-- the terminal has another size: from the beginning --')
  }
}

interface Size {
  readonly columns: number
  readonly rows: number
}

/** Lines as they are where all have room, else in rows of their own that none of them leaves. */
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

/** Lets what is shown be in sight, and drops what was typed before. */
export async function settled(): Promise<void> {
  await keyAfter(SEEN_MS, SEEN_MS)
}

/** The first key after a while; null where there is none any more, or none in time. */
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
