import { readAddress } from '../../protocol/address.ts'
import type { StreamEvent } from '../../protocol/stream.ts'
import type { SessionList } from '../daemon-api.ts'
import { type EventSource, eventText } from './event-stream.ts'

/** Rows per batch; usually 1.2 kB each. */
const BATCH = 50

/** SPEC P16–P19. The rows of the list for one reader: all or those it missed, then each change. */
export class RowEvents implements EventSource {
  readonly #list: SessionList
  /** Sessions of the snapshot that are not sent yet; undefined once all are. */
  #snapshot: string[] | undefined
  /** Sessions whose newest row is not sent yet, and the first change since the last one sent. */
  readonly #due = new Map<string, number>()
  /** The machine follows the first rows, and is sent again when it changes. */
  #isMachineDue = true
  /** Machines as they were sent; when a machine that is there was last heard is no news. */
  readonly #sent = new Map<string, string>()

  constructor(list: SessionList, position?: string) {
    this.#list = list
    const missed = position === undefined ? undefined : list.changes.since(position)
    if (!missed) this.#snapshot = [...list.ids()]
    for (const { id, count } of missed ?? []) this.#due.set(id, count)
  }

  next(): string {
    if (this.#snapshot) return this.#snapshotPage(this.#snapshot)
    const ids = [...this.#due.keys()].slice(0, BATCH)
    const rows = ids.map((id) => this.#row(id)).join('')
    if (this.#due.size > 0 || !this.#isMachineDue) return rows
    this.#isMachineDue = false
    return rows + this.#machines()
  }

  hasNext(): boolean {
    return this.#snapshot !== undefined || this.#due.size > 0 || this.#isMachineDue
  }

  onNews(listener: () => void): () => void {
    const stops = [
      this.#list.changes.onChange(({ id, count }) => {
        if (!this.#due.has(id)) this.#due.set(id, count)
        listener()
      }),
      this.#list.onMachine(() => {
        this.#isMachineDue = true
        listener()
      }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }

  /** Without a position: a reader that loses the connection before the last page starts over. */
  #snapshotPage(left: string[]): string {
    const sessions = left.splice(0, BATCH).flatMap((id) => this.#list.row(id) ?? [])
    const more = left.length > 0
    if (!more) this.#snapshot = undefined
    const page: StreamEvent = { kind: 'snapshot', now: this.#list.now(), sessions, more }
    return more ? eventText(page) : this.#text(page)
  }

  /** SPEC FL81. Machines that are new or look different, and those that left. */
  #machines(): string {
    const now = this.#list.now()
    const machines = this.#list.machines()
    const present = new Set(machines.map(({ id }) => id))
    const gone = [...this.#sent.keys()].filter((id) => !present.has(id))
    for (const id of gone) this.#sent.delete(id)
    const changed = machines.filter((machine) => {
      const seen = JSON.stringify(machine.online ? { ...machine, lastHeardAt: null } : machine)
      const isNew = this.#sent.get(machine.id) !== seen
      this.#sent.set(machine.id, seen)
      return isNew
    })
    return [
      ...gone.map((machine) => this.#text({ kind: 'machine-gone', now, machine })),
      ...changed.map((machine) => this.#text({ kind: 'machine', now, machine })),
    ].join('')
  }

  #row(id: string): string {
    this.#due.delete(id)
    const [now, session] = [this.#list.now(), this.#list.row(id)]
    if (session) return this.#text({ kind: 'session', now, session })
    const { machine = this.#list.machine().id, session: gone } = readAddress(id)
    return this.#text({ kind: 'gone', now, machine, session: gone })
  }

  /** SPEC P17. With the position up to which everything was sent. */
  #text(event: StreamEvent): string {
    const [oldest] = this.#due.values()
    const { changes } = this.#list
    return eventText(event, changes.positionOf(oldest === undefined ? changes.count : oldest - 1))
  }
}
