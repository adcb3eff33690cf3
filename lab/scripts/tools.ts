import type { Conversation } from '../conversation.ts'
import { pause, type Script, say, tool } from '../model/script.ts'
import { ALLOW_BASH, PERMISSION, readHello, TOUCH } from './common.ts'

/** Long enough to be seen on the screen of a client that does not write its status. */
const HELLO = say('Hello there.', { overMs: 1_000 })
const SLOW = { overMs: 5000 }

/** Turns of talk and of tools, short and long ones. What tools print: `tools-screen.ts`. */
export const tools: readonly Conversation[] = [
  {
    name: 'hello',
    shows: 'A turn of talk without any tool, and /exit.',
    model: (talk) => talk.on('hello', HELLO),
    async user(run) {
      const claude = await run.begin('hello')
      await claude.becomes('idle')
      await run.stay()
      await claude.submit('/exit')
      await claude.becomes('closed')
    },
  },
  {
    name: 'readonly',
    shows: 'A turn that only reads a file, which needs no permission.',
    model: (talk, place) => talk.on('read', readHello(place)).next(say('It says hello.')),
    async user(run) {
      const claude = await run.begin('read it')
      await claude.becomes('idle')
    },
  },
  {
    name: 'tool_fail',
    shows: 'A command fails with exit code 3, and the turn goes on to its end.',
    args: ALLOW_BASH,
    model: (talk) => talk.on('fail', bash('sleep 1; exit 3')).next(say('That failed.')),
    async user(run) {
      const claude = await run.begin('fail')
      await claude.becomes('idle')
    },
  },
  {
    name: 'long_allowed',
    shows: 'A command is allowed and runs 31 s without a word: it works until it ends.',
    long: 'its command runs 31 s',
    model: (talk) => talk.on('long', bash('touch y && sleep 31')).next(say('It took long.')),
    async user(run) {
      const claude = await run.begin('run the long one')
      await claude.replyTo(PERMISSION, 'Enter')
      await claude.becomes('idle', { withinMs: 60_000 })
    },
  },
  {
    name: 'long_allowed_esc',
    shows: 'A command is allowed, runs 3 s and is interrupted with Esc; no hook tells it.',
    model: (talk) => talk.on('long', bash('touch y && sleep 31')),
    async user(run) {
      const claude = await run.begin('run the long one')
      await claude.replyTo(PERMISSION, 'Enter')
      await run.stay(3000)
      await claude.press('Escape')
      await claude.becomes('idle')
    },
  },
  {
    name: 'many',
    shows: 'Twelve reads in a row in one turn.',
    model: (talk, place) => {
      const first = talk.on('many', readHello(place))
      const rest = Array.from({ length: 11 }, () => readHello(place))
      return rest.reduce((said: Script, read) => said.next(read), first).next(say('All read.'))
    },
    async user(run) {
      const claude = await run.begin('read many')
      await claude.becomes('idle')
    },
  },
  {
    name: 'think_long',
    shows: 'The model’s first byte comes after 8 s of silence.',
    model: (talk) => talk.on('think', pause(8000), say('That was hard.')),
    async user(run) {
      const claude = await run.begin('think hard')
      await claude.becomes('idle')
    },
  },
  {
    name: 'silent_tool',
    shows: 'A command runs 8 s without any output.',
    args: ALLOW_BASH,
    model: (talk) => talk.on('wait', bash('sleep 8')).next(say('Slept.')),
    async user(run) {
      const claude = await run.begin('wait for it')
      await claude.becomes('idle')
    },
  },
  {
    name: 'slow_stream',
    shows: 'Text streams over 5 s.',
    model: (talk) =>
      talk.on('story', say('Once upon a time there was a very slow text. '.repeat(8), SLOW)),
    async user(run) {
      const claude = await run.begin('tell a story')
      await claude.becomes('idle')
    },
  },
  {
    name: 'two_prompts',
    shows: 'Three turns one after the other: talk, a read, a command with its dialog.',
    model: (talk, place) =>
      talk
        .on('hello one', HELLO)
        .on('read two', readHello(place))
        .next(say('It says hello.'))
        .on('touch three', say('Running.'), TOUCH)
        .next(say('All done.')),
    async user(run) {
      const claude = await run.claude()
      for (const prompt of ['hello one', 'read two']) {
        await claude.submit(prompt)
        await claude.becomes('idle')
        await run.stay()
      }
      await claude.submit('touch three')
      await claude.replyTo(PERMISSION, 'Enter')
      await claude.becomes('idle')
    },
  },
  {
    name: 'typing',
    shows: 'Text is typed slowly and removed again while the client is idle, then a prompt.',
    model: (talk) => talk.on('hello', HELLO),
    async user(run) {
      const claude = await run.claude()
      for (const word of 'I am typing a long prompt slowly'.split(/(?<= )/)) {
        await claude.type(word)
        await run.stay(200)
      }
      await claude.sees(/prompt slowly/)
      await run.stay()
      await claude.press('C-u')
      await run.stay()
      await claude.submit('hello')
      await claude.becomes('idle')
    },
  },
]

function bash(command: string) {
  return tool('Bash', { command, description: 'run' })
}
