import { PRESENT_MS } from '../../core/limits.ts'
import type { Session } from '../../protocol/session.ts'
import type { TmuxServer } from '../../tmux/server.ts'
import type { Seen } from './reading.ts'

/** tmux compares once a second; a key in any session changes it. */
const KEYS = '#{S:#{session_id}=#{session_activity} }'

const SUBSCRIPTION = 'vigil-keys'

export function isOfKeys(notice: string, rest: string): boolean {
  return notice === 'subscription-changed' && rest.startsWith(`${SUBSCRIPTION} `)
}

export interface FocusOptions {
  readonly server: TmuxServer
  readonly now: () => number
  readonly onLook: (session: Session) => void
}

/** Looking at a pane makes its session read: going there, or any key while it is in sight. */
export class Focus {
  readonly #options: FocusOptions
  #before: ReadonlySet<string> | undefined
  #subscribed = false

  constructor(options: FocusOptions) {
    this.#options = options
  }

  /** A client that attaches anew has no subscriptions. */
  forget(): void {
    this.#subscribed = false
  }

  /** The server was looked at. */
  see(seen: Seen, sessions: readonly Session[]): void {
    const inSight = new Set(
      [...seen.panes.values()].filter((pane) => pane.seen).map(({ id }) => id),
    )
    const unread = sessions.filter(
      (one) => one.unread && one.tmuxPane !== null && inSight.has(one.tmuxPane),
    )
    const left = unread.filter((session) => !this.#looksAt(session, seen))
    for (const session of unread) if (!left.includes(session)) this.#options.onLook(session)
    this.#before = inSight
    this.#subscribe(left.length > 0)
  }

  #looksAt({ tmuxPane, since }: Session, seen: Seen): boolean {
    const pane = tmuxPane === null ? undefined : seen.panes.get(tmuxPane)
    if (!pane) return false
    const came = this.#before !== undefined && !this.#before.has(pane.id)
    const keyAt = seen.activeAt.get(pane.session) ?? 0
    return came || keyAt * 1_000 > since || this.#options.now() - keyAt * 1_000 < PRESENT_MS
  }

  /** Keys are asked for only while somebody unread is in sight. */
  #subscribe(wanted: boolean): void {
    const { server } = this.#options
    if (!server.attached) this.forget()
    if (!server.attached || wanted === this.#subscribed) return
    this.#subscribed = wanted
    const what = wanted ? `'${SUBSCRIPTION}::${KEYS}'` : SUBSCRIPTION
    server.ask(`refresh-client -B ${what}`).catch(() => {
      this.#subscribed = false
    })
  }
}
