import { randomUUID } from 'node:crypto'
import { beganAt } from '../platform/began.ts'
import { startTimeOf } from '../platform/process-table.ts'
import type { TmuxServer } from '../tmux/server.ts'
import type { Sink } from './arrival.ts'

/**
 * tmux compares subscriptions once a second, and gives the time of a window's last output in
 * seconds: a second look finds what is printed later within the same second.
 */
const LATER_MS = 1_100
/** Without an attached client there are no events; then all panes are read together. */
const LOOK_MS = 1_000
/** While its user may be answering. */
const SOON_MS = 250

/** A client sets its title within a second of its start, which is known to a second. */
const YOUNG_MS = 2_000

const SUBSCRIPTION = 'vigil-screens'

export interface ScreenOptions {
  readonly server: Pick<TmuxServer, 'socket' | 'attached' | 'ask'>
  readonly sink: Sink
  readonly now: () => number
  readonly lookMs?: number
  /** How long a process has run; undefined if that is not known. */
  readonly ageMsOf?: (pid: number) => number | undefined
}

/** A pane, the process it is watched for, and what is read from it. */
export interface WatchedPane {
  readonly agent: string
  readonly pid: number
  readonly screen: boolean
  readonly title: boolean
  /** Until when its user is likely to answer there, which shows on the screen alone. */
  readonly soonUntil: number
}

/** The content of panes, where it is needed, and their titles (SPEC TM29–TM31). */
export class ScreenSource {
  readonly #options: ScreenOptions
  readonly #shown = new Map<string, string>()
  /** What each pane's title was when its client began; undefined: it is the client's own. */
  readonly #found = new Map<string, { readonly pid: number; readonly title?: string }>()
  #panes: ReadonlyMap<string, WatchedPane> = new Map()
  #subscribed = ''
  #timer: NodeJS.Timeout | undefined
  #looking = false
  /** Asked for during a look, which may have passed its pane. */
  #isDue = false
  #closed = false

  constructor(options: ScreenOptions) {
    this.#options = options
  }

  watch(panes: ReadonlyMap<string, WatchedPane>): void {
    const isNew = [...panes].some(([id, pane]) => !isSame(pane, this.#panes.get(id)))
    for (const key of this.#shown.keys())
      if (!panes.has(key.slice(0, key.indexOf(' ')))) this.#shown.delete(key)
    for (const id of this.#found.keys()) if (!panes.has(id)) this.#found.delete(id)
    this.#panes = panes
    this.#subscribe()
    if (isNew) this.look()
    else if (panes.size === 0) clearTimeout(this.#timer)
  }

  /** vigil's client has attached: it has no subscriptions yet. */
  onAttached(): void {
    this.#subscribed = ''
    this.#subscribe()
  }

  /** SPEC TM30. No notice tells of output any more, and no timer runs if there was none lately. */
  onDetached(): void {
    this.look()
  }

  onNotice(name: string, rest: string): void {
    if (name === 'subscription-changed' && rest.startsWith(`${SUBSCRIPTION} `)) this.look()
  }

  look(): void {
    if (this.#closed) return
    if (this.#looking) {
      this.#isDue = true
      return
    }
    this.#looking = true
    this.#isDue = false
    void this.#capture()
      .catch(() => {})
      .finally(() => {
        this.#looking = false
        if (this.#isDue) this.look()
        else this.#later()
      })
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
  }

  #later(): void {
    clearTimeout(this.#timer)
    if (this.#closed || this.#panes.size === 0) return
    const { server, lookMs = LOOK_MS, now } = this.#options
    const isSoon = [...this.#panes.values()].some(({ soonUntil }) => soonUntil > now())
    const waitMs = isSoon ? SOON_MS : server.attached ? LATER_MS : lookMs
    this.#timer = setTimeout(() => {
      if (isSoon || !server.attached) this.look()
      else void this.#capture().catch(() => {})
    }, waitMs)
    this.#timer.unref()
  }

  /** One subscription for all panes: those of single panes are limited to one session. */
  #subscribe(): void {
    const { server } = this.#options
    if (!server.attached) return
    const format = [
      this.#formatFor('screen', '#{window_activity}'),
      this.#formatFor('title', '#{pane_title}'),
    ].join('')
    if (format === this.#subscribed) return
    this.#subscribed = format
    const what = format === '' ? SUBSCRIPTION : `'${SUBSCRIPTION}::${format}'`
    server.ask(`refresh-client -B ${what}`).catch(() => {
      this.#subscribed = ''
    })
  }

  #formatFor(what: 'screen' | 'title', value: string): string {
    const wanted = [...this.#panes].flatMap(([id, pane]) => (pane[what] ? id.slice(1) : []))
    if (wanted.length === 0) return ''
    const isWatched = `#{m/r:^%(${wanted.join('|')})$,#{pane_id}}`
    return `#{S:#{W:#{P:#{?${isWatched},#{pane_id}=${value} ,}}}}`
  }

  /** A pane may show text that looks like the marks, so the marks are unpredictable. */
  async #capture(): Promise<void> {
    const { server } = this.#options
    const panes = this.#panes
    if (panes.size === 0) return
    const mark = randomUUID()
    const commands = [...panes].map(([id, { screen }]) => {
      const isIt = `'#{==:#{pane_id},${id}}'`
      // The id through a format: display-message also expands times, and turns `%3` into ` %3`.
      const name = `display-message -p -t ${id} '${mark} #{pane_id} #{pane_title}'`
      const capture = screen ? `${name} ; capture-pane -p -t ${id}` : name
      return `if -F -t ${id} ${isIt} { ${capture} }`
    })
    const lines = await server.ask(commands.join(' ; '))
    for (const { id, title, text } of picturesIn(lines, mark)) {
      const pane = panes.get(id)
      if (pane?.title && !this.#isLeft(id, pane.pid, title))
        this.#report(id, pane, 'title', { title })
      if (pane?.screen) this.#report(id, pane, 'screen', { text })
    }
  }

  /** SPEC TM31. Whether the title may be of whatever ran in the pane before this client. */
  #isLeft(id: string, pid: number, title: string): boolean {
    const found = this.#found.get(id)
    if (found?.pid === pid && found.title === undefined) return false
    const { ageMsOf = ageOfProcess } = this.#options
    const isSame = found?.pid !== pid || found.title === title
    const leftMs = isSame ? YOUNG_MS - (ageMsOf(pid) ?? YOUNG_MS) : 0
    this.#found.set(id, leftMs > 0 ? { pid, title } : { pid })
    if (leftMs > 0) setTimeout(() => this.look(), leftMs).unref()
    return leftMs > 0
  }

  #report(
    id: string,
    { agent, pid }: WatchedPane,
    source: 'screen' | 'title',
    seen: { readonly title: string } | { readonly text: string },
  ): void {
    const [key, shown] = [`${id} ${source}`, JSON.stringify([pid, seen])]
    if (this.#closed || this.#shown.get(key) === shown) return
    this.#shown.set(key, shown)
    const { server, sink, now } = this.#options
    const where = { pane: `${server.socket}:${id}`, tmux: server.socket, tmuxPane: id }
    sink([{ report: { t: now(), source, agent, pid, ...where, ...seen } }])
  }
}

function ageOfProcess(pid: number): number | undefined {
  const began = beganAt(startTimeOf(pid))
  return began === undefined ? undefined : Date.now() - began
}

function isSame(pane: WatchedPane, other: WatchedPane | undefined): boolean {
  if (other === undefined || pane.soonUntil !== other.soonUntil) return false
  return pane.pid === other.pid && pane.screen === other.screen && pane.title === other.title
}

interface Picture {
  readonly id: string
  readonly title: string
  readonly text: string
}

function picturesIn(lines: readonly string[], mark: string): readonly Picture[] {
  const found: { readonly id: string; readonly title: string; readonly lines: string[] }[] = []
  for (const line of lines) {
    if (!line.startsWith(`${mark} `)) found.at(-1)?.lines.push(line)
    else {
      const [id = '', ...title] = line.slice(mark.length + 1).split(' ')
      found.push({ id, title: title.join(' '), lines: [] })
    }
  }
  return found.map(({ id, title, lines: shown }) => ({ id, title, text: `${shown.join('\n')}\n` }))
}
