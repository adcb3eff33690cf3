import type { Conversation } from '../conversation.ts'
import { FAKE_KEY } from '../model/key.ts'
import { fail, type Piece, pause, say } from '../model/script.ts'
import { recovers } from './errors.ts'

const THINKS = pause(1_000)

/**
 * A user with a plan: the fake key as its token. All other requests of such a client end at a port
 * without a listener.
 */
const WITH_PLAN = {
  ANTHROPIC_API_KEY: '',
  CLAUDE_CODE_OAUTH_TOKEN: FAKE_KEY,
  HTTPS_PROXY: 'http://127.0.0.1:9',
  NO_PROXY: '127.0.0.1',
}

/** Older clients ask the user what to do. */
const GOES_ON_BY_ITSELF = '2.1.234'

export const errorsLimits: readonly Conversation[] = [
  {
    name: 'rate_limit',
    shows: 'Too many requests: the client waits as long as the API says, and asks again.',
    model: (talk) => talk.on('go', fail(429, { 'retry-after': '3' })).next(say('Recovered.')),
    user: recovers,
  },
  {
    name: 'usage_limit',
    shows: 'The limit of a plan is reached; Esc cancels that the client goes on by itself.',
    since: GOES_ON_BY_ITSELF,
    env: WITH_PLAN,
    model: (talk) => talk.on('go', THINKS, limitReached(3_600)),
    async user(run) {
      const claude = await run.begin('go')
      await claude.becomes('error')
      await claude.sees(/Continuing automatically/)
      await run.stay()
      await claude.press('Escape')
      await claude.pane.sees((screen) => !/Continuing automatically/.test(screen))
      await run.stay()
    },
  },
  {
    name: 'usage_limit_over',
    shows: 'The limit of a plan ends, and the client goes on by itself.',
    since: GOES_ON_BY_ITSELF,
    env: WITH_PLAN,
    long: 'the client lets a minute and a half pass before it goes on',
    model: (talk) => talk.on('go', THINKS, limitReached(5)).next(THINKS, say('Back again.')),
    async user(run) {
      const claude = await run.begin('go')
      await claude.becomes('error')
      await claude.sees(/Back again/, { withinMs: 300_000 })
      await claude.becomes('idle')
      await run.stay()
    },
  },
]

/** The API's message for a plan whose hours are used up. */
function limitReached(resetInSeconds: number): Piece {
  const reset = String(Math.floor(Date.now() / 1000) + resetInSeconds)
  const unified = 'anthropic-ratelimit-unified'
  const headers = {
    [`${unified}-status`]: 'rejected',
    [`${unified}-reset`]: reset,
    [`${unified}-representative-claim`]: 'five_hour',
    [`${unified}-5h-status`]: 'rejected',
    [`${unified}-5h-utilization`]: '1.0',
    [`${unified}-5h-reset`]: reset,
  }
  return fail(429, headers, 'This request would exceed the limit of your plan.')
}
