import type { Conversation } from '../conversation.ts'
import { permissions } from './permissions.ts'

/** Every conversation, in the order in which they are played. */
export const CONVERSATIONS: readonly Conversation[] = [...permissions]
