import type { Message } from './message.ts'

/** One way to tell its user something. */
export interface Channel {
  /**
   * Tells it, and gives what withdrawing it needs, if that is possible. Whoever still runs when
   * `signal` says so is given up.
   */
  send(message: Message, signal: AbortSignal): Promise<string | undefined>
  /** What it left running ends. */
  close?(): void
  withdraw?(message: Message, receipt: string | undefined, signal: AbortSignal): Promise<void>
}

/** Why a channel could not tell something, in words that tell no address and no secret. */
export class ChannelError extends Error {
  override readonly name = 'ChannelError'
  /** Whether another try can help. */
  readonly isPassing: boolean
  /** When the other side wants to be asked again. */
  readonly afterMs: number | undefined

  constructor(message: string, isPassing: boolean, afterMs?: number) {
    super(message)
    this.isPassing = isPassing
    this.afterMs = afterMs
  }
}
