import type { Act } from '../../protocol/act.ts'
import type { LoopStep, LoopView } from '../../protocol/loop.ts'
import type { OpenRequest } from '../../protocol/request.ts'
import type { Explanation, Talk } from '../../protocol/session.ts'
import type { DetailsApi } from '../details-loader.ts'
import { forgetKey, keyOfBrowser } from './key.ts'

/** The daemon refused or failed; `status` 0 means that it did not answer. */
export class ApiError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.name = 'ApiError'
    this.status = status
  }
}

/** The daemon's API for the whole page. */
export const api = {
  get: <Answer>(path: string, signal?: AbortSignal): Promise<Answer> =>
    answerOf(ask(path, { signal: signal ?? null })),

  post: <Answer>(
    path: string,
    body: unknown,
    signal?: AbortSignal,
    more: RequestInit = {},
  ): Promise<Answer> =>
    answerOf(
      ask(path, {
        ...more,
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-vigil': '1' },
        body: JSON.stringify(body),
        signal: signal ?? null,
      }),
    ),

  /** The text of an event stream as it arrives. Fails if the daemon falls silent. */
  stream: async (path: string, signal: AbortSignal, lastId?: string) => {
    const headers: Record<string, string> = lastId === undefined ? {} : { 'last-event-id': lastId }
    return textOf(await ask(path, { headers, signal }))
  },
}

/** Three heartbeats: a daemon that is silent for this long is gone, even if its socket is open. */
const SILENCE_MAX_MS = 45_000

async function* textOf(response: Response): AsyncGenerator<string, void> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let late: ReturnType<typeof setTimeout> | undefined
  try {
    for (;;) {
      const silence = new Promise<never>((_, reject) => {
        late = setTimeout(
          () => reject(new ApiError(0, 'the daemon stopped responding')),
          SILENCE_MAX_MS,
        )
      })
      const part = await Promise.race([reader?.read(), silence])
      clearTimeout(late)
      if (!part || part.done) return
      yield part.value
    }
  } finally {
    clearTimeout(late)
    reader?.cancel().catch(() => {})
  }
}

/**
 * While no daemon runs, another process holds its port: it accepts connections and does not answer.
 */
const ANSWER_MAX_MS = 20_000

async function ask(path: string, init: RequestInit): Promise<Response> {
  const key = keyOfBrowser()
  const headers = { ...init.headers, ...(key && { authorization: `Bearer ${key}` }) }
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), ANSWER_MAX_MS)
  const signal = AbortSignal.any([late.signal, ...(init.signal ? [init.signal] : [])])
  let response: Response
  try {
    response = await fetch(path, { ...INIT, ...init, headers, signal })
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw new ApiError(0, 'the daemon does not answer')
  } finally {
    clearTimeout(timer)
  }
  if (response.ok) return response
  if (response.status === 401) forgetKey(key)
  throw new ApiError(response.status, await wordsOf(response))
}

/** The browser sends nothing but what is given here, and stores nothing. */
const INIT = {
  mode: 'same-origin',
  credentials: 'omit',
  cache: 'no-store',
  redirect: 'error',
  referrerPolicy: 'no-referrer',
} as const satisfies RequestInit

async function answerOf<Answer>(asked: Promise<Response>): Promise<Answer> {
  return (await asked).json()
}

async function wordsOf(response: Response): Promise<string> {
  try {
    const { error } = (await response.json()) as { error?: unknown }
    if (typeof error === 'string' && error !== '') return error
  } catch {
    // The answer may not come from the daemon.
  }
  return `the daemon answered ${response.status}`
}

/** The address of one session's route: `sessionPath(id, 'explain')`. */
export function sessionPath(id: string, part?: string): string {
  const path = `/v1/sessions/${named(id)}`
  return part === undefined ? path : `${path}/${part}`
}

/** Requests about one session. */
export const detailsApi: DetailsApi = {
  explain: (id) => api.get<Explanation>(sessionPath(id, 'explain')),
  talk: (id) => api.get<Talk>(sessionPath(id, 'talk')),
  requests: (id) =>
    api.get<{ requests: readonly OpenRequest[] }>(`/v1/requests?session=${named(id)}`),
  loop: async (id) => (await api.get<{ loop: LoopView }>(`/v1/loops/${named(id)}`)).loop,
  loopHistory: (id) => api.get<{ steps: readonly LoopStep[] }>(`/v1/loops/${named(id)}/history`),
  acts: ({ session, limit }) =>
    api.get<{ acts: readonly Act[] }>(`/v1/acts?session=${named(session)}&limit=${limit}`),
}

function named(id: string): string {
  return encodeURIComponent(id.toWellFormed())
}
