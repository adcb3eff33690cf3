import type { Agent } from '../agent.ts'

/** SPEC SN15. One set: the earlier systems knew no tools of this agent. */
const SIGNS: Readonly<Record<string, string>> = {
  request_user_input: '🚨',
  request_user_input_async: '🚨',
  apply_patch: '✏️',
  Bash: '🧪',
  view_image: '🔍',
  web_search: '🌐',
  update_plan: '📝',
  collaborationspawn_agent: '🎯',
  collaborationwait_agent: '📤',
}

export const codexSigns: NonNullable<Agent['toolSigns']> = { document: SIGNS, script: SIGNS }
