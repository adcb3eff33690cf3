import { type Fields, text } from './read.ts'

/** How a field of a tool's input is drawn. */
export type FieldRole =
  | 'command'
  | 'path'
  | 'text'
  | 'change'
  | 'changes'
  | 'plan'
  | 'questions'
  | 'value'

/** What of a tool's input says what it does, and what only explains it. */
export interface ToolFields {
  /**
   * Shown first, in this order. `change` stands beside the text that it replaces (`REPLACED`), and
   * only of a tool that is known to replace it: what stays is counted, not shown. A `text` is new.
   */
  readonly main: readonly (readonly [role: FieldRole, field: string])[]
  /** Words of the agent's that change nothing: shown last. Any other may change what it does. */
  readonly explains: readonly string[]
}

const CHANGES_FILE: ToolFields = {
  main: [
    ['path', 'file_path'],
    ['change', 'new_string'],
    ['changes', 'edits'],
  ],
  explains: [],
}

const WRITES_FILE: ToolFields = {
  main: [
    ['path', 'file_path'],
    ['text', 'content'],
  ],
  explains: [],
}

const RUNS: ToolFields = { main: [['command', 'command']], explains: ['description'] }

const TOOLS: Readonly<Record<string, ToolFields>> = {
  Bash: RUNS,
  Edit: CHANGES_FILE,
  MultiEdit: CHANGES_FILE,
  Write: WRITES_FILE,
  NotebookEdit: {
    main: [
      ['path', 'notebook_path'],
      ['text', 'new_source'],
    ],
    explains: [],
  },
  // Where the client has saved the plan: in the input of every plan.
  ExitPlanMode: { main: [['plan', 'plan']], explains: ['planFilePath'] },
  AskUserQuestion: { main: [['questions', 'questions']], explains: [] },
  WebFetch: { main: [['value', 'url']], explains: [] },
  WebSearch: { main: [['value', 'query']], explains: [] },
}

/** One that is not known is drawn by what its input holds: tools are renamed, and others alike. */
export function toolFields(tool: string, input: Fields): ToolFields {
  const known = Object.hasOwn(TOOLS, tool) ? TOOLS[tool] : undefined
  if (known) return known
  if (text(input.command) !== undefined) return RUNS
  return text(input.file_path) === undefined ? NOTHING_KNOWN : WRITES_FILE
}

const NOTHING_KNOWN: ToolFields = { main: [], explains: [] }

/** What a change replaces, by the name that the client's tools give it. */
export const REPLACED = 'old_string'
