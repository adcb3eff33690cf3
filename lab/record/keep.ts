type Fields = Record<string, unknown>

/** Longer texts say nothing more about a state. */
const TEXT_MAX_CHARS = 400

/** The client's own texts to the model, recognised by their beginnings. */
const OWN_OPENINGS = [
  ...["The user doesn't want", "Error: The user doesn't want", 'User has approved your plan'],
  ...['Async agent launched', 'Auto mode lets', 'This session is being continued'],
  ...['<local-command-caveat>', 'Your claude.ai usage limit'],
]
const OWN_MAX_CHARS = 60

/** Entries that only carry prompts, listings and bookkeeping. */
const LEFT_OUT = /^(api-request|attachment$|file-history|skill|tools-used|atis)/

/** The part of a transcript's entry that matters for a state; undefined for other entries. */
export function keptOfEntry(entry: Fields): Fields | undefined {
  if (LEFT_OUT.test(String(entry.type))) return undefined
  return cut(entry) as Fields
}

export function keptOfPayload(payload: Fields): Fields {
  return cut(payload) as Fields
}

/** The client gives its status line many figures; few of them matter for the state. */
const STATUSLINE_KEPT = ['session_id', 'transcript_path', 'cwd', 'version', 'model', 'cost']

export function keptOfStatusline(payload: Fields): Fields {
  const kept = STATUSLINE_KEPT.flatMap((name) => (name in payload ? [[name, payload[name]]] : []))
  const { remaining_percentage } = (payload.context_window ?? {}) as Fields
  return { ...Object.fromEntries(kept), context_window: { remaining_percentage } }
}

/** Tips and descriptions of slash commands do not matter for a state. */
export function keptOfScreen(text: string): string {
  return text
    .replaceAll(/(\bTip: ).*/g, '$1…')
    .replaceAll(/^( {2,4}(?:❯ )?\/[\w:-]+ {2,}).*/gm, '$1…')
}

/** Suggestions and tool lists are the client's own texts, not the conversation's. */
const FIELDS_LEFT_OUT = new Set(['tools', 'slash_commands', 'signature', 'iterations'])

export function cut(value: unknown): unknown {
  if (typeof value === 'string') {
    const own = OWN_OPENINGS.some((opening) => value.startsWith(opening))
    const most = own ? OWN_MAX_CHARS : TEXT_MAX_CHARS
    return value.length > most ? `${value.slice(0, most)}…` : value
  }
  if (Array.isArray(value)) return value.map(cut)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([name]) => !FIELDS_LEFT_OUT.has(name))
  return Object.fromEntries(kept.map(([name, field]) => [name, cut(field)]))
}
