import type { Agent } from '../agent.ts'
import { codexAnswers } from './answer.ts'
import { OLDEST_CODEX } from './events.ts'
import { logs } from './files.ts'
import { codexEventOf } from './hook.ts'
import { CODEX_SCRIPT } from './hook-script.ts'
import { codexLoop } from './loop-event.ts'
import { codexPaneAnswers } from './pane-answer.ts'
import { codexRedact } from './redact/index.ts'
import { codexCommandOf, codexRoleOf } from './role.ts'
import { readCodexScreen } from './screen.ts'
import { server } from './server-talk.ts'
import { codexSetup } from './setup/index.ts'
import { runCodex } from './setup/run.ts'
import { rolloutTalk } from './talk.ts'
import { readTitle } from './title.ts'
import { codexSigns } from './tool-signs.ts'
import { translateCodex } from './translate.ts'
import { witness } from './truth.ts'
import { usageIn } from './usage.ts'
import { codexVersions } from './version-of.ts'

/** Where its own installer puts it, and package managers whose folder is often not in PATH. */
const PLACES = ['.local/bin', '.npm-global/bin', '.bun/bin', '.volta/bin']

export const codex: Agent = {
  id: 'codex',
  title: 'Codex',
  command: 'codex',
  programs: (home) => PLACES.map((place) => `${home}/${place}/codex`),
  oldest: OLDEST_CODEX,
  versions: codexVersions,
  translate: translateCodex,
  recognise: codexRoleOf,
  commandOf: codexCommandOf,
  homes: (env, userHome) => [env.CODEX_HOME || `${userHome}/.codex`],
  variables: { marks: ['CODEX_THREAD_ID', 'CODEX_SANDBOX'], home: 'CODEX_HOME' },
  logs,
  server,
  hook: CODEX_SCRIPT,
  eventOf: codexEventOf,
  readScreen: readCodexScreen,
  // The question about a plan, dialogs, and a command that outlives its turn.
  screenTellsMore: true,
  readTitle,
  loop: codexLoop,
  answers: codexAnswers,
  paneAnswers: codexPaneAnswers,
  input: { interrupt: { keys: ['Escape'], words: 'Escape' }, queues: true },
  resume: (session) => ['codex', 'resume', session],
  usage: usageIn,
  talk: rolloutTalk,
  setup: codexSetup,
  run: runCodex,
  redact: codexRedact,
  toolSigns: codexSigns,
  truthReader: witness,
}
