import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Client } from '../../client/client.ts'
import type { Session } from '../../protocol/session.ts'
import { joinedEvents } from '../../view/board/after-event.ts'
import { selectedOf } from '../../view/board/board.ts'
import { ownOnly } from '../../view/own-only.ts'
import { type DetailsApi, DetailsLoader } from '../details-loader.ts'
import { type InkOutput, type OnInput, openInk } from './ink.ts'
import { focusOf, keyNames } from './key-names.ts'
import { pictureOf } from './layout.ts'
import { updateTerminal } from './model.ts'
import { CALM_MS, KEY_MS, Pace } from './pace.ts'
import { type Palette, paletteOf } from './palette.ts'
import { actOnPane, type PaneClient, paneLook } from './pane-actions.ts'
import { redrawn, type TerminalPicture } from './picture.ts'
import { TerminalScreen } from './screen.ts'
import {
  initialTerminal,
  type TerminalEffect,
  type TerminalEvent,
  type TerminalState,
} from './state.ts'

export interface ViewOptions {
  readonly client: Pick<Client, 'stream' | 'look' | 'answer'> & DetailsApi & Partial<PaneClient>
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly colours: boolean
  /** Only sessions of this machine. */
  readonly local?: boolean
  /** Shows the session's pane; returns why that failed. */
  readonly jump: (session: Session, lend: Lend) => Promise<string | undefined>
}

/** Lends the terminal to another program until its work is done. */
type Lend = <T>(work: () => Promise<T>) => Promise<T>

/** Ages are shown in seconds. */
const SECOND_MS = 1_000
/** Reconnects at once when a daemon restarts. */
const BACKOFF_MAX_MS = 1_000

/** The live view. Runs until the user leaves; returns the session to resume, if any. */
export class View {
  readonly #options: ViewOptions
  readonly #screen: TerminalScreen
  readonly #pace: Pace
  readonly #details: DetailsLoader
  readonly #over = new AbortController()
  #ink: InkOutput | undefined
  #palette: Palette | undefined
  #state: TerminalState
  /** Events from the daemon since the last frame; they are handled in one step. */
  #waiting: TerminalEvent[] = []
  #shown: TerminalPicture | undefined
  #leave: (resumed: Session | undefined) => void = () => {}
  frames = 0

  constructor(options: ViewOptions) {
    const { stdout, client } = options
    this.#options = options
    this.#screen = new TerminalScreen(stdout)
    this.#pace = new Pace(() => this.#draw(), {
      now: () => performance.now(),
      after: (ms, act) => {
        const timer = setTimeout(act, ms)
        return () => clearTimeout(timer)
      },
    })
    this.#details = new DetailsLoader(client, (details) =>
      this.#take({ kind: 'details', details, now: Date.now() }),
    )
    this.#state = initialTerminal(stdout.columns ?? 80, stdout.rows ?? 24, Date.now())
  }

  async run(): Promise<Session | undefined> {
    const { stdout } = this.#options
    const left = new Promise<Session | undefined>((resolve) => {
      this.#leave = resolve
    })
    await this.#begin()
    const onResize = () =>
      this.#take({ kind: 'resized', columns: stdout.columns ?? 80, rows: stdout.rows ?? 24 })
    const timer = setInterval(() => this.#take({ kind: 'passed', now: Date.now() }), SECOND_MS)
    stdout.on('resize', onResize)
    try {
      return await Promise.race([left, this.#follow().then(() => left)])
    } finally {
      clearInterval(timer)
      stdout.off('resize', onResize)
      this.close()
      await this.#readNoMore()
    }
  }

  /** Restores the terminal; may be called at any time. */
  close(): void {
    this.#over.abort()
    this.#pace.stop()
    this.#details.stop()
    this.#end()
  }

  async #follow(): Promise<void> {
    const { signal } = this.#over
    const onConnection = (connected: boolean) =>
      this.#take({ kind: 'connection', connected, now: Date.now() })
    const options = { signal, onConnection, backoffMaxMs: BACKOFF_MAX_MS }
    for await (const events of this.#options.client.stream(options)) {
      const shown = this.#options.local ? ownOnly(events) : events
      this.#waiting.push({ kind: 'stream', events: shown })
      this.#pace.ask(CALM_MS)
    }
  }

  /** Draws and reads keys from now on. */
  async #begin(): Promise<void> {
    const { stdin, stdout, colours } = this.#options
    const onInput: OnInput = (input, key) => this.#onInput(input, key)
    if (colours) this.#palette ??= await paletteOf({ stdin, stdout })
    this.#ink = await openInk({ stdin, palette: this.#palette, onInput })
    this.#shown = undefined
    this.#screen.enter()
    this.#pace.ask(KEY_MS)
  }

  #end(): void {
    this.#ink?.unmount()
    this.#ink = undefined
    this.#screen.leave()
  }

  /**
   * Otherwise keys for the next program in this terminal would arrive here. A stream can be paused
   * only after it has noticed that Ink no longer listens.
   */
  async #readNoMore(): Promise<void> {
    await nextTurn()
    this.#options.stdin.pause()
    await nextTurn()
  }

  async #lend<T>(work: () => Promise<T>): Promise<T> {
    this.#end()
    await this.#readNoMore()
    try {
      return await work()
    } finally {
      if (!this.#over.signal.aborted) await this.#begin()
    }
  }

  #onInput(input: string, key: Parameters<OnInput>[1]): void {
    const focused = focusOf(input)
    if (focused !== undefined) this.#take({ kind: 'focus', focused })
    else
      for (const name of keyNames(input, key))
        this.#take({ kind: 'key', key: name, now: Date.now() })
  }

  #take(event: TerminalEvent): void {
    this.#waiting.push(event)
    this.#pace.ask(event.kind === 'key' || event.kind === 'resized' ? KEY_MS : CALM_MS)
    this.#step()
  }

  #step(): void {
    const events = joinedEvents(this.#waiting)
    this.#waiting = []
    for (const event of events) {
      const { state, effects } = updateTerminal(this.#state, event)
      this.#state = state
      for (const effect of effects) this.#do(effect)
    }
    this.#details.select(selectedOf(this.#state))
  }

  #draw(): void {
    this.#step()
    if (!this.#ink) return
    const picture = pictureOf(this.#state)
    const changed = redrawn(this.#shown, picture)
    this.#shown = picture
    if (changed.strips.length === 0) return
    this.frames += 1
    this.#screen.draw(changed, this.#ink.paint(changed.strips))
  }

  #do(effect: TerminalEffect): void {
    if (effect.do === 'leave') this.#leave(undefined)
    else if (effect.do === 'resume') this.#leave(effect.session)
    else if (effect.do === 'suspend') this.#suspend()
    else void this.#attempt(this.#done(effect))
  }

  #done(effect: Exclude<TerminalEffect, { do: 'leave' | 'resume' | 'suspend' }>) {
    if (effect.do === 'answer') return this.#answer(effect)
    if (effect.do === 'say' || effect.do === 'typing' || effect.do === 'interrupt')
      return actOnPane(this.#options.client, effect)
    if (effect.do === 'pane') return this.#lookAtPane(effect.session.id)
    return effect.do === 'jump' ? this.#jump(effect.session) : this.#read(effect)
  }

  async #answer({ request, answer }: Extract<TerminalEffect, { do: 'answer' }>): Promise<string> {
    await this.#options.client.answer(request.id, answer)
    return answer.choice === 'deny' ? 'denied' : answer.choice === 'allow' ? 'allowed' : 'answered'
  }

  async #lookAtPane(session: string): Promise<undefined> {
    this.#take({ kind: 'pane', pane: await paneLook(this.#options.client, session) })
  }

  #jump(session: Session): Promise<string | undefined> {
    return this.#options.jump(session, (work) => this.#lend(work))
  }

  async #read({ session }: { readonly session: Session }): Promise<undefined> {
    await this.#options.client.look(session.id)
  }

  /** Failures are shown at the bottom. */
  async #attempt(done: Promise<string | undefined>): Promise<void> {
    const trouble = await done.catch((error: Error) => error.message)
    if (trouble) this.#take({ kind: 'notice', text: trouble, tone: 'plain' })
  }

  /** Resumes when the shell continues this process. */
  #suspend(): void {
    void this.#lend(async () => {
      const goesOn = once(process, 'SIGCONT')
      process.kill(process.pid, 'SIGTSTP')
      await goesOn
    })
  }
}
