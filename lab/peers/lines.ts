import type { RecordedLine } from '../../src/agents/truth-reader.ts'
import type { ClientRun } from '../../src/recording/client-runs.ts'

export interface Hook {
  readonly hook_event_name?: string
  readonly session_id?: string
  readonly tool_name?: string
  readonly tool_use_id?: string
  readonly agent_id?: string
  readonly prompt?: string
  readonly reason?: string
  readonly source?: string
  readonly error?: unknown
}

export function hookOf(line: RecordedLine): Hook | undefined {
  return line.source === 'hook' ? (line.payload as Hook) : undefined
}

export interface Block {
  readonly type?: string
  readonly text?: string
  readonly name?: string
  readonly tool_use_id?: string
}

export interface Entry {
  readonly type?: string
  readonly timestamp?: string
  readonly isMeta?: boolean
  readonly isSidechain?: boolean
  readonly toolUseResult?: unknown
  /** Of an entry about the queue of prompts. */
  readonly content?: string
  readonly message?: { readonly content?: string | readonly Block[] }
}

/** An entry of the session's own transcript; a subagent's has a file of its own. */
export function entryOf(line: RecordedLine): Entry | undefined {
  if (line.source !== 'transcript' || String(line.path).includes('subagents')) return undefined
  const entry = line.entry as Entry
  return entry.isSidechain === true ? undefined : entry
}

export function blocksOf(entry: Entry): readonly Block[] {
  const content = entry.message?.content
  return Array.isArray(content) ? content : []
}

/** `/clear` and `/resume` end a session too, but the client stays. */
export function endsClient(hook: Hook): boolean {
  const { hook_event_name: event, reason } = hook
  return event === 'SessionEnd' && reason !== 'clear' && reason !== 'resume'
}

export interface Life {
  readonly t: number
  readonly alive: boolean
}

/**
 * When a client began and when it was gone, for systems that are its parent or look at processes. A
 * parent learns of the end at once; the recorder looked a few times a second only. So the earlier
 * one counts as the end: the observed death, or the registry file that an ending client removes.
 */
export function livesOf(lines: readonly RecordedLine[]): readonly Life[] {
  const lives: Life[] = []
  const gone = new Set<unknown>()
  let current: unknown
  for (const line of lines) {
    const { t, source, pid } = line
    const ended = source === 'process' ? line.alive === false : line.file === null
    if (source !== 'process' && source !== 'registry') continue
    if (!ended && pid !== current && !gone.has(pid)) {
      current = pid
      lives.push({ t, alive: true })
    }
    if (!ended || gone.has(pid)) continue
    gone.add(pid)
    if (pid === current) lives.push({ t, alive: false })
  }
  return lives
}

/** The screen as it stood at a moment, looked up in order of time. */
export class Screen {
  readonly #lines: readonly RecordedLine[]
  #next = 0
  #shown: { readonly t: number; readonly text: string } | undefined

  constructor(lines: readonly RecordedLine[]) {
    this.#lines = lines.filter(({ source }) => source === 'screen')
  }

  at(t: number): { readonly t: number; readonly text: string } | undefined {
    for (; ; this.#next++) {
      const line = this.#lines[this.#next]
      if (!line || line.t > t) return this.#shown
      this.#shown = { t: line.t, text: String(line.text) }
    }
  }
}

/** The part of a run about one of its clients; if it ran alone, the whole run. */
export function aboutOnly(
  strand: ClientRun,
  run: readonly RecordedLine[],
): readonly RecordedLine[] {
  if (strand.alone) return run
  const hooks = run.filter((line) => strand.sessions.has(hookOf(line)?.session_id ?? ''))
  const panes = new Set(hooks.map(({ env }) => (env as { tmuxPane?: string }).tmuxPane))
  return run.filter((line) => {
    const { source, pid, pane, path, payload } = line
    if (source === 'screen') return panes.has(pane as string)
    if (source === 'transcript')
      return [...strand.sessions].some((id) => String(path).includes(`/${id}`))
    if (source === 'registry' || source === 'process') return strand.pids.has(pid as number)
    // A recorded key has no terminal; with several clients it is given to none.
    return strand.sessions.has((payload as Hook | undefined)?.session_id ?? '')
  })
}
