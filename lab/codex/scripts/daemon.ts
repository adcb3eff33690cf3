import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { hold, pause, say } from '../../model/script.ts'
import type { CodexConversation } from '../conversation.ts'
import { trusting } from '../drive/place.ts'
import { APPROVAL, COUNTING, greets, TOUCH, turn } from './common.ts'

/** The shared daemon: turns that outlive their terminal, and its own ends. */
export const daemon: readonly CodexConversation[] = [
  {
    name: 'kill9',
    shows: 'The terminal client is killed in a turn, which goes on in the daemon to its end.',
    model: (talk) => talk.on('tell', say('word '.repeat(60), { overMs: 8_000 })),
    async user(run) {
      const codex = await run.begin('tell me')
      await codex.becomes('working')
      await run.stay()
      run.kill(codex, 'SIGKILL')
      await run.answered(1)
      await run.stay(3_000)
    },
  },
  {
    name: 'killpane',
    shows: 'The terminal is closed in a turn, which goes on in the daemon to its end.',
    model: (talk) => talk.on('tell', say('word '.repeat(60), { overMs: 8_000 })),
    async user(run) {
      const codex = await run.begin('tell me')
      await codex.becomes('working')
      await run.stay()
      await codex.pane.close()
      await run.answered(1)
      await run.stay(3_000)
    },
  },
  {
    name: 'attach',
    shows: 'A turn whose terminal was killed is attached again before it ends.',
    model: (talk) => talk.on('tell', hold(), say('word '.repeat(10))),
    async user(run) {
      const first = await run.begin('tell me')
      await first.becomes('working')
      await run.stay()
      run.kill(first, 'SIGKILL')
      await run.stay(2_000)
      const again = await run.codex(['resume', run.thread()], { again: first, ready: false })
      await again.becomes('working', { withinMs: 40_000 })
      await run.stay(2_000)
      run.model.release()
      await again.becomes('idle')
      await run.stay()
    },
  },
  {
    name: 'resume_elsewhere',
    shows: 'A session is resumed from another folder.',
    model: greets,
    prepare: ({ root }) => {
      mkdirSync(join(root, 'other'))
      execFileSync('git', ['init', '--quiet', join(root, 'other')], { env: { HOME: root } })
    },
    tables: ({ root }) => [trusting(join(root, 'other'))],
    async user(run) {
      const first = await run.codex()
      await turn(first, 'hello you')
      await run.stay()
      await first.submit('/exit')
      await first.becomes('closed')
      await run.stay()
      const cwd = join(run.place.root, 'other')
      const again = await run.codex(['resume', run.thread()], { cwd, again: first, ready: false })
      const shown = await again.sees(/Choose working directory|› /, { withinMs: 40_000 })
      await run.stay()
      if (/working directory/i.test(shown)) await again.press('Enter')
      await again.becomes('idle', { withinMs: 40_000 })
      await run.stay()
      await turn(again, 'hello again')
      await run.stay()
    },
  },
  {
    name: 'daemon_killed',
    shows: 'The daemon is killed in a turn.',
    model: (talk) => talk.on('count', COUNTING),
    async user(run) {
      const codex = await run.begin('count up')
      await codex.becomes('working')
      await codex.sees(/Number 3\./)
      await run.stay()
      run.killDaemon()
      await run.stay(6_000)
    },
  },
  {
    name: 'daemon_killed_idle',
    shows: 'The daemon is killed while the client waits; a new client starts it again.',
    model: greets,
    async user(run) {
      const first = await run.codex()
      await turn(first, 'hello you')
      await run.stay()
      run.killDaemon()
      await run.stay(3_000)
      run.kill(first, 'SIGKILL')
      await first.becomes('closed')
      await run.stay()
      const again = await run.codex([], { again: first })
      await turn(again, 'hello again')
      await run.stay()
    },
  },
  {
    name: 'daemon_restart',
    shows: 'The daemon is started anew while a client waits, and the next prompt is answered.',
    model: greets,
    async user(run) {
      const codex = await run.codex()
      await turn(codex, 'hello you')
      await run.stay()
      await run.beside('app-server', 'daemon', 'restart')
      await run.stay(4_000)
    },
  },
  {
    name: 'daemon_other_version',
    shows: 'A client of another version finds a daemon that runs already.',
    model: (talk) => greets(talk).on('touch', pause(500), TOUCH).next(say('All done.')),
    async user(run) {
      const first = await run.codex()
      await turn(first, 'hello you')
      await run.stay()
      await first.submit('/exit')
      await first.becomes('closed')
      await run.stay()
      const other = await run.older({ again: first })
      await other.submit('touch it')
      await other.becomes('waiting')
      await other.replyTo(APPROVAL, 'Enter')
      await other.becomes('idle')
      await run.stay()
    },
  },
  {
    name: 'late_hooks',
    shows: 'Hooks that are installed while a client runs hold from its next thread on.',
    hooked: false,
    model: greets,
    async user(run) {
      const codex = await run.codex()
      await turn(codex, 'hello you')
      run.installHooks()
      await run.stay()
      await turn(codex, 'hello there')
      await run.stay()
      await codex.submit('/clear')
      await run.stay(3_000)
      await turn(codex, 'hello again')
      await run.stay()
    },
  },
]
