import { StoreError } from '../../store/errors.ts'
import { Problem } from '../problem.ts'
import type { Denial } from './gate.ts'
import type { ApiResponse, Exchange } from './route.ts'

export function denied(
  headers: Exchange['headers'],
  { status, error, reason }: Denial,
): ApiResponse {
  return json(headers, status, { error, reason })
}

export function failure(
  error: unknown,
  headers: Exchange['headers'],
  complain: (why: unknown) => void,
): ApiResponse {
  if (error instanceof Problem) {
    const field = error.field === undefined ? {} : { field: error.field }
    return json(headers, error.status, { error: error.message, ...field })
  }
  if (error instanceof StoreError)
    return json(headers, 503, { error: `the log could not be written: ${error.message}` })
  complain(error instanceof Error ? error.stack : error)
  return json(headers, 500, {
    error: 'the daemon failed to answer. Its log, vigil.log, has the error',
  })
}

export function json(headers: ApiResponse['headers'], status: number, value: unknown): ApiResponse {
  const type = { 'content-type': 'application/json' }
  return { status, headers: { ...headers, ...type }, body: JSON.stringify(value) }
}
