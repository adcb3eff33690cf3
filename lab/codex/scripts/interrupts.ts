import { pause, say } from '../../model/script.ts'
import type { CodexConversation } from '../conversation.ts'
import { COUNTING, shell } from './common.ts'

/** Esc and Ctrl-C, and prompts that are typed during a turn. */
export const interrupts: readonly CodexConversation[] = [
  {
    name: 'esc_stream',
    shows: 'Esc while the answer streams in ends the turn.',
    model: (talk) => talk.on('count', COUNTING),
    async user(run) {
      const codex = await run.begin('count up')
      await codex.becomes('working')
      await codex.sees(/Number 3\./)
      await run.stay()
      await codex.press('Escape')
      await codex.becomes('idle')
      await run.stay()
    },
  },
  {
    name: 'esc_think',
    shows: 'Esc before the first word of the answer ends the turn.',
    model: (talk) => talk.on('think', pause(20_000), say('Thought about it.')),
    async user(run) {
      const codex = await run.begin('think first')
      await codex.becomes('working')
      await run.stay(2_500)
      await codex.press('Escape')
      await codex.becomes('idle')
      await run.stay()
    },
  },
  {
    name: 'esc_tool',
    shows: 'Esc while a command runs ends the turn; the command lives on and ends by itself.',
    model: (talk) => talk.on('sleep', shell('touch slept && sleep 9', { yield_time_ms: 30_000 })),
    async user(run) {
      const codex = await run.begin('sleep now')
      await run.file('slept')
      await run.stay(3_000)
      await codex.press('Escape')
      await codex.sees(/Conversation interrupted/)
      await codex.becomes('idle')
      await run.stay()
    },
  },
  {
    name: 'esc_then_prompt',
    shows: 'After an interrupt the next prompt begins a new turn.',
    model: (talk) => talk.on('count', COUNTING).on('hello', pause(1_500), say('Hello there.')),
    async user(run) {
      const codex = await run.begin('count up')
      await codex.becomes('working')
      await codex.sees(/Number 2\./)
      await codex.press('Escape')
      await codex.becomes('idle')
      await run.stay()
      await codex.submit('hello again')
      await codex.becomes('working')
      await codex.becomes('idle')
      await run.stay()
    },
  },
  {
    name: 'queue',
    shows: 'A prompt that is sent during a turn joins it.',
    model: (talk) =>
      talk
        .on('count', COUNTING)
        .on('hello', pause(1_000), say('Hello to that.', { overMs: 2_000 })),
    async user(run) {
      const codex = await run.begin('count up')
      await codex.becomes('working')
      await codex.sees(/Number 3\./)
      await codex.submit('hello meanwhile')
      await codex.becomes('idle')
      await run.stay()
    },
  },
  {
    name: 'queue_tab',
    shows: 'A prompt that is queued during a turn begins the next one at its end.',
    model: (talk) =>
      talk
        .on('tell', say('word '.repeat(40), { overMs: 5_000 }))
        .on('hello', pause(1_000), say('Hello to that.', { overMs: 2_000 })),
    async user(run) {
      const codex = await run.begin('tell me')
      await codex.becomes('working')
      await run.stay()
      await codex.type('hello later')
      await run.stay(500)
      await codex.press('Tab')
      await codex.sees(/Hello to that\./)
      await codex.becomes('idle')
      await run.stay()
    },
  },
  {
    name: 'ctrl_c_working',
    shows: 'Ctrl-C during a turn asks what is to happen with it; it is stopped.',
    model: (talk) => talk.on('count', COUNTING),
    async user(run) {
      const codex = await run.begin('count up')
      await codex.becomes('working')
      await codex.sees(/Number 2\./)
      await codex.press('C-c')
      await codex.sees(/Choose what happens to the current task/)
      await run.stay()
      await codex.press('Escape')
      await run.stay()
      await codex.press('Escape')
      await codex.becomes('idle')
      await run.stay()
    },
  },
]
