import { randomUUID } from 'node:crypto'
import type { TmuxServer } from '../tmux/server.ts'
import type { Sink } from './arrival.ts'

/**
 * tmux compares subscriptions once a second, and tells when a window last printed in seconds: what
 * is printed later within the same second is seen by looking once more after it.
 */
const LATER_MS = 1_100
/** Where nobody is attached nothing is told; then all panes are looked at together. */
const LOOK_MS = 1_000

const SUBSCRIPTION = 'vigil-screens'

export interface ScreenOptions {
  readonly server: Pick<TmuxServer, 'socket' | 'attached' | 'ask'>
  readonly sink: Sink
  readonly now: () => number
  readonly lookMs?: number
}

/** Screens of panes in which an agent runs that no other source speaks for (SPEC TM29, TM30). */
export class ScreenSource {
  readonly #options: ScreenOptions
  readonly #shown = new Map<string, string>()
  #pids: ReadonlyMap<string, number> = new Map()
  #subscribed = ''
  #timer: NodeJS.Timeout | undefined
  #looking = false
  #closed = false

  constructor(options: ScreenOptions) {
    this.#options = options
  }

  /** The panes to watch, each with the process it is watched for. */
  watch(pids: ReadonlyMap<string, number>): void {
    const isNew = [...pids].some(([pane, pid]) => this.#pids.get(pane) !== pid)
    for (const pane of this.#shown.keys()) if (!pids.has(pane)) this.#shown.delete(pane)
    this.#pids = pids
    this.#subscribe()
    if (isNew) this.look()
    else if (pids.size === 0) clearTimeout(this.#timer)
  }

  /** A client of ours has attached: it has no subscriptions yet. */
  onAttached(): void {
    this.#subscribed = ''
    this.#subscribe()
  }

  onNotice(name: string, rest: string): void {
    if (name === 'subscription-changed' && rest.startsWith(`${SUBSCRIPTION} `)) this.look()
  }

  look(): void {
    if (this.#looking || this.#closed) return
    this.#looking = true
    void this.#capture()
      .catch(() => {})
      .finally(() => {
        this.#looking = false
        this.#later()
      })
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
  }

  #later(): void {
    clearTimeout(this.#timer)
    if (this.#closed || this.#pids.size === 0) return
    const { attached } = this.#options.server
    const waitMs = attached ? LATER_MS : (this.#options.lookMs ?? LOOK_MS)
    this.#timer = setTimeout(() => {
      if (!this.#options.server.attached) this.look()
      else void this.#capture().catch(() => {})
    }, waitMs)
    this.#timer.unref()
  }

  /** One subscription for all of them: those of single panes reach no further than one session. */
  #subscribe(): void {
    const { server } = this.#options
    if (!server.attached) return
    const wanted = [...this.#pids.keys()].map((pane) => pane.slice(1)).join('|')
    if (wanted === this.#subscribed) return
    this.#subscribed = wanted
    const isWatched = `#{m/r:^%(${wanted})$,#{pane_id}}`
    const format = `#{S:#{W:#{P:#{?${isWatched},#{pane_id}=#{window_activity} ,}}}}`
    const what = wanted === '' ? SUBSCRIPTION : `'${SUBSCRIPTION}::${format}'`
    server.ask(`refresh-client -B ${what}`).catch(() => {
      this.#subscribed = ''
    })
  }

  /** What a pane shows may look like our marks, unless nobody can know them. */
  async #capture(): Promise<void> {
    const { server } = this.#options
    const pids = this.#pids
    if (pids.size === 0) return
    const mark = randomUUID()
    const commands = [...pids.keys()].map((pane) => {
      const isIt = `'#{==:#{pane_id},${pane}}'`
      // The id by a format: display-message also expands times, and makes ` %3` of `%3`.
      const name = `display-message -p -t ${pane} '${mark} #{pane_id}'`
      const capture = `${name} ; capture-pane -p -t ${pane}`
      return `if -F -t ${pane} ${isIt} { ${capture} }`
    })
    const lines = await server.ask(commands.join(' ; '))
    for (const [pane, text] of screensIn(lines, mark)) this.#tell(pane, text, pids.get(pane))
  }

  #tell(pane: string, text: string, pid: number | undefined): void {
    if (this.#closed || pid === undefined || this.#shown.get(pane) === text) return
    this.#shown.set(pane, text)
    const { server, sink, now } = this.#options
    const where = { pane: `${server.socket}:${pane}`, tmux: server.socket, tmuxPane: pane }
    sink([{ report: { t: now(), source: 'screen', pid, ...where, text } }])
  }
}

function screensIn(lines: readonly string[], mark: string): Map<string, string> {
  const screens = new Map<string, string[]>()
  let screen: string[] = []
  for (const line of lines) {
    if (line.startsWith(`${mark} `)) {
      screen = []
      screens.set(line.slice(mark.length + 1), screen)
    } else screen.push(line)
  }
  return new Map([...screens].map(([pane, shown]) => [pane, `${shown.join('\n')}\n`]))
}
