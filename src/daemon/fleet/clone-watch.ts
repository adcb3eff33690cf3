import { CloneCheck } from '../../fleet/clone-check.ts'
import type { Heartbeat } from '../../fleet/shapes.ts'
import { TransportError } from '../../fleet/transport.ts'
import type { LinkParts } from './link-parts.ts'

const ASK_SELF_MAX_MS = 1_500
/** The first learns of the second from its calls, and forgets them after a minute. */
const ASK_AGAIN_MS = 25_000

type Parts = Pick<LinkParts, 'membership' | 'transport' | 'about' | 'now' | 'onTrouble'>

/** SPEC FL142. Whether another machine uses this machine's id, because a disk was cloned. */
export class CloneWatch {
  readonly #parts: Parts
  readonly #check: CloneCheck
  #askedAt = Number.NEGATIVE_INFINITY

  constructor(parts: Parts) {
    this.#parts = parts
    this.#check = new CloneCheck(parts.about())
  }

  mayPublish(): boolean {
    return this.#check.mayPublish(performance.now())
  }

  sawBeat(beat: Heartbeat & { readonly at: number; readonly isOld: boolean }): void {
    this.#check.sawBeat(beat, performance.now())
  }

  /** The other daemon asks whether its id is free. */
  sawCall(): void {
    this.#check.sawCall(performance.now())
    this.tell()
  }

  /** A daemon that answers under this machine's id came first. */
  async askSelf(): Promise<void> {
    const { transport, membership, now, about } = this.#parts
    const { machine } = membership
    this.#askedAt = performance.now()
    const deadline = now() + 2 * ASK_SELF_MAX_MS
    const call = { id: `self-${about().run}`, method: 'GET', target: '/v1/fleet', deadline }
    try {
      const bytes = membership.seal('call', machine, call)
      for await (const _ of transport.call(machine, bytes, { silenceMaxMs: ASK_SELF_MAX_MS })) {
        this.#check.sawAnswer(performance.now())
        break
      }
    } catch (error) {
      // Offline is what a machine hopes to hear of itself.
      if (!(error instanceof TransportError)) throw error
    }
    this.tell()
  }

  tell(): void {
    const isCloned = this.#check.isCloned(performance.now())
    const words = this.mayPublish() ? CLONED_FIRST : CLONED_SECOND
    this.#parts.onTrouble('clone', isCloned ? words : undefined)
    if (!this.mayPublish() && performance.now() - this.#askedAt > ASK_AGAIN_MS)
      void this.askSelf().catch(() => {})
  }
}

const CLONED_FIRST = 'another machine uses this machine’s id: its disk was cloned'
const CLONED_SECOND =
  'another machine uses this machine’s id, so nothing is shared from here: its disk was cloned. ' +
  'Run `vigil fleet leave` here, remove machine.json, and join again'
