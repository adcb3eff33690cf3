import type { Conversation } from '../conversation.ts'
import type { Run, Seat } from '../drive/run.ts'
import { hold, pause, type Reply, type Script, say, uses } from '../model/script.ts'
import { greets, SUMMARIZE, turn } from './common.ts'

const SUMMARY: Reply = [pause(1_000), say('Hello was said.')]

export const commandsCompact: readonly Conversation[] = [
  {
    name: 'compact',
    shows: '/compact works and ends without a Stop; the next prompt is answered as ever.',
    model: (talk) => greets(begins(talk.on(SUMMARIZE, ...SUMMARY))),
    async user(run) {
      const claude = await begun(run, 'SCENARIO:hello hi')
      await claude.submit('/compact')
      await claude.becomes('working')
      await claude.becomes('idle')
      await run.stay(1_500)
      await turn(claude, 'SCENARIO:hello more')
      await run.stay()
    },
  },
  {
    name: 'compact_esc',
    shows: 'Esc ends a /compact, and nothing is compacted.',
    model: (talk) => greets(begins(talk.on(SUMMARIZE, hold()))),
    async user(run) {
      const claude = await begun(run, 'hello')
      await claude.submit('/compact')
      await claude.becomes('working')
      await run.stay(1_500)
      await claude.press('Escape')
      await claude.becomes('idle')
      await run.stay()
    },
  },
  {
    name: 'autocompact',
    shows: 'A window that is full is compacted inside the next turn.',
    // 2.1.220 continues without it, whatever figure it gets.
    since: '2.1.325',
    model: (talk) =>
      begins(talk.on(SUMMARIZE, ...SUMMARY))
        .on('hello', uses(990_000), pause(1_000), say('Hello there.'))
        .on('more', pause(1_000), say('Here is more.')),
    async user(run) {
      const claude = await begun(run, 'hello')
      await turn(claude, 'more')
      if (!run.model.requests.some(({ prompt = '' }) => SUMMARIZE.test(prompt)))
        throw new Error('the client did not compact')
      await run.stay()
    },
  },
]

function begins(talk: Script): Script {
  return talk.on('begin', say('Begun.'))
}

/** One more turn: older clients say that a single one is not enough to compact. */
async function begun(run: Run, prompt: string): Promise<Seat> {
  const claude = await run.claude()
  await turn(claude, 'begin')
  await turn(claude, prompt)
  await run.stay()
  return claude
}
