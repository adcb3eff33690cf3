import type { Conversation } from '../conversation.ts'
import { hold, say, tool } from '../model/script.ts'
import { ALLOW_BASH, agent, NO_BACKGROUND, PERMISSION, SLEEP, TOUCH } from './common.ts'

/** Subagents that the user ends, or keeps waiting. */
export const subagentsEnded: readonly Conversation[] = [
  {
    name: 'agent_perm_esc',
    shows:
      "Esc in the dialog of a subagent, after its parent's Stop: it hears the refusal and ends.",
    model: (talk) =>
      talk
        .on('delegate', agent('touch'))
        .next(say('It is on its way.'))
        .next(say('It was refused.'))
        .on('touch', hold(), TOUCH)
        .next(say('Refused.')),
    async user(run) {
      const claude = await run.begin('delegate')
      await claude.sees(/on its way/)
      await run.stay()
      run.model.release('hold')
      await claude.replyTo(PERMISSION, 'Escape')
      await claude.sees(/It was refused\./)
      await claude.becomes('idle')
    },
  },
  {
    name: 'agentbg_esc',
    shows: 'Esc in an empty input line does not end a subagent that runs in the background.',
    args: ALLOW_BASH,
    model: (talk) =>
      talk
        .on('delegate', agent('sleep'))
        .next(say('It is on its way.'))
        .next(say('It is done.'))
        .on('sleep', tool('Bash', { command: 'touch slept && sleep 4', description: 'sleep' }))
        .next(say('Slept.')),
    async user(run) {
      const claude = await run.begin('delegate')
      await claude.sees(/on its way/)
      await run.stay()
      await claude.press('Escape')
      await claude.sees(/It is done\./)
      await claude.becomes('idle')
    },
  },
  {
    name: 'agentlong_esc',
    shows: 'Esc in the tool of a subagent that its parent waits for ends both.',
    args: ALLOW_BASH,
    env: NO_BACKGROUND,
    model: (talk) => talk.on('delegate', agent('sleep', { background: false })).on('sleep', SLEEP),
    async user(run) {
      const claude = await run.begin('delegate')
      await claude.becomes('working')
      await claude.sees(/touch slept/)
      await run.stay()
      await claude.press('Escape')
      await claude.becomes('idle')
    },
  },
  {
    name: 'agent_killed',
    shows: 'Its user ends a subagent in the list below the input line; no SubagentStop tells it.',
    args: ALLOW_BASH,
    model: (talk) =>
      talk
        .on('delegate', agent('sleep'))
        .next(say('It is on its way.'))
        .next(say('It was ended.'))
        .on('sleep', SLEEP),
    async user(run) {
      const claude = await run.begin('delegate')
      await claude.sees(/on its way/)
      await run.stay()
      await claude.press('Down')
      await claude.sees(/to select/)
      await claude.press('Down')
      await claude.sees(/x to stop/)
      await claude.press('x')
      await claude.sees(/It was ended\./)
      await claude.becomes('idle')
    },
  },
  {
    name: 'agent_menu',
    shows: 'A subagent ends while its user looks at it in the dialog of /tasks.',
    model: (talk) =>
      talk
        .on('delegate', agent('wait'))
        .next(say('It is on its way.'))
        .next(say('It is done.'))
        .on('wait', hold(), say('Waited.')),
    async user(run) {
      const claude = await run.begin('delegate')
      await claude.sees(/on its way/)
      await run.stay()
      await claude.submit('/tasks')
      await claude.sees(/x to stop/)
      await run.stay()
      run.model.release('hold')
      await run.stay(3_000)
      await claude.press('Escape')
      await claude.sees(/It is done\./)
    },
  },
  {
    name: 'agent_left',
    shows: 'The dialog of a subagent is left open.',
    model: (talk) =>
      talk.on('delegate', agent('touch')).next(say('It is on its way.')).on('touch', hold(), TOUCH),
    async user(run) {
      const claude = await run.begin('delegate')
      await claude.sees(/on its way/)
      await run.stay()
      run.model.release('hold')
      await claude.becomes('waiting')
      await run.stay()
    },
  },
]
