import type { ServerResponse } from 'node:http'
import { inOneBody, sendError, streamed } from './answer.ts'
import { type Choice, chooser } from './choose.ts'
import { Gates } from './gates.ts'
import { type Outcome, play } from './play.ts'
import { isSideCall, MessagesRequest } from './request.ts'
import { type Script, say } from './script.ts'

export interface SeenRequest {
  readonly t: number
  readonly method: string
  readonly path: string
  /** Calls without tools: titles and the like. */
  readonly side?: boolean
  readonly prompt?: string
  /** Answers the client held already since the prompt. */
  readonly step?: number
  /** False: the script had no reply to it. */
  readonly scripted?: boolean
  readonly body?: MessagesRequest
  /** Undefined while the answer is on its way. */
  outcome?: Outcome
}

/** Answers requests to the Messages API by the script, and records them. */
export class Conversation {
  readonly requests: SeenRequest[] = []
  readonly gates = new Gates()
  readonly #choose: ReturnType<typeof chooser>

  constructor(script: Script) {
    this.#choose = chooser(script)
  }

  async answer(asked: SeenRequest, raw: string, to: ServerResponse): Promise<void> {
    const parsed = MessagesRequest.safeParse(jsonOf(raw))
    if (!parsed.success) {
      this.requests.push({ ...asked, outcome: 'failed' })
      sendError(to, 400, parsed.error.message)
      return
    }
    const body = parsed.data
    const side = isSideCall(body)
    const { reply, ...place } = side ? SIDE : this.#choose(body)
    const seen: SeenRequest = { ...asked, side, ...place, body }
    this.requests.push(seen)
    const options = { id: `${process.pid}_${this.requests.length}`, model: body.model }
    const writer = body.stream ? streamed(to, options) : inOneBody(to, options)
    seen.outcome = await play(reply, writer, { gates: this.gates, gone: goneSignal(to) })
  }
}

/** Clients request a title as JSON; other requests take it as text. */
const SIDE: Pick<Choice, 'reply'> = { reply: [say('{"title": "Scripted conversation"}')] }

function jsonOf(raw: string): unknown {
  try {
    return JSON.parse(raw)
  } catch {
    return undefined
  }
}

function goneSignal(to: ServerResponse): AbortSignal {
  const gone = new AbortController()
  to.once('close', () => gone.abort(new Error('the client hung up')))
  return gone.signal
}
