import type { ApiContext } from './route.ts'

/** Nobody is left to take the answer: nothing may be decided then. */
export function goneOf(context: ApiContext): AbortSignal {
  const gone = new AbortController()
  const outgoing = context.env?.outgoing
  outgoing?.once('close', () => {
    if (!outgoing.writableFinished) gone.abort()
  })
  return gone.signal
}
