import type { CodexConversation } from '../conversation.ts'
import { agents } from './agents.ts'
import { commands } from './commands.ts'
import { daemon } from './daemon.ts'
import { errors } from './errors.ts'
import { exec } from './exec.ts'
import { hooks } from './hooks.ts'
import { interrupts } from './interrupts.ts'
import { lifecycle } from './lifecycle.ts'
import { outside } from './outside.ts'
import { permissions } from './permissions.ts'
import { questions } from './questions.ts'
import { tools } from './tools.ts'

/** Every conversation with Codex, in the order in which they are played. */
export const CODEX_CONVERSATIONS: readonly CodexConversation[] = [
  ...permissions,
  ...questions,
  ...tools,
  ...interrupts,
  ...agents,
  ...errors,
  ...commands,
  ...lifecycle,
  ...daemon,
  ...hooks,
  ...exec,
  ...outside,
]
