import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Conversation } from '../conversation.ts'
import type { Place } from '../drive/place.ts'
import { hold, say, tool } from '../model/script.ts'
import { ALLOW_BASH } from './common.ts'

/** A shell that runs on after the turn until its file exists. */
function shell(file = 'go') {
  return tool('Bash', {
    command: `until [ -e ${file} ]; do sleep 0.1; done; echo finished`,
    description: `wait for ${file}`,
    run_in_background: true,
  })
}

function end(place: Place, file = 'go'): void {
  writeFileSync(join(place.project, file), '')
}

export const background: readonly Conversation[] = [
  {
    name: 'bash_bg',
    shows: 'The turn ends while a shell runs on in the background; its end begins another turn.',
    args: ALLOW_BASH,
    model: (talk) =>
      talk
        .on(
          'start',
          tool('Bash', {
            command: 'sleep 8; echo finished',
            description: 'sleep',
            run_in_background: true,
          }),
        )
        .next(say('It runs.'))
        .next(say('It has ended.')),
    async user(run) {
      const claude = await run.begin('start')
      await claude.sees(/It has ended\./)
      await claude.becomes('idle')
    },
  },
  {
    name: 'bg_ask',
    shows: 'The model asks a question while a shell runs in the background.',
    args: ALLOW_BASH,
    model: (talk) =>
      talk
        .on('start', shell())
        .next(
          tool('AskUserQuestion', {
            questions: [
              {
                question: 'Which colour?',
                header: 'Colour',
                options: [
                  { label: 'Red', description: 'r' },
                  { label: 'Blue', description: 'b' },
                ],
                multiSelect: false,
              },
            ],
          }),
        )
        .next(say('It runs.'))
        .next(say('It has ended.')),
    async user(run) {
      const claude = await run.begin('start')
      await claude.replyTo(/Which colour\?/, 'Enter')
      await claude.sees(/It runs\./)
      await run.stay(1_500)
      end(run.place)
      await claude.sees(/It has ended\./)
      await claude.becomes('idle')
    },
  },
  {
    name: 'bg_clear',
    shows: '/clear while a shell runs in the background: it runs on under the next session.',
    args: ALLOW_BASH,
    model: (talk) =>
      talk
        .on('start', shell())
        .next(say('It runs.'))
        .on('hello', say('Hello.'))
        .next(say('It has ended.')),
    async user(run) {
      const claude = await run.begin('start')
      await claude.sees(/It runs\./)
      await run.stay()
      await claude.submit('/clear')
      await run.stay(1_500)
      await claude.submit('hello')
      await claude.sees(/Hello\./)
      await run.stay(1_500)
      end(run.place)
      await claude.sees(/It has ended\./)
      await claude.becomes('idle')
    },
  },
  {
    name: 'bg_exit',
    shows:
      'The client asks before it exits while a shell runs in the background; no hook tells it.',
    args: ALLOW_BASH,
    // Some clients report the shell's end to the model while they exit.
    model: (talk) => talk.on('start', shell()).next(say('It runs.')).next(say('It has ended.')),
    async user(run) {
      const claude = await run.begin('start')
      await claude.sees(/It runs\./)
      await run.stay()
      await claude.submit('/exit')
      await claude.becomes('waiting')
      // Longer than others: without registry and screen it cannot be known.
      await run.stay(2_200)
      await claude.press('Enter')
      await claude.pane.ended()
    },
  },
  {
    name: 'ctrl_b',
    shows: 'Ctrl-B sends a running tool to the background: the turn ends, the shell runs on.',
    args: ALLOW_BASH,
    model: (talk) =>
      talk
        .on(
          'start',
          tool('Bash', { command: 'touch slept && until [ -e go ]; do sleep 0.1; done' }),
        )
        .next(say('It runs on.'))
        .next(say('It has ended.')),
    async user(run) {
      const claude = await run.begin('start')
      await claude.sees(/ctrl\+b/)
      await run.stay()
      await claude.press('C-b')
      await claude.sees(/It runs on\./)
      await run.stay(1_500)
      end(run.place)
      await claude.sees(/It has ended\./)
      await claude.becomes('idle')
    },
  },
  {
    name: 'bg_two',
    shows: 'Two shells in the background end one after the other.',
    args: ALLOW_BASH,
    model: (talk) =>
      talk
        .on('start', shell('first'), shell('second'))
        .next(say('They run.'))
        .next(say('One has ended.'))
        .next(say('Both have ended.')),
    async user(run) {
      const claude = await run.begin('start')
      await claude.sees(/They run\./)
      await run.stay()
      end(run.place, 'first')
      await claude.sees(/One has ended\./)
      await run.stay(1_500)
      end(run.place, 'second')
      await claude.sees(/Both have ended\./)
      await claude.becomes('idle')
    },
  },
  {
    name: 'bg_kill',
    shows: 'The model ends its shell in the background.',
    args: ALLOW_BASH,
    model: (talk, place) =>
      talk
        .on('start', shell())
        .next(say('It runs.'))
        .on('end it', hold(), tool('TaskStop', { toJSON: () => ({ task_id: shellIn(place) }) }))
        .next(say('I ended it.')),
    async user(run) {
      const claude = await run.begin('start')
      await claude.sees(/It runs\./)
      await run.stay()
      await claude.submit('end it')
      await run.stay()
      run.model.release('hold')
      await claude.sees(/I ended it\./)
      await claude.becomes('idle')
    },
  },
  {
    name: 'bg_prompt',
    shows: 'Another prompt is answered while a shell runs in the background.',
    args: ALLOW_BASH,
    model: (talk) =>
      talk
        .on('start', shell())
        .next(say('It runs.'))
        .on('hello', say('Hello.', { overMs: 1_000 }))
        .next(say('It has ended.')),
    async user(run) {
      const claude = await run.begin('start')
      await claude.sees(/It runs\./)
      await run.stay()
      await claude.submit('hello')
      await claude.sees(/Hello\./)
      await run.stay(1_500)
      end(run.place)
      await claude.sees(/It has ended\./)
      await claude.becomes('idle')
    },
  },
]

/** The client names a shell when it starts it; only its transcript has the name. */
function shellIn({ home }: Place): string {
  const folder = join(home, '.claude/projects')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const texts = files
    .filter((file) => file.endsWith('.jsonl'))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
  return /"backgroundTaskId":"(\w+)"/.exec(texts.join(''))?.[1] ?? 'none'
}
