import type { Conversation } from '../conversation.ts'
import { background } from './background.ts'
import { commands } from './commands.ts'
import { commandsCompact } from './commands-compact.ts'
import { errors } from './errors.ts'
import { errorsLimits } from './errors-limits.ts'
import { hooks } from './hooks.ts'
import { interrupts } from './interrupts.ts'
import { lifecycle } from './lifecycle.ts'
import { lifecycleEnded } from './lifecycle-ended.ts'
import { lifecyclePrint } from './lifecycle-print.ts'
import { modes } from './modes.ts'
import { modesMcp } from './modes-mcp.ts'
import { permissions } from './permissions.ts'
import { permissionsMany } from './permissions-many.ts'
import { plans } from './plans.ts'
import { questions } from './questions.ts'
import { queue } from './queue.ts'
import { subagents } from './subagents.ts'
import { subagentsEnded } from './subagents-ended.ts'
import { tools } from './tools.ts'
import { toolsScreen } from './tools-screen.ts'

/** Every conversation, in the order in which they are played. */
export const CONVERSATIONS: readonly Conversation[] = [
  ...permissions,
  ...permissionsMany,
  ...questions,
  ...plans,
  ...tools,
  ...toolsScreen,
  ...interrupts,
  ...queue,
  ...subagents,
  ...subagentsEnded,
  ...background,
  ...errors,
  ...errorsLimits,
  ...commands,
  ...commandsCompact,
  ...lifecycle,
  ...lifecycleEnded,
  ...lifecyclePrint,
  ...hooks,
  ...modes,
  ...modesMcp,
]
