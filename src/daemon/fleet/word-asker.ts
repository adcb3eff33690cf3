import { randomBytes } from 'node:crypto'
import { parseJson } from '../../core/json.ts'
import { remoteReplyShape, wordShape } from '../../fleet/payloads.ts'
import type { MachineWord } from '../../fleet/remote-shapes.ts'
import type { RemoteCall } from '../../fleet/shapes.ts'
import { TransportError } from '../../fleet/transport.ts'
import { WORD_TARGET } from './incoming.ts'
import type { LinkParts } from './link-parts.ts'

/** A later reply says too little of when it was made. */
const REPLY_MAX_MS = 3_000
/** All machines of a fleet are asked when a daemon starts. */
const ASKED_MAX = 32
const ID_BYTES = 12
const TRIES = 3

interface WordAskerParts extends Pick<LinkParts, 'membership' | 'transport'> {
  /** What the machine signed for a call of this run. */
  readonly onReply: (machine: string, word: MachineWord) => void
  /** It did not reply, and is not asked again by itself. */
  readonly onNone: (machine: string) => void
}

/** SPEC FL160. Asks machines for a word that they sign now: their clock, and what they stored. */
export class WordAsker {
  readonly #parts: WordAskerParts
  /** True if the machine is to be asked again, should this time fail. */
  readonly #asked = new Map<string, boolean>()
  readonly #waiting = new Set<string>()
  readonly #closing = new AbortController()

  constructor(parts: WordAskerParts) {
    this.#parts = parts
  }

  ask(machine: string): void {
    if (this.#asked.has(machine)) this.#asked.set(machine, true)
    else this.#waiting.add(machine)
    this.#pump()
  }

  close(): void {
    this.#closing.abort()
    this.#waiting.clear()
  }

  #pump(): void {
    for (const machine of this.#waiting) {
      if (this.#asked.size >= ASKED_MAX) return
      this.#waiting.delete(machine)
      this.#asked.set(machine, false)
      void this.#one(machine)
    }
  }

  async #one(machine: string): Promise<void> {
    // Also where this machine was removed, and cannot ask any more.
    const word = await this.#replyOf(machine).catch(() => undefined)
    const isAgain = this.#asked.get(machine)
    this.#asked.delete(machine)
    if (this.#closing.signal.aborted) return
    if (word) this.#parts.onReply(machine, word)
    else if (isAgain) this.#waiting.add(machine)
    else this.#parts.onNone(machine)
    this.#pump()
  }

  /** A machine that is offline is asked when it is heard from again; a lost reply, at once. */
  async #replyOf(machine: string, tries = TRIES): Promise<MachineWord | undefined> {
    try {
      return await this.#ask(machine)
    } catch (error) {
      const isLate = error instanceof TransportError && error.fault === 'late'
      if (!isLate || tries <= 1 || this.#closing.signal.aborted) throw error
      return this.#replyOf(machine, tries - 1)
    }
  }

  async #ask(machine: string): Promise<MachineWord | undefined> {
    const { membership, transport } = this.#parts
    const id = randomBytes(ID_BYTES).toString('base64url')
    const call: RemoteCall = { id, method: 'GET', target: WORD_TARGET, deadline: 0 }
    const bytes = membership.seal('call', machine, call)
    const options = { silenceMaxMs: REPLY_MAX_MS, signal: this.#closing.signal }
    for await (const part of transport.call(machine, bytes, options)) {
      const opened = membership.open(part, { kind: 'reply', about: id, machine })
      const reply = opened.ok ? remoteReplyShape.safeParse(opened.payload) : undefined
      const said = wordShape.safeParse(parseJson(reply?.data?.body ?? ''))
      return opened.ok && said.success ? { at: opened.head.at, ...said.data } : undefined
    }
    return undefined
  }
}
