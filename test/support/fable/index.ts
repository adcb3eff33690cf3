import type { Agent } from '../../../src/agents/agent.ts'
import { answers } from './answers.ts'
import { eventOf } from './hook.ts'
import { HOOK_SCRIPT } from './hook-script.ts'
import { entryOf, isLog, logs, talk } from './log.ts'
import { roleOf } from './role.ts'
import { setup } from './setup.ts'
import { readTitle } from './title.ts'
import { translate } from './translate.ts'

/**
 * An agent that does not exist: nothing it has is like another agent's. Its log is lines of plain
 * words two folders deep, its process a shell script, its state the title of its terminal, its
 * hooks have names of their own. It has no status file, no screen that can be read, and no loop.
 */
export const fable: Agent = {
  id: 'fable',
  title: 'Fable',
  command: 'fable',
  translate,
  recognise: roleOf,
  homes: ({ FABLE_HOME }, userHome) => [FABLE_HOME || `${userHome}/.fable`],
  variables: { marks: ['FABLE_PID'], session: 'FABLE_TALE', home: 'FABLE_HOME' },
  logs: { ...logs, isLog, entryOf },
  hook: HOOK_SCRIPT,
  eventOf,
  readTitle,
  answers,
  resume: (session) => ['fable', '--tale', session],
  talk,
  setup,
}
