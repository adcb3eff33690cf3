import type { InputLayout } from '../../protocol/request.ts'
import { type Fields, textIn } from '../read.ts'

const REPLACED = { replaces: 'old_string', everywhere: 'replace_all' }

const CHANGES_FILE: InputLayout = {
  parts: [
    { role: 'path', field: 'file_path' },
    { role: 'change', field: 'new_string', ...REPLACED },
    { role: 'changes', field: 'edits', after: 'new_string', ...REPLACED },
  ],
  explains: [],
}

const WRITES_FILE: InputLayout = {
  parts: [
    { role: 'path', field: 'file_path' },
    { role: 'text', field: 'content' },
  ],
  explains: [],
}

const RUNS: InputLayout = {
  parts: [{ role: 'command', field: 'command' }],
  explains: ['description'],
}

const LOOKS: InputLayout = {
  parts: [
    { role: 'value', field: 'pattern' },
    { role: 'path', field: 'path' },
  ],
  explains: [],
}

const TOOLS: Readonly<Record<string, InputLayout>> = {
  Bash: RUNS,
  Edit: CHANGES_FILE,
  MultiEdit: CHANGES_FILE,
  Write: WRITES_FILE,
  NotebookEdit: {
    parts: [
      { role: 'path', field: 'notebook_path' },
      { role: 'text', field: 'new_source' },
    ],
    explains: [],
  },
  // Where the client has saved the plan: in the input of every plan.
  ExitPlanMode: { parts: [{ role: 'plan', field: 'plan' }], explains: ['planFilePath'] },
  AskUserQuestion: {
    parts: [{ role: 'questions', field: 'questions', several: 'multiSelect' }],
    explains: [],
  },
  Glob: LOOKS,
  Grep: LOOKS,
  WebFetch: { parts: [{ role: 'value', field: 'url' }], explains: [] },
  WebSearch: { parts: [{ role: 'value', field: 'query' }], explains: [] },
}

/** An unknown tool is drawn by its input fields: tools are renamed, and others resemble them. */
export function toolLayout(tool: string, input: Fields): InputLayout {
  const known = Object.hasOwn(TOOLS, tool) ? TOOLS[tool] : undefined
  if (known) return known
  if (textIn(input.command) !== undefined) return RUNS
  return textIn(input.file_path) === undefined ? NOTHING_KNOWN : WRITES_FILE
}

const NOTHING_KNOWN: InputLayout = { parts: [], explains: [] }
