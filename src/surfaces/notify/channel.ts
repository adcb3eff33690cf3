import type { Message } from './message.ts'

/** One way to notify the user. */
export interface Channel {
  /**
   * Sends the message and returns what retracts it, if that is possible. A call that still runs
   * when `signal` fires is abandoned.
   */
  send(message: Message, signal: AbortSignal): Promise<string | undefined>
  /** Ends the programs that it started. */
  close?(): void
  withdraw?(message: Message, receipt: string | undefined, signal: AbortSignal): Promise<void>
}

/** Why a message could not be sent, without addresses and secrets. */
export class ChannelError extends Error {
  override readonly name = 'ChannelError'
  /** Whether a retry can help. */
  readonly isPassing: boolean
  /** When the server wants the next attempt. */
  readonly afterMs: number | undefined

  constructor(message: string, isPassing: boolean, afterMs?: number) {
    super(message)
    this.isPassing = isPassing
    this.afterMs = afterMs
  }
}
