import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { type Choice, chooser } from '../../model/choose.ts'
import { Gates } from '../../model/gates.ts'
import { play } from '../../model/play.ts'
import { type Script, say } from '../../model/script.ts'
import { responding } from './answer.ts'
import {
  asMessages,
  isCodeMode,
  isTitleCall,
  type Metadata,
  metadataOf,
  ResponsesRequest,
  terminalIn,
} from './request.ts'

/** Not a real key: only the stand-in accepts it, and it accepts no other. */
export const CODEX_KEY = 'made-up-loopback-key'

/** A request that was answered, or is being answered. */
export interface AskedModel {
  readonly id: number
  readonly about: Metadata
  /** Undefined: a request of the client's own, such as for a title. */
  readonly choice?: Choice
  outcome?: string
}

/** A scripted stand-in for the Responses API, on a free port of loopback. */
export interface CodexModel {
  readonly url: string
  readonly requests: readonly AskedModel[]
  release(name?: string): void
  stop(): Promise<void>
}

/** Receives the beginning and the end of each answer. */
export type NoteAnswer = (event: 'begin' | 'end', asked: AskedModel) => void

export async function startCodexModel(script: Script, note: NoteAnswer): Promise<CodexModel> {
  const standIn = new StandIn(script, note)
  const server = createServer((from, to) => {
    standIn.handle(from, to).catch(() => to.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests: standIn.requests,
    release: (name = 'hold') => standIn.gates.release(name),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** What titles and the client's other requests of its own get. */
const SIDE = [say('Scripted title')]

class StandIn {
  readonly requests: AskedModel[] = []
  readonly gates = new Gates()
  readonly #choose: ReturnType<typeof chooser>
  readonly #note: NoteAnswer

  constructor(script: Script, note: NoteAnswer) {
    this.#choose = chooser(script)
    this.#note = note
  }

  async handle(from: IncomingMessage, to: ServerResponse): Promise<void> {
    const body = await bodyOf(from)
    const isAsked = from.method === 'POST' && /\/responses$/.test(from.url ?? '')
    if (!isAsked || from.headers.authorization !== `Bearer ${CODEX_KEY}`) {
      to.writeHead(isAsked ? 401 : 404, { 'content-type': 'application/json' })
      to.end('{"error":{"message":"the stand-in has no such thing"}}')
      return
    }
    const request = ResponsesRequest.parse(JSON.parse(body))
    const about = metadataOf(from.headers['x-codex-turn-metadata'])
    await this.#answer(request, about, to)
  }

  async #answer(request: ResponsesRequest, about: Metadata, to: ServerResponse): Promise<void> {
    const choice = isTitleCall(request)
      ? undefined
      : this.#choose(asMessages(request, about.thread_id))
    const asked: AskedModel = { id: this.requests.length + 1, about, ...(choice && { choice }) }
    this.requests.push(asked)
    if (choice) this.#note('begin', asked)
    const gone = new AbortController()
    to.once('close', () => gone.abort(new Error('the client hung up')))
    const answer = responding(to, {
      id: `${process.pid}_${asked.id}`,
      codeMode: isCodeMode(request),
      terminal: terminalIn(request),
    })
    const options = { gates: this.gates, gone: gone.signal }
    asked.outcome = await play(choice?.reply ?? SIDE, answer, options)
    if (choice) this.#note('end', asked)
  }
}

async function bodyOf(from: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of from as AsyncIterable<Buffer>) parts.push(part)
  const raw = Buffer.concat(parts)
  const encoding = from.headers['content-encoding']
  if (encoding === 'zstd') return zstdDecompressSync(raw).toString('utf8')
  return (encoding === 'gzip' ? gunzipSync(raw) : raw).toString('utf8')
}
