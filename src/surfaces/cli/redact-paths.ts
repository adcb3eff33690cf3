import type { TextPiece } from '../../agents/redact.ts'
import type { Hidden } from './redact-hidden.ts'
import type { Rules } from './redact-rules.ts'

/**
 * Paths name users and their projects. Each part gets another name, the same everywhere. A log's
 * folder still belongs to its working folder, because sessions are found by that.
 */
export class Paths {
  readonly #hidden: Hidden
  readonly #rules: Rules
  /** Working folders, by the agent's name for each. */
  readonly #folders = new Map<string, string>()

  constructor(hidden: Hidden, rules: Rules) {
    this.#hidden = hidden
    this.#rules = rules
  }

  /** Registers a working folder, whose logs may be in a folder named after it. */
  know(cwd: string): void {
    const name = this.#rules.agent?.folderOf?.(cwd) ?? ''
    if (!this.#folders.has(name)) this.#folders.set(name, cwd)
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
    if (this.#rules.isFolder(part) || this.#hidden.isTold(part)) return part
    const pieces = this.#rules.own.pathPieces?.(part, above)
    return pieces
      ? pieces.map((piece) => this.piece(piece, part)).join('')
      : this.#hidden.word(part)
  }

  /** A part of a text, a name or a path, in its redacted form. */
  piece(piece: TextPiece, whole = ''): string {
    if ('keep' in piece) return piece.keep
    if ('hide' in piece) return this.#hidden.text(piece.hide)
    if ('name' in piece) return this.#hidden.word(piece.name)
    if ('id' in piece) return this.#hidden.isTold(piece.id) ? piece.id : this.#hidden.word(piece.id)
    const cwd = this.#folders.get(piece.folder)
    if (cwd === undefined) return this.#hidden.word(whole)
    return this.#rules.agent?.folderOf?.(this.path(cwd)) ?? ''
  }
}
