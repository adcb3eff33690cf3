import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import type { Folders } from '../home/folders.ts'
import { assertOwnSocket } from '../home/own-socket.ts'
import { DaemonGone, errorOf } from './errors.ts'

/**
 * `import` would read every name that the module exports, and some of them load all of fetch and
 * WebSocket: 60 ms of a command that otherwise starts in 45 ms.
 */
const { request } = process.getBuiltinModule('node:http')

/**
 * Where to find the daemon. Read again for each request, because another daemon may have taken
 * over.
 */
export type DaemonFiles = Pick<Folders, 'socket' | 'token'>

export interface RequestOptions {
  readonly method?: 'GET' | 'POST'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
  /** Without a byte for this long, the daemon counts as gone. */
  readonly silenceMaxMs: number
}

/** The whole answer as text. Throws a typed error if the daemon refuses. */
export async function ask(where: DaemonFiles, asked: RequestOptions): Promise<string> {
  const response = await open(where, asked)
  const body = await textOf(response)
  if (response.statusCode === 200) return body
  throw errorOf(response.statusCode ?? 0, body)
}

/**
 * Resolves with the head of the answer; the caller reads the body. SPEC CT7. A daemon that
 * restarted after the token was read has another token: then the request is sent once more.
 */
export async function open(where: DaemonFiles, asked: RequestOptions): Promise<IncomingMessage> {
  const token = tokenOf(where.token)
  const response = await opened(where, asked, token)
  const isOld = response.statusCode === 401 && tokenOf(where.token) !== token
  if (!isOld) return response
  response.destroy()
  return opened(where, asked, tokenOf(where.token))
}

function opened(
  where: DaemonFiles,
  asked: RequestOptions,
  token: string,
): Promise<IncomingMessage> {
  const { method = 'GET', path, headers, signal, silenceMaxMs } = asked
  const body = asked.body === undefined ? undefined : Buffer.from(JSON.stringify(asked.body))
  const change = body && {
    'content-type': 'application/json',
    'content-length': body.length,
    'x-vigil': '1',
  }
  return new Promise((resolve, reject) => {
    assertOwn(where)
    const authorization = `Bearer ${token}`
    const sent = request({
      socketPath: where.socket,
      method,
      path,
      // A connection of its own: a connection that is kept open would keep a short command from
      // ending.
      agent: false,
      headers: { host: 'vigil', authorization, ...change, ...headers },
      timeout: silenceMaxMs,
      ...(signal && { signal }),
    })
    sent.once('response', resolve)
    sent.on('timeout', () => sent.destroy(new Error(`no answer for ${silenceMaxMs} ms`)))
    sent.on('error', (error) => reject(signal?.aborted ? signal.reason : gone(where, error)))
    sent.end(body)
  })
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of response) chunks.push(chunk)
  } catch (error) {
    throw new DaemonGone(`the daemon’s answer was cut off: ${(error as Error).message}`)
  }
  return Buffer.concat(chunks).toString()
}

function assertOwn(where: DaemonFiles): void {
  try {
    assertOwnSocket(where.socket)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw gone(where, error as Error)
    throw error
  }
}

function tokenOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').trimEnd()
  } catch (error) {
    throw new DaemonGone(`no daemon has run: ${(error as Error).message}`)
  }
}

function gone({ socket }: DaemonFiles, error: NodeJS.ErrnoException): DaemonGone {
  const isUnsent = error.code === 'ENOENT' || error.code === 'ECONNREFUSED'
  const what = `${socket}: no daemon answers (${error.message}). Start it with \`vigil daemon\``
  return new DaemonGone(what, isUnsent)
}

export function pathOf(id: string): string {
  return `/v1/sessions/${encodeURIComponent(id.toWellFormed())}`
}

export function loopPath(name: string): string {
  return `/v1/loops/${encodeURIComponent(name.toWellFormed())}`
}

export function queryOf(parameters: Record<string, string | number | boolean | undefined>): string {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  )
  return given.length === 0 ? '' : `?${given.join('&')}`
}
