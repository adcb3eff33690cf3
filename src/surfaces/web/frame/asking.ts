import type { Act } from '../../../protocol/act.ts'
import type { LoopStep, LoopView } from '../../../protocol/loop.ts'
import type { OpenRequest } from '../../../protocol/request.ts'
import type { Explanation, Session, Talk } from '../../../protocol/session.ts'
import { api, sessionPath } from '../api.ts'
import type { Details } from '../model/state.ts'

/** Who runs down the list is not at any row yet. */
const STAYS_MS = 60
/** What an agent says meanwhile comes without a change of its verdict. */
const AGAIN_MS = 1_500
const ACTS_MAX = 20

/** Asks for what there is to know of the session that is looked at, and again when it changed. */
export class Asking {
  readonly #tell: (details: Details) => void
  #key: string | undefined
  #askedAt = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #round = 0

  constructor(tell: (details: Details) => void) {
    this.#tell = tell
  }

  about(session: Session | undefined, now: number): void {
    const key = session && keyOf(session)
    const isLate = session && isAtWork(session) && now - this.#askedAt > AGAIN_MS
    if (key === this.#key && !isLate) return
    // The first one is not waited for.
    const stays = this.#key === undefined || isSameSession(this.#key, key) ? 0 : STAYS_MS
    this.#key = key
    this.#askedAt = now
    clearTimeout(this.#timer)
    if (session) this.#timer = setTimeout(() => void this.#ask(session), stays)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#round += 1
  }

  async #ask(session: Session): Promise<void> {
    this.#round += 1
    const round = this.#round
    const details = await detailsOf(session)
    if (round === this.#round) this.#tell(details)
  }
}

function keyOf(session: Session): string {
  const { id, state, since, rule, request, unread, loop, asks } = session
  return JSON.stringify([id, state, since, rule, request?.at, unread, loop, asks])
}

function isSameSession(before: string, after: string | undefined): boolean {
  return after !== undefined && JSON.parse(before)[0] === JSON.parse(after)[0]
}

function isAtWork({ state }: Session): boolean {
  return state === 'working' || state === 'background' || state === 'waiting'
}

async function detailsOf(session: Session): Promise<Details> {
  const { id, state, loop } = session
  const name = encodeURIComponent(id.toWellFormed())
  const acts = `/v1/acts?session=${name}&limit=${ACTS_MAX}`
  const loopPath = `/v1/loops/${name}`
  const [explanation, talk, requests, one, steps, acted] = await Promise.all([
    known(api.get<Explanation>(sessionPath(id, 'explain'))),
    known(api.get<Talk>(sessionPath(id, 'talk'))),
    state === 'waiting'
      ? known(api.get<{ requests: readonly OpenRequest[] }>(`/v1/requests?session=${name}`))
      : null,
    loop ? known(api.get<{ loop: LoopView }>(loopPath)) : null,
    loop ? known(api.get<{ steps: readonly LoopStep[] }>(`${loopPath}/history`)) : null,
    known(api.get<{ acts: readonly Act[] }>(acts)),
  ])
  return {
    id,
    explanation,
    talk,
    requests: requests?.requests ?? [],
    loop: one?.loop ?? null,
    steps: steps?.steps ?? [],
    acts: acted?.acts ?? [],
  }
}

/** A daemon that is gone is told of elsewhere; a session that nothing is known of says nothing. */
async function known<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer
  } catch {
    return null
  }
}
