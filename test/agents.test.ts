import { describe, expect, it } from 'vitest'
import { EVENTS } from '../src/agents/claude/events.ts'
import { HOOKED_EVENTS } from '../src/agents/codex/events.ts'
import { AGENTS } from '../src/agents/index.ts'
import { fileOf, filesOf } from './support/files.ts'

/** Programs and templates: everything that runs but the agents themselves. */
const FILES = ['src/**/*.{ts,tsx,css,html}', 'bin/*', 'hook/*']
  .flatMap(filesOf)
  .filter(({ path }) => !path.startsWith('src/agents/') && !/\.test\.tsx?$/.test(path))

const TOOLS = [
  ...['apply_patch', 'exec_command', 'request_user_input', 'local_shell'],
  ...['AskUserQuestion', 'ExitPlanMode', 'EnterPlanMode', 'TodoWrite', 'NotebookEdit', 'MultiEdit'],
  ...['WebFetch', 'WebSearch', 'ToolSearch', 'KillShell', 'BashOutput', 'TaskStop'],
]

/** Fields of hooks, transcripts and status files that no other agent has. */
const FIELDS = [
  ...['hook_event_name', 'tool_use_id', 'tool_input', 'tool_name', 'transcript_path', 'agent_id'],
  ...[
    'last_assistant_message',
    'permission_suggestions',
    'old_string',
    'new_string',
    'multiSelect',
  ],
  ...['isSidechain', 'claudePid', 'statusUpdatedAt'],
  ...['event_msg', 'response_item', 'turn_context', 'item_completed', 'availableDecisions'],
]

/** Words that are a name only where they stand alone in quotes. */
const QUOTED = ['Bash', 'Edit', 'Write', 'Glob', 'Grep', 'Elicitation']

/** Two other programs have the agent's name in theirs. */
const OTHERS = /claude-?(state|rpg)/gi

/** Every agent's id, title and program, its variables, and its hooks' names of events. */
const WORDS = AGENTS.flatMap(({ id, title, command, variables }) => {
  const { marks, session, home } = variables
  return [id, title, command, ...marks, session, home].filter((word) => word !== undefined)
})
const EVENT_NAMES = [...EVENTS, ...HOOKED_EVENTS].filter((event) => /[a-z][A-Z]/.test(event))

const NAMES = [
  ...[...WORDS, 'anthropic', 'openai', 'copilot'].map((name) => new RegExp(name, 'i')),
  ...[...EVENT_NAMES, ...TOOLS, ...FIELDS].map((name) => new RegExp(`\\b${name}\\b`)),
  /(===|case) 'Stop'/,
  ...QUOTED.map((word) => new RegExp(`(['"\`])${word}\\1`)),
]

describe('outside of src/agents/', () => {
  it('no file holds the name of an agent, of its files, variables, events, tools or fields', () => {
    const held = FILES.flatMap(({ path, text }) =>
      `${path}\n${text}`
        .replaceAll(OTHERS, '')
        .split('\n')
        .flatMap((line, at) => {
          const name = NAMES.map((pattern) => pattern.exec(line)?.[0]).find(Boolean)
          return name === undefined ? [] : [`${path}:${at} ${name}`]
        }),
    )
    expect(held).toEqual([])
  })

  it.each(AGENTS)('the names of $id are found', ({ id, title, variables }) => {
    for (const name of [id, title, ...variables.marks])
      expect(NAMES.some((pattern) => pattern.test(`// seen in ${name} 1.2`))).toBe(true)
  })

  it('no file imports an agent', () => {
    const importing = FILES.filter(({ text }) => /agents\/[\w-]+\//.test(text))
    expect(importing.map(({ path }) => path)).toEqual([])
  })
})

it('an agent is one folder and one line', () => {
  const folders = filesOf('src/agents/*/index.ts').map(({ path }) => path.split('/').at(-2))
  expect(folders).toEqual(AGENTS.map(({ id }) => id))
  const lines = fileOf('src/agents/index.ts').text.split('\n')
  for (const { id } of AGENTS)
    expect(lines.filter((line) => line.includes(`'./${id}/`))).toHaveLength(1)
})
