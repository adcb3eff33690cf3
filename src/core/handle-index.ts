import { FOLDER_SESSIONS_MAX } from './limits.ts'
import { shifted } from './shift.ts'

/** Which session a pid, a pane or a folder belongs to, and since when. Holds no facts. */

interface Holder {
  readonly session: string
  readonly at: number
}

export class HandleIndex {
  readonly #pids = new Map<number, Holder>()
  readonly #panes = new Map<string, Holder>()
  readonly #folders = new Map<string, Set<string>>()
  /** What each session ever had, so that forgetting it needs no scan of all others. */
  readonly #foldersOf = new Map<string, Set<string>>()
  readonly #pidsOf = new Map<string, Set<number>>()
  readonly #panesOf = new Map<string, Set<string>>()
  /** Sessions whose pane is unknown. */
  readonly #paneless = new Set<string>()

  add(session: string, hasPane: boolean): void {
    if (!hasPane) this.#paneless.add(session)
  }

  ofPid(pid: number | undefined): Holder | undefined {
    return pid === undefined ? undefined : this.#pids.get(pid)
  }

  ofPane(pane: string | undefined): Holder | undefined {
    return pane === undefined ? undefined : this.#panes.get(pane)
  }

  inFolder(folder: string): readonly string[] {
    return [...(this.#folders.get(folder) ?? [])]
  }

  /** The other sessions of this session's folders. */
  beside(session: string): readonly string[] {
    const folders = [...(this.#foldersOf.get(session) ?? [])]
    return folders.flatMap((folder) => this.inFolder(folder)).filter((id) => id !== session)
  }

  paneless(): Iterable<string> {
    return this.#paneless
  }

  holdPid(pid: number, session: string, at: number): void {
    this.#pids.set(pid, { session, at })
    addTo(this.#pidsOf, session, pid)
  }

  holdPane(pane: string, session: string, at: number): void {
    this.#panes.set(pane, { session, at })
    addTo(this.#panesOf, session, pane)
    this.#paneless.delete(session)
  }

  settle(session: string, folder: string): void {
    const there = this.#folders.get(folder) ?? new Set()
    there.add(session)
    this.#folders.set(folder, there)
    addTo(this.#foldersOf, session, folder)
    const [oldest] = there
    if (there.size > FOLDER_SESSIONS_MAX && oldest !== undefined) there.delete(oldest)
  }

  movePanes(from: string, to: string): void {
    for (const [pane, held] of this.#panes)
      if (held.session === from) this.holdPane(pane, to, held.at)
  }

  shift(byMs: number): void {
    for (const [pid, held] of this.#pids) this.#pids.set(pid, shifted(held, byMs))
    for (const [pane, held] of this.#panes) this.#panes.set(pane, shifted(held, byMs))
  }

  forget(session: string): void {
    this.#paneless.delete(session)
    for (const folder of taken(this.#foldersOf, session)) {
      const there = this.#folders.get(folder)
      there?.delete(session)
      if (there?.size === 0) this.#folders.delete(folder)
    }
    for (const pid of taken(this.#pidsOf, session))
      if (this.#pids.get(pid)?.session === session) this.#pids.delete(pid)
    for (const pane of taken(this.#panesOf, session))
      if (this.#panes.get(pane)?.session === session) this.#panes.delete(pane)
  }
}

function addTo<T>(index: Map<string, Set<T>>, session: string, value: T): void {
  const there = index.get(session)
  if (there) there.add(value)
  else index.set(session, new Set([value]))
}

function taken<T>(index: Map<string, Set<T>>, session: string): Iterable<T> {
  const there = index.get(session) ?? []
  index.delete(session)
  return there
}
