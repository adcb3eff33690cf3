import type { Conversation } from '../conversation.ts'
import type { Run } from '../drive/run.ts'
import { drop, fail, pause, say, stop, tool } from '../model/script.ts'
import { SUMMARIZE, turn } from './common.ts'

/** So that the last of them comes in seconds; the client retries eleven times by itself. */
const FEW_RETRIES = { CLAUDE_CODE_MAX_RETRIES: '2' }

/** The turn is visibly working before it fails. */
const THINKS = pause(1_000)

const TOO_LONG = fail(400, {}, 'prompt is too long: 205000 tokens > 200000 maximum')

export const errors: readonly Conversation[] = [
  {
    name: 'err400',
    shows: 'A request that the API refuses ends the turn: StopFailure and no Stop.',
    model: (talk) => talk.on('go', THINKS, fail(400)),
    user: fails,
  },
  {
    name: 'err401',
    shows: 'A key that the API refuses is tried again, and then ends the turn.',
    env: FEW_RETRIES,
    model: (talk) => talk.on('go', fail(401)),
    user: fails,
  },
  {
    name: 'err500',
    shows: 'An error of the API three times over: the turn works on, and no hook tells of them.',
    model: (talk) =>
      talk.on('go', fail(500)).next(fail(500)).next(fail(500)).next(say('Recovered.')),
    user: recovers,
  },
  {
    name: 'err529',
    shows: 'An overloaded API is asked again until it answers: working throughout.',
    model: (talk) => talk.on('go', fail(529)).next(fail(529)).next(say('Recovered.')),
    user: recovers,
  },
  {
    name: 'err529_final',
    shows: 'An API that stays overloaded ends the turn after the last retry.',
    env: FEW_RETRIES,
    model: (talk) => talk.on('go', fail(529)),
    user: fails,
  },
  {
    name: 'err_esc',
    shows: 'Esc between two tries ends the turn as it does in streaming text.',
    model: (talk) => talk.on('go', fail(529, { 'retry-after': '9' })),
    async user(run) {
      const claude = await run.begin('go')
      await claude.sees(/Retrying in/)
      await run.stay()
      await claude.press('Escape')
      await claude.becomes('idle')
      await run.stay()
    },
  },
  {
    name: 'err_queue',
    shows: 'A prompt typed between two tries is answered after the turn has failed.',
    env: FEW_RETRIES,
    model: (talk) => talk.on('go', fail(529)).on('more', THINKS, say('Hello again.')),
    async user(run) {
      const claude = await run.begin('go')
      await claude.sees(/Retrying in/)
      await claude.submit('more')
      await claude.sees(/Hello again/)
      await claude.becomes('idle')
      await run.stay()
    },
  },
  {
    name: 'err_stream',
    shows: 'An error in the middle of the text ends the turn: what is shown cannot be taken back.',
    model: (talk) => talk.on('go', say('Half an', { overMs: 1_000 }), fail(529)),
    user: fails,
  },
  {
    name: 'err_drop',
    shows: 'The connection breaks off in the middle of the text: that ends the turn.',
    model: (talk) => talk.on('go', say('Half an answer', { overMs: 1_000 }), THINKS, drop()),
    user: fails,
  },
  {
    name: 'err_drop_early',
    shows: 'The connection breaks off before the first word: the answer is asked for again.',
    model: (talk) => talk.on('go', THINKS, drop()).next(drop()).next(THINKS, say('All of it.')),
    user: answers,
  },
  {
    name: 'err_slow',
    shows: 'Four seconds before the first byte are work like any other.',
    model: (talk) => talk.on('go', pause(4_000), say('At last.')),
    user: answers,
  },
  {
    name: 'err_tool',
    shows: 'The API fails after a tool has run, inside the turn.',
    model: (talk) =>
      talk.on('go', tool('Bash', { command: 'sleep 1', description: 'wait' })).next(fail(400)),
    user: fails,
  },
  {
    name: 'err_then_prompt',
    shows: 'A turn that failed is forgotten with the next prompt.',
    model: (talk) => talk.on('go', THINKS, fail(400)).on('again', THINKS, say('Hello.')),
    async user(run) {
      const claude = await run.begin('go')
      await claude.becomes('error')
      await run.stay()
      await turn(claude, 'again')
      await run.stay()
    },
  },
  {
    name: 'err_refusal',
    shows: 'The model refuses in the middle of its answer, and once more when it is asked again.',
    model: (talk) =>
      talk.on('go', THINKS, say('I cannot'), stop('refusal')).next(THINKS, stop('refusal')),
    user: fails,
  },
  {
    name: 'err_max_tokens',
    shows: 'An answer that is cut off at its greatest length goes on inside the turn.',
    model: (talk) =>
      talk.on('go', THINKS, say('A long text'), stop('max_tokens')).next(THINKS, say(' ends.')),
    user: answers,
  },
  {
    name: 'err_prompt_too_long',
    shows: 'A first prompt that is too long for the model ends the turn.',
    model: (talk) => talk.on('go', THINKS, TOO_LONG),
    user: fails,
  },
  {
    name: 'err_grown_too_long',
    shows:
      'A conversation that is too long is compacted inside the turn; still too long, it fails.',
    model: (talk) =>
      talk
        .on(SUMMARIZE, THINKS, say('One and two were said.'))
        .on('one', say('One.'))
        .on('two', say('Two.'))
        .on('go', THINKS, TOO_LONG),
    async user(run) {
      const claude = await run.claude()
      await turn(claude, 'one')
      await turn(claude, 'two')
      await claude.submit('go')
      await claude.becomes('error')
      await run.stay()
    },
  },
]

async function fails(run: Run): Promise<void> {
  const claude = await run.begin('go')
  await claude.becomes('error')
  await run.stay()
}

async function answers(run: Run): Promise<void> {
  const claude = await run.claude()
  await turn(claude, 'go')
  await run.stay()
}

export async function recovers(run: Run): Promise<void> {
  const claude = await run.begin('go')
  await claude.sees(/Retrying in/)
  await claude.becomes('working')
  await claude.becomes('idle')
  await run.stay()
}
