/** What may be told of a report, field by field: anything not named here is hidden. */

type Telling = 'word' | 'tool' | 'server' | 'id' | 'path' | 'folder' | 'said' | 'tmux' | 'tty'

const BY_TELLING: Readonly<Record<Telling, string>> = {
  word: [
    'source agent hook_event_name agent_type notification_type trigger waitingFor display_name',
    'reason permission_mode permissionMode type subtype operation status role stop_reason version',
    'entrypoint kind promptSource model timestamp terminal userType what',
    'level taskType signal load_reason memory_type state turn',
  ].join(' '),
  tool: 'tool_name',
  server: 'mcp_server_name',
  id: [
    'session session_id sessionId prompt_id promptId tool_use_id agent_id agentId id uuid',
    'parentUuid leafUuid messageId requestId interruptedMessageId taskId procStart start',
    'sourceToolAssistantUUID parent_session_id',
  ].join(' '),
  path: 'path transcript_path agent_transcript_path configDir project_dir current_dir',
  folder: 'cwd',
  said: 'prompt content text message',
  tmux: 'tmux pane tmuxPane',
  tty: 'tty',
}

const FIELDS = new Map(
  Object.entries(BY_TELLING).flatMap(([telling, names]) =>
    names.split(' ').map((name) => [name, telling as Telling] as const),
  ),
)

/** How a field of the client's own may be told. */
export function tellingOf(name: string): Telling | undefined {
  return FIELDS.get(name)
}

/** Objects and lists whose fields are the client's own; any other holds somebody's data. */
const OWN = new Set(
  [
    'env payload entry file message content origin compactMetadata commandRun background_tasks',
    'tool_calls model cost context_window current_usage workspace effort thinking usage',
    'promptSubmitEnding ending loop',
  ].flatMap((line) => line.split(' ')),
)

export function isOwn(name: string): boolean {
  return OWN.has(name)
}

/** A field of an object of the client's own making. */
export function isFieldName(name: string): boolean {
  return /^[A-Za-z_][\w-]{0,60}$/.test(name)
}

/** A parameter or a result of the client's own tools; others are named by their makers. */
export function isDataName(name: string, depth: number): boolean {
  return INNER.has(name) || (depth <= 1 && OUTER.has(name))
}

const INNER = new Set(
  'question questions options label header description status content type text'.split(' '),
)

const OUTER = new Set(
  [
    'command file_path pattern url query skill plan prompt timeout run_in_background old_string',
    'new_string replace_all offset limit path glob output_mode subagent_type todos activeForm',
    'shell_id task_id bash_id agentId backgroundTaskId taskId taskType stdout stderr interrupted',
    'isImage filePath oldString newString structuredPatch answers multiSelect',
  ].flatMap((line) => line.split(' ')),
)

/** Words of the client's that decide something wherever they stand. */
const DECIDING = new Set(['async_launched', 'completed', 'running', 'clear', 'manual', 'auto'])

export function isDeciding(value: string): boolean {
  return DECIDING.has(value)
}

const WHOLE = new Set([
  '[Request interrupted by user]',
  '[Request interrupted by user for tool use]',
])

const OPENINGS = [
  ...['Stop hook feedback:', '<command-name>/clear<', '<command-'],
  ...['<local-command-caveat>', '<local-command-'],
  ...['<bash-stdout>', '<bash-stderr>'],
]

/** A text cut into what tells who wrote it and why, and what its writer said. */
export function openingOf(text: string): readonly [opening: string, rest: string] {
  if (WHOLE.has(text)) return [text, '']
  const opening = OPENINGS.find((one) => text.startsWith(one)) ?? ''
  return [opening, text.slice(opening.length)]
}

/** The client's own prompt when a task has ended: the task's name is what counts. */
export function noticeIn(text: string): { readonly task: string | undefined } | undefined {
  if (!text.startsWith('<task-notification>')) return undefined
  return { task: /<task-id>([^<]{1,100})<\/task-id>/.exec(text.slice(0, 1_000))?.[1] }
}
