import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Conversation } from '../conversation.ts'
import type { Seat } from '../drive/run.ts'
import { say } from '../model/script.ts'
import { greets, PERMISSION, TOUCH, turn } from './common.ts'

/** Longer than the tolerance of a verdict, so that a missed page counts as wrong. */
const LOOK_MS = 1_800

export const commands: readonly Conversation[] = [
  {
    name: 'clear',
    shows: '/clear ends a session and begins another in the same process.',
    model: greets,
    async user(run) {
      const claude = await run.claude()
      await turn(claude, 'SCENARIO:hello hi')
      await run.stay()
      await claude.submit('/clear')
      await run.hook('SessionStart', 2)
      await run.stay(1_500)
      await turn(claude, 'SCENARIO:hello again')
      await run.stay()
    },
  },
  {
    name: 'clear_perm',
    shows: 'A dialog in the session that /clear began belongs to that session.',
    model: (talk) => greets(talk).on('touch', say('Running.'), TOUCH).next(say('All done.')),
    async user(run) {
      const claude = await run.claude()
      await turn(claude, 'hello')
      await run.stay()
      await claude.submit('/clear')
      await run.hook('SessionStart', 2)
      await run.stay()
      await claude.submit('touch it')
      await claude.replyTo(PERMISSION, 'Enter')
      await claude.becomes('idle')
      await run.stay()
    },
  },
  {
    name: 'rename',
    shows: '/rename gives the session a name, and nothing else changes.',
    model: (talk) => greets(talk).on('touch', say('Running.'), TOUCH),
    async user(run) {
      const claude = await run.claude()
      await turn(claude, 'hello')
      await run.stay()
      await claude.submit('/rename engine')
      await claude.sees(/renamed to: engine/i)
      await run.stay()
      await claude.submit('touch it')
      await claude.replyTo(PERMISSION, 'Escape')
      await claude.becomes('idle')
      await run.stay()
    },
  },
  {
    name: 'slash_menu',
    shows: 'The menus of /model and /config wait for their user, and Esc leaves them.',
    model: greets,
    async user(run) {
      const claude = await run.claude()
      await turn(claude, 'hello')
      await run.stay()
      await claude.submit('/model')
      await claude.becomes('waiting')
      await run.stay(LOOK_MS)
      await claude.press('Escape')
      await claude.becomes('idle')
      await run.stay()
      await claude.submit('/config')
      await claude.becomes('waiting')
      await run.stay(LOOK_MS)
      // The first Esc leaves the search.
      await claude.press('Escape')
      await claude.sees(/Esc to close/)
      await claude.press('Escape')
      await claude.becomes('idle')
      await run.stay()
    },
  },
  {
    name: 'slash_help',
    shows: 'What /help and /status show waits until its user leaves it with Esc.',
    model: greets,
    async user(run) {
      const claude = await run.claude()
      await turn(claude, 'hello')
      for (const page of ['/help', '/status']) {
        await run.stay()
        await claude.submit(page)
        await claude.becomes('waiting')
        await run.stay(LOOK_MS)
        await claude.press('Escape')
        await claude.becomes('idle')
      }
      await run.stay()
    },
  },
  {
    name: 'slash_resume',
    shows: '/resume leads from one session back to an earlier one in the same process.',
    model: greets,
    async user(run) {
      const claude = await run.claude()
      await turn(claude, 'hello hi')
      await claude.submit('/clear')
      await run.hook('SessionStart', 2)
      await turn(claude, 'hello two')
      await run.stay()
      await claude.submit('/resume')
      await claude.becomes('waiting')
      await claude.sees(/❯ hello hi/)
      await run.stay(LOOK_MS)
      await claude.press('Enter')
      await claude.becomes('idle')
      await run.stay()
      await turn(claude, 'hello three')
      await run.stay()
    },
  },
  {
    name: 'bang',
    shows: 'A command of the user’s own is work of the client, although no hook tells of it.',
    model: (talk) => greets(talk).on('sleep 3', say('It slept.')),
    async user(run) {
      const claude = await run.claude()
      await bang(claude, 'sleep 3; echo hi')
      await claude.becomes('working')
      await claude.becomes('idle')
      await run.stay()
      await turn(claude, 'hello')
      await run.stay()
    },
  },
  {
    name: 'bang_esc',
    shows: 'Esc ends a command of the user’s own.',
    async user(run) {
      const claude = await run.claude()
      await bang(claude, 'sleep 9; echo hi')
      await claude.becomes('working')
      await run.stay(1_500)
      await claude.press('Escape')
      await claude.becomes('idle')
      await run.stay()
    },
  },
  {
    name: 'model_switch',
    shows: 'Another model is chosen in the menu of /model, which asks once more.',
    model: greets,
    async user(run) {
      const claude = await run.claude()
      await turn(claude, 'hello')
      await run.stay()
      await claude.submit('/model')
      await claude.becomes('waiting')
      const menu = await claude.sees(/\d\. Sonnet/)
      await run.stay(LOOK_MS)
      await claude.press(/(\d)\. Sonnet/.exec(menu)?.[1] ?? '')
      await claude.sees(/Switch model\?/)
      await run.stay(LOOK_MS)
      await claude.answer(/Switch model\?/, 'Enter')
      await claude.sees(/Set model to/)
      await run.stay()
      await turn(claude, 'hello again')
      await run.stay()
    },
  },
  {
    name: 'slash_local',
    shows: 'A command of the project becomes a prompt.',
    prepare({ project }) {
      mkdirSync(join(project, '.claude/commands'), { recursive: true })
      writeFileSync(join(project, '.claude/commands/greet.md'), 'Say hello to $ARGUMENTS.\n')
    },
    model: greets,
    async user(run) {
      const claude = await run.claude()
      await turn(claude, '/greet Ada')
      await run.stay()
    },
  },
]

/** With its first character the input line changes its kind. */
async function bang(claude: Seat, command: string): Promise<void> {
  await claude.type(`!${command}`)
  await claude.sees(new RegExp(`^!\\s${command}`, 'm'))
  await claude.pane.send(`!${command}`)
}
