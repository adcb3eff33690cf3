import { parseJson } from '../core/json.ts'
/** Nobody answers at the socket: no daemon runs, or it ended in the middle of an answer. */
export class DaemonGone extends Error {
  override readonly name = 'DaemonGone'
  /** Nothing of the request was sent: it may be sent again. */
  readonly isUnsent: boolean

  constructor(message: string, isUnsent = false) {
    super(message)
    this.isUnsent = isUnsent
  }
}

/** The daemon did not admit the request, most likely since the token is another daemon's. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly reason: string | undefined

  constructor(message: string, reason: string | undefined) {
    super(message)
    this.reason = reason
  }
}

/** The request cannot be answered as it is. */
export class BadRequest extends Error {
  override readonly name = 'BadRequest'
  readonly status: number
  /** Which part of the request is wrong. */
  readonly field: string | undefined

  constructor(message: string, status: number, field: string | undefined) {
    super(message)
    this.status = status
    this.field = field
  }
}

/** The daemon took the request and failed: its disk is full, or it has a fault. */
export class DaemonFailed extends Error {
  override readonly name = 'DaemonFailed'
}

/** By what the daemon said: a request to mend, a caller to let in, or its own failure. */
export function errorOf(status: number, body: string): Error {
  const { error, field, reason } = told(body)
  const message = error ?? `the daemon answered with status ${status}`
  if (status === 404) return new BadRequest(message, status, field)
  if (reason !== undefined || status === 401 || status === 403) return new Refused(message, reason)
  if (status >= 500) return new DaemonFailed(message)
  return new BadRequest(message, status, field)
}

function told(body: string): { error?: string; field?: string; reason?: string } {
  return parseJson(body) ?? {}
}

/** Nothing where the daemon knows nothing of that name. */
export async function orNothing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof BadRequest && error.status === 404) return undefined
    throw error
  }
}
