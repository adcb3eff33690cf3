import { cut } from '../../record/keep.ts'

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {}

/** Entries that only carry prompts, listings and bookkeeping. */
const LEFT_OUT = /^(world_state|thread_settings_applied|token_usage_record|retained_context)$/

/** The client's own texts to the model are in these roles, or begin with a tag. */
const OWN_ROLES = /^(developer|system)$/

/** The part of a rollout's line that matters for a state; undefined for other lines. */
export function keptOfRollout(entry: Fields): object | undefined {
  const payload = fieldsOf(entry.payload)
  if (LEFT_OUT.test(String(entry.type)) || LEFT_OUT.test(String(payload.type))) return undefined
  if (isOwnText(payload)) return undefined
  const { timestamp, ordinal, type } = entry
  return { timestamp, ordinal, type, payload: payloadOf(String(type), payload) }
}

function isOwnText({ type, role, content }: Fields): boolean {
  if (type !== 'message') return false
  return OWN_ROLES.test(String(role)) || /^\[?\{?[^<]{0,40}"<[a-z_]+>/.test(JSON.stringify(content))
}

const META = [
  ...[
    'id',
    'session_id',
    'parent_thread_id',
    'forked_from_id',
    'thread_source',
    'timestamp',
    'cwd',
  ],
  ...['originator', 'cli_version', 'source', 'model_provider', 'git'],
]
const CONTEXT = ['turn_id', 'cwd', 'approval_policy', 'model', 'collaboration_mode']

function payloadOf(type: string, payload: Fields): unknown {
  if (type === 'session_meta') return cut(picked(payload, META))
  if (type === 'turn_context') {
    const { mode } = fieldsOf(payload.collaboration_mode)
    return cut({ ...picked(payload, CONTEXT), collaboration_mode: { mode } })
  }
  const { internal_chat_message_metadata_passthrough: _, encrypted_content: __, ...rest } = payload
  return cut(rest)
}

function picked(from: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.flatMap((name) => (name in from ? [[name, from[name]]] : [])))
}

/** Of an item only what it is: its texts are in the rollout. */
export function keptOfMessage(message: Fields): object | undefined {
  const params = fieldsOf(message.params)
  if (String(message.method).startsWith('item/')) {
    const { id, type, status } = fieldsOf(params.item)
    const { threadId, turnId } = params
    return { ...message, params: { threadId, turnId, item: { id, type, status } } }
  }
  const { turn } = params
  const { id, status, error } = fieldsOf(turn)
  return cut({
    ...message,
    params: { ...params, ...(turn !== undefined && { turn: { id, status, error } }) },
  }) as object
}

export function keptOfHook(payload: Fields): Fields {
  return cut(payload) as Fields
}

/** The client's picture at its start, and its tips, say nothing about a state. */
export function keptOfCodexScreen(text: string): string {
  return text
    .replaceAll(/^[ \u2800-\u28ff]*[\u2801-\u28ff]{2}[ \u2800-\u28ff]*$/gm, '')
    .replaceAll(/(\bTip: ).*/g, '$1…')
}
