import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

type Answer = (response: ServerResponse, request: IncomingMessage) => void

/** A server on this machine with prepared answers, one after another. */
export async function loopback(...answers: Answer[]) {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const { method = '', url: path = '', headers } = request
    asked.push({ method, path, headers, body })
    const answer = answers.shift() ?? says(200)
    answer(response, request)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    asked,
    url: (path: string) => `http://127.0.0.1:${port}${path}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

export const says =
  (status: number, body = '', headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, headers).end(body)

export const hangs: Answer = () => {}
export const hangsUp: Answer = (_response, request) => request.socket.destroy()
/** Half an answer, and no more. */
export const stalls: Answer = (response) => {
  response.writeHead(200, { 'content-length': '1000' }).write('half')
}
export const floods: Answer = (response) => {
  const more = () => {
    while (!response.destroyed && response.write('x'.repeat(65_536)));
  }
  response.writeHead(200).on('drain', more)
  more()
}
