import { ask, type DaemonFiles, type RequestOptions } from './ask.ts'
import { DaemonGone } from './errors.ts'

export interface ClientOptions {
  readonly silenceMaxMs?: number
  /** SPEC K15. Called when the daemon has just ended, before the request is sent again. */
  readonly restart?: () => Promise<unknown>
}

/** Longer than any answer takes, and shorter than a user waits for a command that hangs. */
const SILENCE_MAX_MS = 10_000
export const READING_MAX_MS = 60_000

/** How the client asks: the methods that name what is asked are in its subclasses. */
export abstract class ClientCalls {
  protected readonly where: DaemonFiles
  readonly #options: ClientOptions

  constructor(where: DaemonFiles, options: ClientOptions) {
    this.where = where
    this.#options = options
  }

  protected async read<RequestAnswer>(path: string): Promise<RequestAnswer> {
    return JSON.parse(await this.request({ path }))
  }

  protected async send<RequestAnswer>(path: string, body: unknown): Promise<RequestAnswer> {
    return JSON.parse(await this.request({ method: 'POST', path, body }))
  }

  /** For what waits for a server that may be far away or gone. */
  protected async sendSlowly<RequestAnswer>(path: string, body: unknown): Promise<RequestAnswer> {
    const wait = { silenceMaxMs: READING_MAX_MS }
    return JSON.parse(await this.request({ method: 'POST', path, body, ...wait }))
  }

  protected async request(
    asked: Omit<RequestOptions, 'silenceMaxMs'> & Partial<RequestOptions>,
  ): Promise<string> {
    const { silenceMaxMs = SILENCE_MAX_MS, restart } = this.#options
    const whole = { silenceMaxMs, ...asked }
    try {
      return await ask(this.where, whole)
    } catch (error) {
      if (!restart || !(error instanceof DaemonGone && error.isUnsent)) throw error
      await restart()
      return ask(this.where, whole)
    }
  }
}
