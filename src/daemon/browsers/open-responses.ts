import type { ServerResponse } from 'node:http'
import type { Caller } from '../api/admit.ts'

/** A response in progress: a stream may last for hours. */
interface OpenResponse {
  readonly caller: Caller
  readonly host: string
}

/**
 * SPEC DR9. Open responses by caller, so that a forgotten browser, or an address that is no longer
 * shared, receives nothing more from that moment on.
 */
export class OpenResponses {
  readonly #open = new Map<ServerResponse, OpenResponse>()

  add(outgoing: ServerResponse, line: OpenResponse): void {
    if (outgoing.closed) return
    this.#open.set(outgoing, line)
    outgoing.once('close', () => this.#open.delete(outgoing))
  }

  cut(which: (line: OpenResponse) => boolean): void {
    for (const [outgoing, line] of this.#open) if (which(line)) outgoing.destroy()
  }
}
