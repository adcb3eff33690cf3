import type { Rig, Transport } from './support.ts'

type Value = string | readonly string[] | undefined

export interface Parts {
  readonly method?: string
  readonly target?: string
  readonly version?: string
  /** Beside the ones that make a request admitted; undefined leaves one of those out. */
  readonly headers?: Readonly<Record<string, Value>>
  readonly body?: string
}

/** The bytes of a request that is admitted, but for what the parts say otherwise. */
export function bytesOf(rig: Rig, transport: Transport, parts: Parts = {}): string {
  const { method = 'GET', target = '/v1/sessions', version = 'HTTP/1.1', body } = parts
  const usual: Record<string, Value> = {
    host: rig.host(transport),
    authorization: `Bearer ${rig.token}`,
    connection: 'close',
    ...(body !== undefined && {
      'content-type': 'application/json',
      'x-vigil': '1',
      'content-length': String(Buffer.byteLength(body)),
    }),
  }
  const lines = Object.entries({ ...usual, ...parts.headers }).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => `${name}: ${one}\r\n`),
  )
  return `${method} ${target} ${version}\r\n${lines.join('')}\r\n${body ?? ''}`
}

/** A change that would be seen in the fleet if it were let through. */
export function change(more: Parts = {}): Parts {
  const body = '{"report":{"source":"hook","payload":{"session_id":"attacker"}}}'
  return { method: 'POST', target: '/v1/reports', body, ...more }
}

export function chunked(pieces: readonly string[]): string {
  const chunks = pieces.map((piece) => `${Buffer.byteLength(piece).toString(16)}\r\n${piece}\r\n`)
  return `${chunks.join('')}0\r\n\r\n`
}
