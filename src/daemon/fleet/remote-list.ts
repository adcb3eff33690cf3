import type { Session } from '../../protocol/session.ts'
import type { OtherRows } from '../stream/listed-sessions.ts'

/** Sessions of other machines while this one is in a fleet; none otherwise. */
export class RemoteList implements OtherRows {
  #source: OtherRows | undefined

  follow(source: OtherRows | undefined): void {
    this.#source = source
  }

  ids(): Iterable<string> {
    return this.#source?.ids() ?? []
  }

  row(address: string): Session | undefined {
    return this.#source?.row(address)
  }

  stateOf(address: string) {
    return this.#source?.stateOf(address)
  }
}
