import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'

/** What the model says to one request: a text, after it a command, or an HTTP error. */
export interface Said {
  readonly text?: string
  /** Between two words. */
  readonly everyMs?: number
  readonly command?: string
  /** The agent asks its user first. */
  readonly asks?: boolean
  /** Instead of a command: a patch, or a call of a tool by its name. */
  readonly patch?: string
  readonly call?: { readonly name: string; readonly args: object; readonly namespace?: string }
  readonly status?: number
}

/** The client's own requests for a title have this prompt. */
const TITLE = /^Generate a concise, single-line task title/

/** A stand-in for the Responses API: an answer for each request of a conversation, in order. */
export class CodexModel {
  /** The input of each request but those for titles, as JSON. */
  readonly asked: string[] = []
  /** When each of them came. */
  readonly askedAt: number[] = []
  readonly #replies: Said[]
  readonly #server = createServer((request, response) => void this.#answer(request, response))

  constructor(replies: readonly Said[]) {
    this.#replies = [...replies]
  }

  /** What it says after all else. */
  add(replies: readonly Said[]): void {
    this.#replies.push(...replies)
  }

  async listen(socket: string): Promise<void> {
    this.#server.listen(socket)
    await once(this.#server, 'listening')
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { input } = JSON.parse(await bodyOf(request)) as { input: Item[] }
    const isTitle = input.some(({ content }) => content?.some?.(({ text }) => TITLE.test(text)))
    if (!isTitle) this.askedAt.push(performance.now())
    if (!isTitle) this.asked.push(JSON.stringify(input))
    const said = (isTitle ? { text: 'A title' } : this.#replies.shift()) ?? { text: 'No more.' }
    if (said.status === undefined) return stream(response, said, this.asked.length)
    response.writeHead(said.status, { 'content-type': 'application/json' })
    const error = { type: 'invalid_request_error', code: null, message: 'scripted error' }
    response.end(JSON.stringify({ error }))
  }
}

interface Item {
  readonly content?: readonly { readonly text: string }[]
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const raw = Buffer.concat(chunks)
  const coding = request.headers['content-encoding']
  if (coding === 'gzip') return gunzipSync(raw).toString()
  return (coding === 'zstd' ? zstdDecompressSync(raw) : raw).toString()
}

async function stream(response: ServerResponse, said: Said, number: number): Promise<void> {
  const id = `r${number}`
  const tell = (type: string, more: object = {}) =>
    response.destroyed ||
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  tell('response.created', { response: { id } })
  const message = { type: 'message', role: 'assistant', id: `m${number}` }
  tell('response.output_item.added', { output_index: 0, item: { ...message, content: [] } })
  const { text = 'Well.', everyMs = 0 } = said
  for (const delta of text.split(/(?<=\s)/)) {
    tell('response.output_text.delta', { item_id: message.id, output_index: 0, delta })
    if (everyMs > 0) await sleep(everyMs)
  }
  const content = [{ type: 'output_text', text, annotations: [] }]
  tell('response.output_item.done', { output_index: 0, item: { ...message, content } })
  const item = callOf(said, number)
  if (item) {
    const begun = 'input' in item ? { input: '' } : { arguments: '' }
    tell('response.output_item.added', { output_index: 1, item: { ...item, ...begun } })
    tell('response.output_item.done', { output_index: 1, item })
  }
  const none = { cached_tokens: 0, reasoning_tokens: 0 }
  const details = { input_tokens_details: none, output_tokens_details: none }
  const usage = { input_tokens: 1000, output_tokens: 20, total_tokens: 1020, ...details }
  tell('response.completed', { response: { id, usage } })
  response.end()
}

/** The tools of the client are called from a script, but for those that ask or delegate. */
function callOf({ command, asks, patch, call }: Said, number: number): object | undefined {
  const [id, call_id] = [`t${number}`, `c${number}`]
  if (call) {
    const { args, ...named } = call
    return { type: 'function_call', id, call_id, ...named, arguments: JSON.stringify(args) }
  }
  if (command === undefined && patch === undefined) return undefined
  const wish = { sandbox_permissions: 'require_escalated', justification: 'May I?' }
  const cmd = JSON.stringify({ cmd: command, ...(asks && wish) })
  const calls =
    patch === undefined ? `exec_command(${cmd})` : `apply_patch(${JSON.stringify(patch)})`
  const input = `text(await tools.${calls})`
  return { type: 'custom_tool_call', id, call_id, name: 'exec', input }
}
