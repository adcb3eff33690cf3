/** What may be told of a report, field by field: anything not named here is hidden. */

type Telling = 'word' | 'phrase' | 'id' | 'path' | 'folder' | 'said' | 'tmux' | 'tty'

const BY_TELLING: Readonly<Record<Telling, string>> = {
  word: [
    'source agent hook_event_name tool_name agent_type notification_type mcp_server_name trigger',
    'reason permission_mode permissionMode type subtype operation status role stop_reason version',
    'entrypoint kind promptSource model timestamp terminal userType what',
    'level taskType signal load_reason memory_type state turn',
  ].join(' '),
  phrase: 'waitingFor display_name',
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

/** A tool's parameters are named by its maker; what lies deeper may be named by anybody. */
export function isFieldName(name: string, depth: number): boolean {
  return depth <= 1 ? /^[A-Za-z_][\w-]{0,60}$/.test(name) : INNER.has(name)
}

const INNER = new Set(
  'question questions options label header description status content type text'.split(' '),
)

/** Words of the client's that decide something wherever they stand. */
const DECIDING = new Set(['async_launched', 'completed', 'running', 'clear', 'manual', 'auto'])

export function isDeciding(value: string): boolean {
  return DECIDING.has(value)
}

/** What a word or an id of the client's looks like; a sentence does not. */
export function isWord(value: string): boolean {
  return /^[\w.:<>[\]/-]{1,80}$/.test(value)
}

/** Two of the client's fields hold more than a word: `permission prompt`, `Opus 5.5`. */
export function isPhrase(value: string): boolean {
  return /^[\w.() -]{1,40}$/.test(value)
}

export function isId(value: string): boolean {
  return /^[\w.:-]{1,120}$/.test(value)
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
