import type { CodexConversation } from '../conversation.ts'
import { interrupts } from './interrupts.ts'
import { lifecycle } from './lifecycle.ts'
import { permissions } from './permissions.ts'

/** Every conversation with Codex, in the order in which they are played. */
export const CODEX_CONVERSATIONS: readonly CodexConversation[] = [
  ...permissions,
  ...interrupts,
  ...lifecycle,
]
