import { shifted } from './shift.ts'

/** Which session a pid, a pane or a folder belongs to, and since when. Knows no facts. */

interface Holder {
  readonly session: string
  readonly at: number
}

export class Whereabouts {
  readonly #pids = new Map<number, Holder>()
  readonly #panes = new Map<string, Holder>()
  readonly #folders = new Map<string, Set<string>>()
  /** Sessions whose pane nobody has told. */
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

  paneless(): Iterable<string> {
    return this.#paneless
  }

  holdPid(pid: number, session: string, at: number): void {
    this.#pids.set(pid, { session, at })
  }

  holdPane(pane: string, session: string, at: number): void {
    this.#panes.set(pane, { session, at })
    this.#paneless.delete(session)
  }

  settle(session: string, folder: string): void {
    const there = this.#folders.get(folder)
    if (there) there.add(session)
    else this.#folders.set(folder, new Set([session]))
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
    for (const [folder, there] of this.#folders) {
      there.delete(session)
      if (there.size === 0) this.#folders.delete(folder)
    }
    for (const [pid, held] of this.#pids) if (held.session === session) this.#pids.delete(pid)
    for (const [pane, held] of this.#panes) if (held.session === session) this.#panes.delete(pane)
  }
}
