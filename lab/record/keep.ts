type Fields = Record<string, unknown>

/** Longer texts tell nothing more of a state; the client's own prompts are among them. */
const TEXT_MAX_CHARS = 400

/** Entries that only carry prompts, listings and bookkeeping. */
const LEFT_OUT = /^(api-request|attachment$|file-history|skill|tools-used|atis)/

/** What of a transcript's entry tells of a state; undefined for one that does not. */
export function keptOfEntry(entry: Fields): Fields | undefined {
  if (LEFT_OUT.test(String(entry.type))) return undefined
  return cut(entry) as Fields
}

export function keptOfPayload(payload: Fields): Fields {
  return cut(payload) as Fields
}

/** The client tells its status line many figures; the state is in few of them. */
const STATUSLINE_KEPT = ['session_id', 'transcript_path', 'cwd', 'version', 'model', 'cost']

export function keptOfStatusline(payload: Fields): Fields {
  const kept = STATUSLINE_KEPT.flatMap((name) => (name in payload ? [[name, payload[name]]] : []))
  const { remaining_percentage } = (payload.context_window ?? {}) as Fields
  return { ...Object.fromEntries(kept), context_window: { remaining_percentage } }
}

/** Suggestions and tool lists are the client's own texts, not the conversation's. */
const FIELDS_LEFT_OUT = new Set(['tools', 'slash_commands', 'signature', 'iterations'])

function cut(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > TEXT_MAX_CHARS ? `${value.slice(0, TEXT_MAX_CHARS)}…` : value
  if (Array.isArray(value)) return value.map(cut)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([name]) => !FIELDS_LEFT_OUT.has(name))
  return Object.fromEntries(kept.map(([name, field]) => [name, cut(field)]))
}
