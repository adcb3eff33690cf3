import { folderName } from '../../agents/claude/folder.ts'
import type { Hidden } from './redact-hidden.ts'

/** Folders that say nothing about their user, and by which the client's own files are known. */
const COMMON = new Set([
  ...['', '.', '..', 'home', 'Users', 'tmp', 'var', 'private', 'run', 'user'],
  ...['.claude', 'projects', 'sessions', 'subagents', 'workflows'],
])

/** The client cuts the name of a folder there. */
const PROJECT_MAX_CHARS = 200

/**
 * Paths name people and their projects. Each part gets another name, the same one everywhere; and a
 * transcript's folder stays the one that belongs to the working folder, since sessions are found by
 * that.
 */
export class Paths {
  readonly #hidden: Hidden
  readonly #projects = new Map<string, string>()

  constructor(hidden: Hidden) {
    this.#hidden = hidden
  }

  /** A working folder, whose transcripts lie in a folder named after it. */
  know(cwd: string): void {
    const project = folderName(cwd) ?? ''
    if (!this.#projects.has(project)) this.#projects.set(project, cwd)
  }

  path(value: string): string {
    const parts = value.split('/')
    return parts.map((part, at) => this.#part(part, parts[at - 1])).join('/')
  }

  /** `$TMUX` is `socket,pid,session`; a pane of a known server is `socket:%1`. */
  tmux(value: string, hidesPaths: boolean): string {
    const [socket = '', ...rest] = value.split(/(?=,|:%)/)
    const named = hidesPaths ? this.path(socket) : socket
    const safe = (part: string) => (/^[\d,:@.%$]*$/.test(part) ? part : this.#hidden.word(part))
    return [socket.includes('/') ? named : safe(socket), ...rest.map(safe)].join('')
  }

  #part(part: string, above: string | undefined): string {
    if (COMMON.has(part) || this.#hidden.isTold(part)) return part
    const [, agent = '', id = ''] = /^(agent-)?(.+)\.jsonl$/.exec(part) ?? []
    if (id !== '') return `${agent}${this.#hidden.isTold(id) ? id : this.#hidden.word(id)}.jsonl`
    const cwd =
      above === 'projects' ? this.#projects.get(part.slice(0, PROJECT_MAX_CHARS)) : undefined
    return cwd === undefined ? this.#hidden.word(part) : (folderName(this.path(cwd)) ?? '')
  }
}
