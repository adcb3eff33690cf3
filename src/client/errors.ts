import { parseJson } from '../core/json.ts'
/** No process answers at the socket: no daemon runs, or it ended in the middle of an answer. */
export class DaemonGone extends Error {
  override readonly name = 'DaemonGone'
  /** No byte of the request was sent, so it may be sent again. */
  readonly isUnsent: boolean

  constructor(message: string, isUnsent = false) {
    super(message)
    this.isUnsent = isUnsent
  }
}

/**
 * The daemon did not admit the request, most likely because the token belongs to another daemon.
 */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly reason: string | undefined

  constructor(message: string, reason: string | undefined) {
    super(message)
    this.reason = reason
  }
}

/** The request is invalid. */
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

/** The daemon accepted the request and failed: its disk is full, or it has a bug. */
export class DaemonFailed extends Error {
  override readonly name = 'DaemonFailed'
}

/**
 * The error class follows from the status: invalid request, refused caller, or failure of the
 * daemon.
 */
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

/** Undefined if the daemon answers "not found". */
export async function orNothing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof BadRequest && error.status === 404) return undefined
    throw error
  }
}
