import { agentOf } from '../../agents/index.ts'
import { AdminPolicy } from '../../home/policy.ts'
import type { PaneInput, PromptSent, TypingView } from '../../protocol/pane.ts'
import type { Session } from '../../protocol/session.ts'
import type { Complain } from '../../sources/arrival.ts'
import { jumpTo } from '../../tmux/jump.ts'
import { Listeners } from '../listeners.ts'
import { Problem } from '../problem.ts'
import type { ActRecorder } from '../requests/shapes.ts'
import { answerDialog, type DialogAnswer, whyNotShown } from './dialog.ts'
import { VIEWERS_MAX, WATCHES_MAX } from './limits.ts'
import { cutPrompt, LoopPrompts } from './loop-prompts.ts'
import { PaneActs } from './pane-acts.ts'
import { press } from './press.ts'
import { type ServersForInput, SessionInput } from './session-input.ts'
import type { By, Panes } from './shapes.ts'
import { Switches, whyNoTyping, whyOff } from './switches.ts'
import { Viewing } from './viewing.ts'
import { linesNow, PaneWatch, whyNothingShown } from './watch.ts'

export interface PaneParts {
  readonly session: (id: string) => Session | undefined
  readonly acts: Pick<ActRecorder, 'note'>
  readonly now: () => number
  readonly complain: Complain
  readonly policy?: AdminPolicy | undefined
  /** Servers of agents: what they hold is acted on without its pane. */
  readonly servers?: ServersForInput
  /** The sessions are recorded: their panes are, or were, on another machine. */
  readonly recorded?: boolean
}

/** The states in which an agent is at its input line, and those in which it works. */
const STANDS: readonly Session['state'][] = ['idle', 'error', 'background']
const WORKS: readonly Session['state'][] = ['working', 'stuck']

const BY_VIGIL = { who: 'vigil', where: 'daemon' } as const satisfies By

/** The panes of this machine's sessions: all callers see them, typing needs permission. */
export class LocalPanes implements Panes {
  readonly #parts: PaneParts
  readonly #acts: PaneActs
  readonly #input: SessionInput
  readonly #policy: AdminPolicy
  readonly #switches = new Switches()
  /** Called with a session when typing was switched on or off for it. */
  readonly switched = new Listeners<string>()
  readonly #watches = new Map<string, { readonly watch: PaneWatch; viewers: number }>()
  readonly #viewings = new Set<Viewing>()
  /** Input for one pane is typed in the order of arrival. */
  readonly #inLine = new Map<string, Promise<unknown>>()
  readonly ofLoops: LoopPrompts
  #closed = false

  constructor(parts: PaneParts) {
    this.#parts = parts
    this.#acts = new PaneActs(parts.acts)
    this.#input = new SessionInput(parts.servers)
    this.#policy = parts.policy ?? new AdminPolicy()
    this.ofLoops = new LoopPrompts({
      acts: this.#acts,
      policy: this.#policy,
      allows: this.#allows,
      input: this.#input,
    })
  }

  async view(id: string, hangUp: () => void): Promise<Viewing> {
    const session = this.#known(id)
    const { socket, pane, pid } = this.#placeOf(session)
    if (this.#closed) throw new Problem(503, 'the daemon is stopping')
    if (this.#viewings.size >= VIEWERS_MAX)
      throw new Problem(503, 'too many panes are being shown; close one first')
    const key = `${socket} ${pane} ${pid}`
    const watched = this.#watches.get(key) ?? this.#watch(key, { socket, pane, pid })
    watched.viewers += 1
    const viewing = new Viewing({
      watch: watched.watch,
      typing: () => this.#switches.view(id),
      onTyping: (listener) => this.switched.add(listener),
      hangUp,
      onEnd: () => {
        this.#viewings.delete(viewing)
        watched.viewers -= 1
        if (watched.viewers === 0) watched.watch.close()
      },
    })
    this.#viewings.add(viewing)
    const why = await whyNothingShown(watched.watch)
    if (why === undefined) return viewing
    viewing.end()
    throw new Problem(409, why)
  }

  lines(id: string): Promise<readonly string[]> {
    return linesNow(this.#placeOf(this.#known(id)))
  }

  typing(id: string): TypingView {
    return this.#switches.view(this.#known(id).id)
  }

  setTyping(id: string, on: boolean, by: By): TypingView {
    const session = this.#known(id)
    if (on) this.#refuseForbidden()
    if (on && session.state === 'closed') throw new Problem(409, 'the session is closed')
    if (on && !this.#input.isServed(id)) this.#placeOf(session)
    if (on && !this.#switches.has(id)) {
      this.#acts.note(id, 'typing', by, 'allowed typing')
      this.#switches.turnOn(session, by, this.#parts.now())
      this.switched.emit(id)
    } else if (!on) this.#off(id, by, 'ended typing')
    return this.#switches.view(id)
  }

  keys(id: string, typed: readonly PaneInput[], by: By): Promise<void> {
    return this.#act(id, (session) => {
      this.#acts.keys(id, typed, by)
      return press(session, typed)
    })
  }

  async prompt(id: string, text: string, by: By): Promise<PromptSent> {
    let queued = false
    await this.#act(id, (session) => {
      queued = WORKS.includes(session.state) && agentOf(session.agent)?.input?.queues === true
      if (!queued && !STANDS.includes(session.state))
        throw new Problem(409, `it is ${session.state}; wait until it is idle to send a prompt`)
      this.#acts.note(id, 'prompt', by, cutPrompt(text))
      return this.#input.prompt(session, text, queued)
    })
    return { done: true, queued }
  }

  interrupt(id: string, by: By): Promise<void> {
    return this.#act(id, (session) => {
      if (!WORKS.includes(session.state))
        throw new Problem(409, `it is ${session.state}; there is nothing to interrupt`)
      const { words } = agentOf(session.agent)?.input?.interrupt ?? NO_KEYS
      this.#acts.note(id, 'interrupt', by, words)
      return this.#input.interrupt(session)
    })
  }

  /** SPEC AN34. Why a dialog cannot be answered in its pane at this moment. */
  async whyUnanswerable(id: string, keysOn: DialogAnswer['keysOn']): Promise<string | undefined> {
    const session = this.#parts.session(id)
    if (!session) return 'the session is gone'
    return whyNoTyping(session, this.#policy, this.#allows) ?? whyNotShown(session, keysOn)
  }

  answer(id: string, given: DialogAnswer): Promise<void> {
    return this.#act(id, (session) => answerDialog(session, given))
  }

  /** Does not involve the agent: it moves the user's terminal. */
  async jump(id: string): Promise<void> {
    const session = this.#known(id)
    this.#placeOf(session)
    const why = await jumpTo(session, {})
    if (why !== undefined) throw new Problem(409, why)
  }

  /** Sessions whose facts changed: typing ends with its session. */
  onSessionsChanged(ids: ReadonlySet<string>): void {
    for (const id of this.#switches.ended(ids, this.#parts.session))
      this.#off(id, BY_VIGIL, 'ended typing: its session has ended')
  }

  close(): void {
    this.#closed = true
    for (const id of this.#switches.ids) this.#off(id, BY_VIGIL, 'ended typing: daemon stopped')
    this.#acts.close()
    for (const viewing of [...this.#viewings]) viewing.end()
    for (const { watch } of this.#watches.values()) watch.close()
  }

  readonly #allows = (id: string) => this.#switches.has(id)

  #refuseForbidden(): void {
    const forbidden = this.#policy.whyNot('typing')
    if (forbidden !== undefined) throw new Problem(403, forbidden)
  }

  /** Switches off even if the log cannot be written. */
  #off(id: string, by: By, words: string): void {
    if (!this.#switches.turnOff(id)) return
    this.switched.emit(id)
    try {
      this.#acts.note(id, 'typing', by, words)
    } catch (error) {
      this.#parts.complain('an act could not be written to the audit log', { why: String(error) })
    }
  }

  #known(id: string): Session {
    const session = this.#parts.session(id)
    if (session) return session
    throw new Problem(404, 'id: no such session; GET /v1/sessions lists them')
  }

  #placeOf({ tmuxSocket: socket, tmuxPane: pane, pid }: Session) {
    if (this.#parts.recorded) throw new Problem(409, 'this is a recording: it has no terminal')
    if (socket === null || pane === null || !/^%\d+$/.test(pane))
      throw new Problem(409, 'the session is not in tmux')
    if (pid === null) throw new Problem(409, 'the session’s process is unknown')
    return { socket, pane, pid }
  }

  #watch(key: string, watched: { socket: string; pane: string; pid: number }) {
    if (this.#watches.size >= WATCHES_MAX)
      throw new Problem(503, 'too many panes are being shown; close one first')
    const made = { watch: new PaneWatch(watched), viewers: 0 }
    this.#watches.set(key, made)
    made.watch.news.add(() => {
      if (made.watch.over !== undefined) this.#watches.delete(key)
    })
    return made
  }

  /** The switch is read in turn: it may have been turned off meanwhile. */
  #act(
    id: string,
    act: (session: Session) => Promise<string | undefined> | undefined,
  ): Promise<void> {
    const before = this.#inLine.get(id) ?? Promise.resolve()
    const done = before.then(async () => {
      const session = this.#known(id)
      this.#refuseForbidden()
      if (!this.#switches.has(id)) throw new Problem(409, whyOff(id))
      const why = await act(session)
      if (why !== undefined) throw new Problem(409, why)
      this.#nudge(session)
    })
    const settled = done.catch(() => {})
    this.#inLine.set(id, settled)
    void settled.then(() => this.#inLine.get(id) === settled && this.#inLine.delete(id))
    return done
  }

  #nudge({ tmuxSocket, tmuxPane, pid }: Session): void {
    this.#watches.get(`${tmuxSocket} ${tmuxPane} ${pid}`)?.watch.nudge()
  }
}

const NO_KEYS = { words: 'none' }
