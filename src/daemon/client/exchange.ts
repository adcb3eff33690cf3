import { connect, type Socket } from 'node:net'

/** What came back: its status, and its body as it comes. */
export interface Answer extends AsyncIterable<Buffer> {
  readonly status: number
  destroy(): void
}

export interface Exchange {
  readonly socket: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
  readonly signal: AbortSignal | undefined
  /** Without a byte for this long, nobody is there. */
  readonly silenceMaxMs: number
}

/** A head larger than this is none of our daemon's. */
const HEAD_MAX_BYTES = 64 * 1024
const HEAD_END = '\r\n\r\n'

/**
 * One request and its answer over a Unix socket, as HTTP 1.0: the body ends with the connection.
 * Node's own HTTP client would do, but takes longer to load than all of `vigil status` to run.
 */
export function exchange(asked: Exchange): Promise<Answer> {
  const { socket: path, body, signal, silenceMaxMs } = asked
  const socket = connect(path)
  if (signal?.aborted) socket.destroy()
  signal?.addEventListener('abort', () => socket.destroy(signal.reason), { once: true })
  socket.setTimeout(silenceMaxMs, () => {
    socket.destroy(new Error(`said nothing for ${silenceMaxMs} ms`))
  })
  socket.write(headOf(asked))
  if (body) socket.write(body)
  return answerOn(socket)
}

function headOf({ method, path, headers, body }: Exchange): string {
  const sent = { ...headers, ...(body && { 'content-length': String(body.length) }) }
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${path} HTTP/1.0`, ...lines, '', ''].join('\r\n')
}

async function answerOn(socket: Socket): Promise<Answer> {
  const chunks: AsyncIterator<Buffer> = socket[Symbol.asyncIterator]()
  let seen = Buffer.alloc(0)
  let end = -1
  while (end < 0) {
    const { done, value } = await chunks.next()
    if (done) throw new Error('closed the connection before it answered')
    seen = Buffer.concat([seen, value])
    end = seen.indexOf(HEAD_END)
    if (end < 0 && seen.length > HEAD_MAX_BYTES) throw new Error('sent no answer of ours')
  }
  const head = seen.subarray(0, end).toString('latin1')
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1] ?? 0)
  const length = /^content-length: *(\d+)/im.exec(head)?.[1]
  const first = seen.subarray(end + HEAD_END.length)
  const body = bodyOf(first, chunks, length === undefined ? undefined : Number(length))
  return {
    status,
    destroy: () => socket.destroy(),
    [Symbol.asyncIterator]: () => body,
  }
}

async function* bodyOf(
  first: Buffer,
  chunks: AsyncIterator<Buffer>,
  length: number | undefined,
): AsyncGenerator<Buffer> {
  let bytes = first.length
  if (bytes > 0) yield first
  try {
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      bytes += next.value.length
      yield next.value
    }
  } finally {
    await chunks.return?.()
  }
  if (length !== undefined && bytes < length)
    throw new Error(`broke off after ${bytes} of ${length} bytes`)
}
