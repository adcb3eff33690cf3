import { agentOf } from '../../agents/index.ts'
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
  readonly onTyped: (session: Session) => void
}

/** The text of a pane's input line, and the time of the last key by tmux's clock. */
interface InputSeen {
  readonly keyAt: number
  readonly input: string | undefined
}

/**
 * Looking at a pane marks its session as read: going there, or any key while it is visible. Keys
 * that change its input line are typing.
 */
export class Focus {
  readonly #options: FocusOptions
  #before: ReadonlySet<string> | undefined
  #subscribed = false
  #inputs: ReadonlyMap<string, InputSeen> = new Map()

  constructor(options: FocusOptions) {
    this.#options = options
  }

  /** A client that attaches again has no subscriptions. */
  forget(): void {
    this.#subscribed = false
  }

  /** The server was read. */
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
    const typable = sessions.filter(
      (one) => one.tmuxPane !== null && inSight.has(one.tmuxPane) && mayBeTypedInto(one),
    )
    this.#subscribe(left.length > 0 || typable.length > 0)
    this.#readInputs(typable, seen)
  }

  /** SPEC TM35. Reads the input line again only after a key. */
  #readInputs(sessions: readonly Session[], seen: Seen): void {
    const before = this.#inputs
    const inputs = new Map<string, InputSeen>()
    this.#inputs = inputs
    for (const session of sessions) {
      const pane = session.tmuxPane === null ? undefined : seen.panes.get(session.tmuxPane)
      if (!pane) continue
      const keyAt = seen.activeAt.get(pane.session) ?? 0
      const known = before.get(pane.id)
      inputs.set(pane.id, { keyAt, input: known?.input })
      if (known?.keyAt !== keyAt) void this.#readInput(session, pane.id, keyAt)
    }
  }

  async #readInput(session: Session, pane: string, keyAt: number): Promise<void> {
    const capture = `if -F -t ${pane} '#{==:#{pane_id},${pane}}' { capture-pane -p -t ${pane} }`
    const lines = await this.#options.server.ask(capture).catch(() => [])
    const input = agentOf(session.agent)?.readScreen?.(`${lines.join('\n')}\n`).input
    const known = this.#inputs.get(pane)
    if (input === undefined || !known || known.keyAt > keyAt) return
    this.#inputs = new Map(this.#inputs).set(pane, { keyAt, input })
    // An input line that became empty was sent or cleared.
    const isTyped = known.input !== undefined && input !== known.input && input !== ''
    if (isTyped) this.#options.onTyped(session)
  }

  #looksAt({ tmuxPane, since }: Session, seen: Seen): boolean {
    const pane = tmuxPane === null ? undefined : seen.panes.get(tmuxPane)
    if (!pane) return false
    const came = this.#before !== undefined && !this.#before.has(pane.id)
    const keyAt = seen.activeAt.get(pane.session) ?? 0
    return came || keyAt * 1_000 > since || this.#options.now() - keyAt * 1_000 < PRESENT_MS
  }

  /** Subscribes to keys only while a visible session could use them. */
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

/** SPEC A4. In other states keys are not a prompt. */
function mayBeTypedInto({ state, agent }: Session): boolean {
  const isOpen = state === 'idle' || state === 'background' || state === 'waiting'
  return isOpen && agentOf(agent)?.readScreen !== undefined
}
