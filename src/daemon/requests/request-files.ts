import type { AskedCall } from '../../agents/answers.ts'
import { layoutOf } from '../../agents/index.ts'
import type { OpenRequest } from '../../protocol/request.ts'
import { fileChangeIn, replacedLines } from './replaced-lines.ts'
import type { StoredRequest } from './stored-request.ts'

/** A longer file is hardly edited by hand or by line. */
const FILE_MAX_BYTES = 1_000_000
/** This many files wait only where a disk hangs; further requests get no line numbers. */
const WAITING_MAX = 64

export interface RequestFileParts {
  /** The folder that a session works in. */
  readonly folderOf: (session: string) => string | null
  readonly home: string | null
  /** Undefined for what is no regular file, or is too long. */
  readonly read: (path: string, maxBytes: number) => Promise<Buffer | undefined>
  /** Called when a request of this session gets more details. */
  readonly found: (session: string) => void
}

/** Details shown with a request: folders, and line numbers of the file it changes. */
export class RequestFiles {
  readonly #parts: RequestFileParts
  readonly #lines = new WeakMap<AskedCall, Readonly<Record<string, number>>>()
  /** One file at a time: a hanging disk blocks one thread at most. */
  #reading: Promise<void> = Promise.resolve()
  #waiting = 0

  constructor(parts: RequestFileParts) {
    this.#parts = parts
  }

  shownWith({ asked }: StoredRequest): Pick<OpenRequest, 'folder' | 'home' | 'lines'> {
    const { folderOf, home } = this.#parts
    const [folder, lines] = [folderOf(asked.session), this.#lines.get(asked)]
    return {
      ...(folder !== null && { folder }),
      ...(home !== null && { home }),
      ...(lines && { lines }),
    }
  }

  /** SPEC SH15. Looks up the lines later, in the background. */
  look({ agent, asked }: StoredRequest): void {
    const change = asked.cut ? undefined : fileChangeIn(layoutOf(agent, asked), asked.input)
    if (!change?.path.startsWith('/') || this.#waiting >= WAITING_MAX) return
    const { path, replacements } = change
    this.#waiting += 1
    this.#reading = this.#reading.then(async () => {
      const content = await this.#parts.read(path, FILE_MAX_BYTES).catch(() => undefined)
      this.#waiting -= 1
      const lines = content ? replacedLines(content.toString(), replacements) : {}
      if (Object.keys(lines).length === 0) return
      this.#lines.set(asked, lines)
      this.#parts.found(asked.session)
    })
  }
}
