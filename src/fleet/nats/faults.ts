import {
  AuthorizationError,
  errors,
  NoRespondersError,
  PermissionViolationError,
  TimeoutError,
} from '@nats-io/transport-node'
import { TransportError } from '../transport.ts'

/** What the server's JetStream says: `code` as HTTP has it, `err_code` exact. */
export class JetStreamFault extends Error {
  readonly code: number
  readonly exact: number

  constructor(code: number, exact: number, description: string) {
    super(description)
    this.code = code
    this.exact = exact
  }
}

/** Exact codes of JetStream. */
export const STREAM_MISSING = 10059
/** A consumer of this name is there: of an earlier connection, or of another process. */
export const CONSUMER_THERE: readonly number[] = [10013, 10105, 10148]
const NO_JETSTREAM: readonly number[] = [10039, 10076]
/** Store failed; storage, memory or resources of the server or the account exceeded. */
const FULL: readonly number[] = [10023, 10028, 10047, 10054, 10077]

const TLS =
  /tls|ssl|certificate|self.signed|altname|wrong version number|ERR_TLS|CERT_|unable to verify/i

const REJECTED =
  'this machine’s key: it was removed from the fleet (then `vigil fleet leave` here), ' +
  'or the server belongs to another fleet.'

/** SPEC FL61. Why no connection came about, in a sentence that says what to do. */
export function connectFault(
  error: unknown,
  urls: readonly string[],
  rejected: string = REJECTED,
): TransportError {
  if (error instanceof TransportError) return error
  const at = urls.join(', ')
  const words = wordsOf(error)
  if (isOf(error, AuthorizationError) || isOf(error, errors.UserAuthenticationExpiredError))
    return new TransportError('refused', `The server at ${at} does not accept ${rejected}`)
  if (TLS.test(words))
    return new TransportError(
      'refused',
      `No safe connection to the server at ${at}, because TLS does not fit (${words}): ` +
        'compare its certificate with the one in the invite.',
    )
  return new TransportError(
    'disconnected',
    `The server at ${at} cannot be reached (${words}): is it running, and is the address right?`,
  )
}

/** SPEC FL61, FL62. Why a request to the server failed. */
export function requestFault(error: unknown, what: string): TransportError {
  if (error instanceof TransportError) return error
  if (error instanceof JetStreamFault) return jetStreamFault(error, what)
  if (isOf(error, PermissionViolationError))
    return new TransportError('refused', `The server does not allow this machine to ${what}.`)
  if (isOf(error, NoRespondersError))
    return new TransportError(
      'disconnected',
      `The server cannot ${what}: the fleet’s bucket is not there, or JetStream is off.`,
    )
  if (isOf(error, TimeoutError))
    return new TransportError('late', `The server did not reply in time when asked to ${what}.`)
  return new TransportError('late', `The connection was lost while asking to ${what}.`)
}

function jetStreamFault(error: JetStreamFault, what: string): TransportError {
  if (FULL.includes(error.exact) || /maximum (bytes|messages)|insufficient/i.test(error.message))
    return new TransportError('full', `The fleet’s bucket is full (${error.message}).`)
  if (NO_JETSTREAM.includes(error.exact))
    return new TransportError(
      'refused',
      'JetStream is not enabled on this server or for this account: start it with JetStream.',
    )
  if (error.exact === STREAM_MISSING)
    return new TransportError('disconnected', 'The fleet’s bucket is not on this server.')
  return new TransportError('refused', `The server refused to ${what}: ${error.message}.`)
}

/** nats.js wraps what it throws. */
function isOf(error: unknown, type: new (...args: never[]) => Error): boolean {
  if (error instanceof type) return true
  return error instanceof Error && error.cause !== undefined && isOf(error.cause, type)
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return error === undefined ? 'it hung up' : String(error)
  const code = (error as NodeJS.ErrnoException).code
  const own = error.message === '' ? (code ?? error.name) : error.message
  const cause = error.cause instanceof Error ? wordsOf(error.cause) : undefined
  return cause === undefined || cause.includes(own) ? (cause ?? own) : `${own}: ${cause}`
}
