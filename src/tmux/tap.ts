import { ControlClient, isNoUser } from './control.ts'

export interface TapListener {
  /** The pane printed something since the last look. */
  readonly onPrinted: () => void
  /**
   * The client has detached: no other client is attached any more, or another client detached it.
   */
  readonly onEnd: () => void
}

/**
 * A control-mode client that reports when one pane prints. tmux does not send it the output: at the
 * first byte the pane is paused for this client until the next look, so a flooding pane costs no
 * more than a blinking one.
 *
 * Panes are paused and never turned off: tmux stops reading a pane that all its clients have turned
 * off, and the program in it blocks (control.c of 3.3a). The client stays only while another client
 * is attached to the session: alone it would make the session look attached.
 */
export class Tap {
  readonly session: string
  readonly #pane: string
  readonly #control: ControlClient
  readonly #listener: TapListener
  readonly #paused = new Set<string>()
  #looking = false

  constructor(socket: string, session: string, pane: string, listener: TapListener) {
    this.session = session
    this.#pane = pane
    this.#listener = listener
    this.#control = new ControlClient(socket, session, {
      onNotice: (name, rest) => this.#hear(name, rest),
      onEnd: () => this.#listener.onEnd(),
    })
    void this.#begin().catch(() => this.close())
  }

  /** Runs a command line about the pane, and reports output after that. */
  look(line: string): Promise<readonly string[]> {
    this.#paused.delete(this.#pane)
    // A command of its own, because tmux sends the notice that the pane continues within the
    // answer.
    this.#control.ask(`refresh-client -A '${this.#pane}:continue'`).catch(() => {})
    return this.#control.ask(line)
  }

  close(): void {
    this.#control.close()
  }

  /** Requests output only after all panes are paused. */
  async #begin(): Promise<void> {
    const panes = await this.#control.ask(`list-panes -s -t '${this.session}' -F '#{pane_id}'`)
    for (const pane of panes) this.#paused.add(pane)
    const paused = panes.map((pane) => `-A '${pane}:pause'`).join(' ')
    await this.#control.ask(`refresh-client ${paused} ; refresh-client -f '!no-output'`)
    this.#listener.onPrinted()
    await this.#stayOrLeave()
  }

  #hear(name: string, rest: string): void {
    if (name === 'output') this.#printed(rest)
    else if (WHO_IS_THERE.has(name)) void this.#stayOrLeave()
  }

  /** Panes that were opened since then print, too. */
  #printed(rest: string): void {
    const [pane = ''] = rest.split(' ', 1)
    if (this.#paused.has(pane) || !/^%\d+$/.test(pane)) return
    this.#paused.add(pane)
    this.#control.ask(`refresh-client -A '${pane}:pause'`).catch(() => {})
    if (pane === this.#pane) this.#listener.onPrinted()
  }

  async #stayOrLeave(): Promise<void> {
    if (this.#looking) return
    this.#looking = true
    const format = '#{client_pid} #{session_id} #{client_flags}'
    const lines = await this.#control.ask(`list-clients -F '${format}'`).catch(() => undefined)
    this.#looking = false
    const others = lines
      ?.map((line) => line.split(' '))
      .filter(([, session]) => session === this.session)
      .filter(([pid = '', , flags = '']) => !isNoUser(pid, flags))
    if (others?.length === 0) this.close()
  }
}

const WHO_IS_THERE = new Set(['client-detached', 'client-session-changed'])
