import { drop, type FailStatus, fail, pause, say, think } from '../../model/script.ts'
import type { CodexConversation } from '../conversation.ts'
import { USAGE_LIMIT } from '../model/answer.ts'

/** Begins an answer, in which there is no word yet: half of one would count as an answer. */
const BEGUN = think('…')

/** An error of the API that is not tried again. */
function failing(name: string, status: FailStatus, shows: string): CodexConversation {
  return {
    name,
    shows,
    model: (talk) => talk.on('fail', pause(1_500), fail(status)),
    async user(run) {
      const codex = await run.begin('fail now')
      await codex.becomes('error', { withinMs: 60_000 })
      await run.stay(2_500)
    },
  }
}

/** Errors of the API, tried again or not. */
export const errors: readonly CodexConversation[] = [
  failing('err400', 400, 'A request that the API refuses ends the turn in an error at once.'),
  failing('err401', 401, 'A key that the API refuses ends the turn after several tries.'),
  failing('err429', 429, 'Too many requests end the turn in an error at once.'),
  {
    name: 'err500',
    shows: 'A broken API ends the turn after many tries.',
    long: '30 s',
    model: (talk) => talk.on('fail', fail(500)),
    async user(run) {
      const codex = await run.begin('fail now')
      await codex.becomes('error', { withinMs: 90_000 })
      await run.stay(2_500)
    },
  },
  {
    name: 'usage_limit',
    shows: 'The limit of the plan is reached, and the turn ends in an error.',
    model: (talk) => talk.on('fail', pause(1_500), fail(429, {}, USAGE_LIMIT)),
    async user(run) {
      const codex = await run.begin('fail now')
      await codex.becomes('error')
      await run.stay(2_500)
    },
  },
  {
    name: 'err500twice',
    shows: 'Two requests fail and the third is answered: the turn never stops.',
    model: (talk) => talk.on('fail', fail(500)).next(fail(500)).next(say('Recovered.')),
    async user(run) {
      const codex = await run.begin('fail twice')
      await codex.becomes('idle', { withinMs: 40_000 })
      await run.stay()
    },
  },
  {
    name: 'err_then_ok',
    shows: 'After an error the next prompt is answered.',
    model: (talk) =>
      talk.on('fail', pause(1_000), fail(400)).on('hello', pause(1_500), say('Hello there.')),
    async user(run) {
      const codex = await run.begin('fail now')
      await codex.becomes('error')
      await run.stay()
      await codex.submit('hello again')
      await codex.becomes('working')
      await codex.becomes('idle')
      await run.stay()
    },
  },
  {
    name: 'drop',
    shows: 'The connection breaks off in each answer until the turn ends in an error.',
    model: (talk) => talk.on('fail', BEGUN, pause(300), drop()),
    async user(run) {
      const codex = await run.begin('fail now')
      await codex.becomes('error', { withinMs: 60_000 })
      await run.stay(2_500)
    },
  },
  {
    name: 'drop_twice',
    shows: 'The connection breaks off twice, and the third answer is whole.',
    model: (talk) =>
      talk
        .on('fail', BEGUN, pause(300), drop())
        .next(BEGUN, pause(300), drop())
        .next(say('Recovered.')),
    async user(run) {
      const codex = await run.begin('fail twice')
      await codex.becomes('idle', { withinMs: 40_000 })
      await run.stay()
    },
  },
  {
    name: 'failed',
    shows: 'The API reports a failure within its answers until the turn ends in an error.',
    model: (talk) => talk.on('fail', BEGUN, pause(300), fail(500)),
    async user(run) {
      const codex = await run.begin('fail now')
      await codex.becomes('error', { withinMs: 60_000 })
      await run.stay(2_500)
    },
  },
]
