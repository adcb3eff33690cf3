import type { Conversation } from '../conversation.ts'
import { hold, say, tool } from '../model/script.ts'
import { ALLOW_BASH, COUNTING } from './common.ts'

/** Slow enough that its turn is visible. */
const SLOW_HELLO = say('Hello.', { overMs: 1_000 })

export const queue: readonly Conversation[] = [
  {
    name: 'queue',
    shows: 'A prompt typed while the model thinks is answered after it: two turns, one Stop each.',
    model: (talk) => talk.on('think', hold(), say('Thought.')).on('hello', SLOW_HELLO),
    async user(run) {
      const claude = await run.begin('think')
      await claude.becomes('working')
      await run.stay()
      await claude.submit('hello')
      await run.stay()
      run.model.release('hold')
      await claude.sees(/Thought\.[\s\S]*Hello\./)
      await claude.becomes('idle')
    },
  },
  {
    name: 'queue_tool',
    shows: 'A prompt typed while a tool runs goes along with its result: one turn, one Stop.',
    args: ALLOW_BASH,
    model: (talk) =>
      talk
        .on('wait', tool('Bash', { command: 'touch slept && sleep 3', description: 'sleep' }))
        .next(say('Hello.'))
        .on('hello', say('Hello.')),
    async user(run) {
      const claude = await run.begin('wait')
      await claude.becomes('working')
      await run.stay()
      await claude.submit('hello')
      await claude.sees(/Hello\./)
      await claude.becomes('idle')
    },
  },
  {
    name: 'esc_queue',
    shows: 'Esc with a prompt in the queue ends the turn, and that prompt begins the next at once.',
    model: (talk) => talk.on('count', COUNTING).on('hello', hold(), say('Hello.')),
    async user(run) {
      const claude = await run.begin('count')
      await claude.sees(/Number 3/)
      await claude.submit('hello')
      await run.stay()
      await claude.press('Escape')
      // Between the two turns the client may be idle for less than the interval of reads.
      await claude.sees(/Interrupted[\s\S]*❯ hello/)
      await run.stay()
      run.model.release('hold')
      await claude.sees(/Hello\./)
      await claude.becomes('idle')
    },
  },
  {
    name: 'queue_two',
    shows: 'Two prompts typed while the model thinks become one turn after it.',
    model: (talk) =>
      talk
        .on('think', hold(), say('Thought.'))
        .on('second', say('Second.', { overMs: 1_000 }))
        .on('first', say('First.')),
    async user(run) {
      const claude = await run.begin('think')
      await claude.becomes('working')
      await claude.submit('first')
      await claude.submit('second')
      await run.stay()
      run.model.release('hold')
      await claude.sees(/Second\./)
      await claude.becomes('idle')
    },
  },
]
