import type { ScreenChange, ScreenSnapshot } from '../../protocol/pane.ts'
import type { PaneFrame } from '../../tmux/frame.ts'
import { ABOVE_MAX_LINES } from './limits.ts'

/** What a viewer was sent last. */
export interface SentLines {
  readonly began: number
  readonly left: number
  readonly frame: PaneFrame
}

/** A watched pane: what it shows, and the lines that have left its screen meanwhile. */
export class PanePicture {
  #frame: PaneFrame | undefined
  #above: readonly string[] = []
  /** How often it restarted, and how many lines have left the screen since. */
  #began = 0
  #left = 0

  get frame(): PaneFrame | undefined {
    return this.#frame
  }

  /** Another size, or the previous frame is unknown. */
  begin(frame: PaneFrame): void {
    this.#frame = frame
    this.#above = frame.above.slice(-ABOVE_MAX_LINES)
    this.#began += 1
    this.#left = 0
  }

  /** Nothing has left the screen. */
  change(frame: PaneFrame): void {
    this.#frame = frame
  }

  /** This many lines have left; false where the lines above do not match. */
  scroll(frame: PaneFrame, count: number): boolean {
    const known = this.#above.at(-1)
    const before = frame.above.at(-count - 1)
    if (count > frame.above.length) return false
    if (known !== undefined && before !== undefined && known !== before) return false
    this.#frame = frame
    this.#left += count
    const left = count === 0 ? [] : frame.above.slice(-count)
    this.#above = [...this.#above, ...left].slice(-ABOVE_MAX_LINES)
    return true
  }

  /** What changed for a viewer since it was sent this; undefined where nothing did. */
  newsTo(
    sent: SentLines | undefined,
  ): { readonly news: ScreenSnapshot | ScreenChange; readonly sent: SentLines } | undefined {
    const frame = this.#frame
    if (!frame || sent?.frame === frame) return undefined
    const now = { began: this.#began, left: this.#left, frame }
    const left = this.#left - (sent?.left ?? 0)
    const isKnown = sent?.began === this.#began && left <= this.#above.length
    return {
      news: sent && isKnown ? changeOf(frame, sent.frame, this.#tail(left)) : this.#whole(frame),
      sent: now,
    }
  }

  #tail(count: number): readonly string[] {
    return count === 0 ? [] : this.#above.slice(-count)
  }

  #whole({ width, height, rows, cursor }: PaneFrame): ScreenSnapshot {
    return { kind: 'screen', width, height, above: this.#above, rows, cursor }
  }
}

function changeOf(frame: PaneFrame, before: PaneFrame, left: readonly string[]): ScreenChange {
  const all = frame.rows.map((row, place) => [place, row] as const)
  const rows = left.length > 0 ? all : all.filter(([place, row]) => before.rows[place] !== row)
  return { kind: 'change', left, rows, cursor: frame.cursor }
}

export function isSame(a: PaneFrame, b: PaneFrame): boolean {
  return (
    a.width === b.width &&
    a.height === b.height &&
    a.history === b.history &&
    a.cursor.x === b.cursor.x &&
    a.cursor.y === b.cursor.y &&
    a.cursor.shown === b.cursor.shown &&
    a.rows.every((row, place) => row === b.rows[place])
  )
}

/**
 * How many lines have left the screen between two frames; undefined where that is unknown. When
 * tmux's history is full it drops a tenth of it at once (grid.c of 3.3a).
 */
export function growthOf(before: PaneFrame, after: PaneFrame): number | undefined {
  if (before.width !== after.width || before.height !== after.height) return undefined
  const grown = after.history - before.history
  if (grown >= 0) return grown
  const dropped = Math.max(1, Math.floor(after.historyMax / 10))
  const isFull = before.history + dropped >= after.historyMax
  return isFull && grown + dropped >= 0 ? grown + dropped : undefined
}
