import type { Agent } from '../agent.ts'

const SHARED: Readonly<Record<string, string>> = {
  AskUserQuestion: '🚨',
  Edit: '✏️',
  Bash: '🧪',
  Read: '🔍',
  Grep: '🔍',
  Glob: '🔍',
  WebSearch: '🌐',
  WebFetch: '🌐',
  Skill: '🎯',
  SlashCommand: '⚡',
  TaskOutput: '📤',
}

/** SPEC SN15. Where the document and the script it describes differ, both sets are available. */
export const toolSigns: NonNullable<Agent['toolSigns']> = {
  document: { ...SHARED, Write: '📝', TodoWrite: '⚙️', Task: '🎯', Agent: '🎯' },
  script: { ...SHARED, Write: '✏️', NotebookEdit: '✏️', TodoWrite: '📝', Task: '⚙️', Agent: '⚙️' },
}
