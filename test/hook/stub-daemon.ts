import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSocket, type Server } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { daemonRuns, type Stage } from './support.ts'

type AtEnd = (end: () => void) => void

export interface Asked {
  readonly method: string | undefined
  readonly path: string | undefined
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: { readonly report: string; readonly digest: string; readonly result?: unknown }
}

export const TOKEN = 'the-token'
export const SESSION = '5e551045-0000-4000-8000-000000000001'

/** The environment in which a client runs the hook of its session. */
export const env = { PATH: process.env.PATH ?? '', CLAUDE_CODE_SESSION_ID: SESSION }

/** As the daemon does for a session in a loop. */
export function arm({ run }: Stage, session = SESSION): void {
  mkdirSync(join(run, 'armed'), { recursive: true })
  writeFileSync(join(run, 'armed', session), '')
  writeFileSync(join(run, 'token'), `${TOKEN}\n`)
}

export function socketOf({ run }: Stage): string {
  return join(run, 'vigil.sock')
}

/** Stands for a daemon that gives these answers, the last one again and again. */
export async function stubDaemon(
  on: Stage,
  answers: readonly object[],
  atEnd?: AtEnd,
): Promise<Asked[]> {
  const asked: Asked[] = []
  await listens(on, createServer(answering(asked, answers)), atEnd)
  return asked
}

/** The same for anything that listens. */
export async function listens(on: Stage, server: Server, atEnd: AtEnd = onTestFinished) {
  daemonRuns(on)
  await new Promise<void>((resolve) => server.listen(socketOf(on), resolve))
  atEnd(() => void server.close())
}

/** Speaks no HTTP. */
export function speaking(words: string): Server {
  return createSocket((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(words))
  })
}

function answering(asked: Asked[], answers: readonly object[]) {
  return async (from: IncomingMessage, to: ServerResponse) => {
    let text = ''
    for await (const chunk of from) text += chunk
    const { method, url: path, headers } = from
    const body = JSON.parse(text)
    const answer = answers[Math.min(asked.length, answers.length - 1)]
    asked.push({ method, path, headers, body })
    const known = headers.authorization === `Bearer ${TOKEN}`
    to.writeHead(known ? 200 : 401, { 'content-type': 'application/json' })
    // Answers are to what was asked about, unless the test says otherwise.
    to.end(JSON.stringify(known ? { digest: body.digest, ...answer } : { title: 'who are you?' }))
  }
}
