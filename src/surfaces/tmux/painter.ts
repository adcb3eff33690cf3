import { needOf } from '../../core/loop/need.ts'
import { timerMs } from '../../home/timer.ts'
import type { Session } from '../../protocol/session.ts'
import type { TmuxServer } from '../../tmux/server.ts'
import type { TmuxError } from '../../tmux/tmux.ts'
import { NOTHING_WRITTEN, plan, type Written, windowsToRename } from './plan.ts'
import { type Auto, autosIn, READ, readAutos, type Seen, seenIn } from './reading.ts'
import type { TmuxSettings } from './signs.ts'

/** What a server should show. */
export interface ServerMarks {
  readonly sessions: readonly Session[]
  readonly segment: string
  readonly settings: TmuxSettings
}

export interface PainterOptions {
  readonly server: TmuxServer
  readonly picture: () => ServerMarks
  readonly now: () => number
  readonly onSeen: (seen: Seen) => void
  readonly onError: (error: TmuxError) => void
}

/** Notices after which windows, panes or clients must be read again. */
export const MOVES =
  /^(unlinked-)?window-|^layout-change$|^session-window-changed$|^client-|^sessions-/

const AGAIN_MS = 1_000

/**
 * Makes one server show the present state. Changes that arrive during a write are written together;
 * each batch is one command line, which also reads back its result.
 */
export class Painter {
  readonly #options: PainterOptions
  readonly #stop: () => void
  #written: Written = NOTHING_WRITTEN
  #seen: Seen | undefined
  #shown = ''
  #running: Promise<void> | undefined
  #due = false
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: PainterOptions) {
    this.#options = options
    this.#stop = options.server.listen({
      onNotice: (name, rest) => this.#notice(name, rest),
      onAttached: () => this.#stale(),
    })
    this.paint()
  }

  get seen(): Seen | undefined {
    return this.#seen
  }

  /** Something may have changed. */
  paint(): void {
    if (this.#closed) return
    this.#due = true
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
      if (this.#due) this.paint()
    })
  }

  /** Reads the windows again, then paints. */
  look(): void {
    this.#stale()
  }

  /** Restores everything. */
  async restore(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    this.#stop()
    await this.#running
    const { settings } = this.#options.picture()
    await this.#show({ sessions: [], segment: '', settings }, undefined).catch(() => {})
  }

  #stale(): void {
    this.#seen = undefined
    this.paint()
  }

  #notice(name: string, rest: string): void {
    if (!MOVES.test(name)) return
    const [, id = '', given] = /^(@\d+) ?(.*)$/s.exec(rest) ?? []
    // vigil's own change comes back as a notice, after the answer.
    if (name.endsWith('window-renamed') && this.#seen?.windows.get(id)?.name === given) return
    this.#stale()
  }

  /**
   * In the next turn of the event loop, because the changes of one commit are reported one by one.
   */
  async #run(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    this.#due = false
    if (this.#closed) return
    const picture = this.#options.picture()
    const shown = printOf(picture)
    if (this.#seen && shown === this.#shown) return
    this.#shown = shown
    // Without an attached client there are no notices: what was read is old.
    const known = this.#options.server.attached ? this.#seen : undefined
    try {
      await this.#show(picture, known)
    } catch (error) {
      this.#failed(error as TmuxError)
    }
  }

  async #show(picture: ServerMarks, known: Seen | undefined): Promise<void> {
    const { now, onSeen } = this.#options
    const seen = known ?? (await this.#ask(READ))
    const at = now()
    const autos = await this.#autos(windowsToRename({ seen, ...picture, now: at }), seen)
    const planned = plan({ seen, ...picture, autos, before: this.#written, now: at })
    this.#lookAgain(planned.lookAgainAt, at)
    const { commands } = planned
    const after = commands.length > 0 ? await this.#ask([...commands, READ].join(' ; ')) : seen
    this.#written = planned.written
    this.#seen = after
    if (!this.#closed) onSeen(after)
  }

  async #ask(line: string): Promise<Seen> {
    const { server } = this.#options
    return seenIn(await server.ask(line), server.ownPid)
  }

  async #autos(windows: readonly string[], seen: Seen): Promise<ReadonlyMap<string, Auto>> {
    if (windows.length === 0) return new Map()
    return autosIn(await this.#options.server.ask(readAutos(windows)), seen)
  }

  #lookAgain(lookAt: number | undefined, now: number): void {
    clearTimeout(this.#timer)
    if (lookAt === undefined || this.#closed) return
    const again = () => {
      this.#shown = ''
      this.paint()
    }
    this.#timer = setTimeout(again, timerMs(lookAt - now))
    this.#timer.unref()
  }

  /** What was written is unknown. A server that is gone is not retried. */
  #failed(error: TmuxError): void {
    this.#written = NOTHING_WRITTEN
    this.#seen = undefined
    this.#shown = ''
    this.#options.onError(error)
    if (/no server|connect|not installed/.test(error.message) || error.missing) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.paint(), AGAIN_MS)
    this.#timer.unref()
  }
}

/** Everything visible, to detect a difference. */
function printOf({ sessions, segment, settings }: ServerMarks): string {
  const prints = sessions.map((one) => [
    ...[one.id, one.state, one.for, one.after, one.since, one.unread, one.doing?.tool],
    ...[one.tmuxPane, one.project, one.branch, one.title, needOf(one.loop)],
  ])
  return JSON.stringify([prints, segment, settings])
}
