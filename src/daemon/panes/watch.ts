import { setTimeout as sleep } from 'node:timers/promises'
import { terminalOf } from '../../platform/process-terminal.ts'
import { askFrame, frameIn, type PaneFrame } from '../../tmux/frame.ts'
import { Tap } from '../../tmux/tap.ts'
import { runTmux } from '../../tmux/tmux.ts'
import { Listeners } from '../listeners.ts'
import { Problem } from '../problem.ts'
import {
  ABOVE_MAX_LINES,
  CHECK_MS,
  FLOOD_MS,
  FRAME_MS,
  LOOK_FIRST_MS,
  LOOK_GROWS,
  LOOK_MAX_MS,
} from './limits.ts'
import { growthOf, isSame, PanePicture } from './pane-picture.ts'

export interface Watched {
  readonly socket: string
  readonly pane: string
  /** The session's process: nothing is shown unless it runs in the pane. */
  readonly pid: number
}

/**
 * A pane while it has viewers. Where a terminal is attached a tap signals output; elsewhere the
 * pane is polled: a client of vigil alone in it would make the session show as attached, and `tmux
 * attach` would choose another.
 */
export class PaneWatch {
  readonly picture = new PanePicture()
  /** Emits after every change of the picture, and when it is over. */
  readonly news = new Listeners<void>()
  /** Why nothing is shown any more. */
  over: string | undefined
  readonly #watched: Watched
  #tap: Tap | undefined
  #frame: PaneFrame | undefined
  #printed = true
  /** Lines above the screen to fetch at once: while some scroll off, more will. */
  #expected = 0
  #restMs = FRAME_MS
  #waitMs = LOOK_FIRST_MS
  #wake: (() => void) | undefined

  constructor(watched: Watched) {
    this.#watched = watched
    void this.#run().catch((error: Error) => this.#end(`tmux: ${error.message}`))
  }

  /** Input was typed into it: it is about to change. */
  nudge(): void {
    this.#waitMs = LOOK_FIRST_MS
    this.#printed = true
    this.#wake?.()
  }

  close(): void {
    this.#end('no viewer is left')
  }

  async #run(): Promise<void> {
    for (;;) {
      this.#printed = false
      const frame = await this.#look(this.#frame ? this.#expected : ABOVE_MAX_LINES)
      const why = frame ? await whyHidden(frame, this.#watched.pid) : 'its pane is closed'
      if (this.over !== undefined) return
      if (!frame || why !== undefined) return this.#end(why ?? '')
      await this.#take(frame)
      this.#followTap(frame)
      await sleep(this.#restMs)
      this.#restMs = FRAME_MS
      await this.#rest()
      if (this.over !== undefined) return
    }
  }

  async #look(above: number): Promise<PaneFrame | undefined> {
    const { socket, pane } = this.#watched
    const line = askFrame(pane, above)
    // A tap that has just closed is no reason to show nothing.
    const tapped = await this.#tap?.look(line).catch(() => undefined)
    return frameIn(tapped ?? (await runTmux(socket, line)), above)
  }

  /** Lines that have left the screen are fetched only where there are any. */
  async #take(frame: PaneFrame): Promise<void> {
    const before = this.#frame
    if (before && isSame(before, frame)) return this.#slower()
    const left = before ? growthOf(before, frame) : undefined
    this.#expected = left ? aboveFor(left, frame) : 0
    if (left === 0) {
      this.picture.change(frame)
      return this.#show(frame)
    }
    const isEnough = left !== undefined && frame.above.length > left
    const whole = before && !isEnough ? await this.#look(aboveFor(left, frame)) : frame
    if (!whole || this.over !== undefined) return
    const more = before && growthOf(before, whole)
    if (more !== undefined && this.picture.scroll(whole, more)) return this.#show(whole)
    // More lines have scrolled by, or those above do not match: fetch everything again.
    const anew = before ? await this.#look(ABOVE_MAX_LINES) : frame
    if (!anew || this.over !== undefined) return
    this.picture.begin(anew)
    if (before) this.#restMs = FLOOD_MS
    this.#show(anew)
  }

  #show(frame: PaneFrame): void {
    this.#frame = frame
    this.#waitMs = LOOK_FIRST_MS
    this.news.emit()
  }

  #slower(): void {
    this.#waitMs = Math.min(this.#waitMs * LOOK_GROWS, LOOK_MAX_MS)
  }

  /** Attached only where a terminal is attached. */
  #followTap({ session, attached }: PaneFrame): void {
    if (this.#tap && this.#tap.session !== session) this.#tap.close()
    if (this.#tap || attached === 0 || this.over !== undefined) return
    const { socket, pane } = this.#watched
    const tap = new Tap(socket, session, pane, {
      onPrinted: () => {
        this.#printed = true
        this.#wake?.()
      },
      onEnd: () => {
        if (this.#tap === tap) this.#tap = undefined
        this.#wake?.()
      },
    })
    this.#tap = tap
  }

  /** Until it has printed, or it is time to look. */
  #rest(): Promise<void> {
    if (this.#printed || this.over !== undefined) return Promise.resolve()
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        this.#wake = undefined
        resolve()
      }
      const timer = setTimeout(done, this.#tap ? CHECK_MS : this.#waitMs)
      timer.unref()
      this.#wake = done
    })
  }

  #end(why: string): void {
    if (this.over !== undefined) return
    this.over = why
    this.#tap?.close()
    this.#wake?.()
    this.news.emit()
  }
}

/** More than have left: others may have since, and one earlier line is needed for comparison. */
function aboveFor(left: number | undefined, { height }: PaneFrame): number {
  return Math.min(2 * (left ?? ABOVE_MAX_LINES) + 2 * height, ABOVE_MAX_LINES)
}

/** Lines above the screen that are sent with it: some pages to look back. */
const BACK_LINES = 200

/** SPEC PA24. What it shows at this moment, the lowest line last. */
export async function linesNow({ socket, pane, pid }: Watched): Promise<readonly string[]> {
  const lines = await runTmux(socket, askFrame(pane, BACK_LINES)).catch((error: Error) => {
    throw new Problem(409, `tmux: ${error.message}`)
  })
  const frame = frameIn(lines, BACK_LINES)
  const why = frame ? await whyHidden(frame, pid) : 'its pane is closed'
  if (!frame || why !== undefined) throw new Problem(409, why ?? '')
  return [...frame.above, ...frame.rows]
}

async function whyHidden({ tty, dead }: PaneFrame, pid: number): Promise<string | undefined> {
  if (dead) return 'its pane is closed'
  const seat = await terminalOf(pid)
  if (seat?.tty !== tty) return 'its pane runs another program'
  return seat.inFront ? undefined : 'another program is in its foreground'
}

/** Why there is nothing to see; undefined once there is. */
export function whyNothingShown(watch: PaneWatch): Promise<string | undefined> {
  if (watch.picture.frame || watch.over !== undefined) return Promise.resolve(watch.over)
  return new Promise((resolve) => {
    const forget = watch.news.add(() => {
      forget()
      resolve(watch.over)
    })
  })
}
