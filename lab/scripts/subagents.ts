import type { Conversation } from '../conversation.ts'
import { hold, say, tool } from '../model/script.ts'
import { ALLOW_BASH, agent, NO_BACKGROUND, PERMISSION, readHello, TOUCH } from './common.ts'

export const subagents: readonly Conversation[] = [
  {
    name: 'agent_bg',
    shows:
      'The turn ends while its subagent runs on for some seconds; its end begins another turn.',
    args: ALLOW_BASH,
    model: (talk) =>
      talk
        .on('delegate', agent('sleep'))
        .next(say('It is on its way.'))
        .next(say('It is done.'))
        .on('sleep', tool('Bash', { command: 'touch slept && sleep 7', description: 'sleep' }))
        .next(say('Slept.')),
    async user(run) {
      const claude = await run.begin('delegate')
      await claude.sees(/It is done\./)
      await claude.becomes('idle')
    },
  },
  {
    name: 'agent_prompt',
    shows: 'Another prompt is answered while a subagent runs in the background.',
    model: (talk) =>
      talk
        .on('delegate', agent('wait'))
        .next(say('It is on its way.'))
        .on('hello', say('Hello.', { overMs: 1_000 }))
        .next(say('It is done.'))
        .on('wait', hold(), say('Waited.')),
    async user(run) {
      const claude = await run.begin('delegate')
      await claude.sees(/on its way/)
      await run.stay()
      await claude.submit('hello')
      await claude.sees(/Hello\./)
      await run.stay()
      run.model.release('hold')
      await claude.sees(/It is done\./)
      await claude.becomes('idle')
    },
  },
  {
    name: 'agent_fg',
    shows: 'A subagent that its parent waits for asks for permission and is allowed.',
    env: NO_BACKGROUND,
    model: (talk) =>
      talk
        .on('delegate', agent('touch', { background: false }))
        .next(say('It is done.'))
        .on('touch', TOUCH)
        .next(say('Touched.')),
    async user(run) {
      const claude = await run.begin('delegate')
      await claude.replyTo(PERMISSION, 'Enter')
      await claude.sees(/It is done\./)
      await claude.becomes('idle')
    },
  },
  {
    name: 'agent_perm',
    shows: "A subagent asks for permission after its parent's Stop and is allowed.",
    model: (talk) =>
      talk
        .on('delegate', agent('touch'))
        .next(say('It is on its way.'))
        .next(say('It is done.'))
        .on('touch', hold(), TOUCH)
        .next(say('Touched.')),
    async user(run) {
      const claude = await run.begin('delegate')
      await claude.sees(/on its way/)
      await run.stay()
      run.model.release('hold')
      await claude.replyTo(PERMISSION, 'Enter')
      await claude.sees(/It is done\./)
      await claude.becomes('idle')
    },
  },
  {
    name: 'agentperm2',
    shows: 'Of two subagents one asks for permission; the other ends while the dialog stands.',
    model: (talk, place) =>
      talk
        .on('delegate', agent('touch'), agent('read'))
        .next(say('They are on their way.'))
        .next(say('One is done.'))
        .next(say('Both are done.'))
        .on('touch', TOUCH)
        .next(say('Touched.'))
        .on('read', hold(), readHello(place))
        .next(say('Read.')),
    async user(run) {
      const claude = await run.begin('delegate')
      await claude.becomes('waiting')
      await run.stay()
      run.model.release('hold')
      await claude.sees(/One is done\./)
      await run.stay()
      await claude.answer(PERMISSION, 'Enter')
      await claude.sees(/Both are done\./)
      await claude.becomes('idle')
    },
  },
  {
    name: 'agent2bg',
    shows: 'Of two subagents one asks for permission; the other runs on after the answer.',
    model: (talk) =>
      talk
        .on('delegate', agent('wait'), agent('touch'))
        .next(say('They are on their way.'))
        .next(say('One is done.'))
        .next(say('Both are done.'))
        .on('touch', TOUCH)
        .next(say('Touched.'))
        .on('wait', hold(), say('Waited.')),
    async user(run) {
      const claude = await run.begin('delegate')
      await claude.replyTo(PERMISSION, 'Enter')
      await claude.sees(/One is done\./)
      await run.stay(2_000)
      run.model.release('hold')
      await claude.sees(/Both are done\./)
      await claude.becomes('idle')
    },
  },
  {
    name: 'agent_nested',
    shows: 'A subagent has a subagent of its own, which asks for permission.',
    model: (talk) =>
      talk
        .on('delegate', agent('hand on'))
        .next(say('It is on its way.'))
        .next(say('It is done.'))
        .on('hand on', agent('touch'))
        .next(say('Handed on.'))
        .next(say('Handed back.'))
        .on('touch', hold(), TOUCH)
        .next(say('Touched.')),
    async user(run) {
      const claude = await run.begin('delegate')
      await claude.sees(/on its way/)
      await run.stay()
      run.model.release('hold')
      await claude.replyTo(PERMISSION, 'Enter')
      await claude.sees(/It is done\./)
      await claude.becomes('idle')
    },
  },
]
