import { agentOf } from '../agents/index.ts'
import { RECOVERY_MAX_MS } from '../core/limits.ts'
import { standsStillAt, tellsTurn } from '../core/rules/still.ts'
import type { Tracker } from '../core/tracker.ts'
import type { Folders } from '../home/folders.ts'
import { eventsIn, homesIn, type Note, readNote } from '../install/note.ts'
import { ownPathsOf } from '../install/plan.ts'
import type { Arrival } from '../sources/arrival.ts'
import type { Troubles } from './troubles.ts'

/** The trouble ends this soon after `vigil install --all-events`. */
const AGAIN_MS = 10_000
/** The version of a log is read once; beyond so many logs it is read again. */
const LOGS_MAX = 1_000

export interface SilentStatusOptions {
  readonly tracker: Pick<Tracker, 'sessions' | 'verdict'>
  readonly folders: Folders
  readonly troubles: Pick<Troubles, 'set'>
}

/**
 * SPEC I25. Reports a client that no longer writes its status, and offers hooks for every event in
 * its place.
 */
export class SilentStatus {
  readonly #options: SilentStatusOptions
  /** By session. A client without a status tells its version in its log alone. */
  readonly #versions = new Map<string, string>()
  readonly #logs = new Set<string>()
  /** By session whose status may stand still: the look that decides. */
  readonly #looks = new Map<string, NodeJS.Timeout>()
  /** By agent: the version whose status stands still. */
  readonly #silent = new Map<string, string>()
  #again: NodeJS.Timeout | undefined

  constructor(options: SilentStatusOptions) {
    this.#options = options
  }

  close(): void {
    clearTimeout(this.#again)
    for (const look of this.#looks.values()) clearTimeout(look)
  }

  onReport({ report }: Arrival): void {
    const { source, path, entry } = report
    if (source !== 'transcript' || typeof path !== 'string' || this.#logs.has(path)) return
    const agent = report.agent === undefined ? undefined : agentOf(report.agent)
    const version = agent?.versions?.inRecord(entry)
    if (version === undefined) return
    const session = agent?.translate(report).find(({ about }) => about.session)?.about.session
    if (session === undefined) return
    if (this.#logs.size >= LOGS_MAX) for (const known of [this.#logs, this.#versions]) known.clear()
    this.#logs.add(path)
    this.#versions.set(session, version)
  }

  /** Sessions whose facts changed. */
  onSessionsChanged(ids: ReadonlySet<string>): void {
    for (const id of ids) {
      const facts = this.#options.tracker.sessions.facts(id)
      const at = facts ? standsStillAt(facts) : Number.POSITIVE_INFINITY
      if (facts && tellsTurn(facts) && this.#silent.get(facts.agent) === this.#versionOf(id)) {
        this.#silent.delete(facts.agent)
        this.#report(facts.agent)
      }
      if (!Number.isFinite(at)) this.#stop(id)
      else if (!this.#looks.has(id)) this.#lookAt(id, at)
    }
  }

  /** Not before a daemon that has just started has read the status file. */
  #lookAt(id: string, at: number): void {
    const look = setTimeout(() => this.#look(id), Math.max(at - Date.now(), RECOVERY_MAX_MS))
    this.#looks.set(id, look.unref())
  }

  #stop(id: string): void {
    clearTimeout(this.#looks.get(id))
    this.#looks.delete(id)
  }

  #look(id: string): void {
    this.#stop(id)
    const { tracker } = this.#options
    const facts = tracker.sessions.facts(id)
    const version = this.#versionOf(id)
    if (!facts || version === undefined || standsStillAt(facts) > Date.now()) return
    // Of a session that is over, the status file is gone; without a process here there was none.
    if (tracker.verdict(id)?.state === 'closed' || facts.heard.process === undefined) return
    if (!agentOf(facts.agent)?.statusFiles?.tellsState?.(version)) return
    this.#silent.set(facts.agent, version)
    this.#report(facts.agent)
  }

  #versionOf(id: string): string | undefined {
    const { details } = this.#options.tracker.sessions.facts(id) ?? {}
    return details?.version ?? this.#versions.get(id)
  }

  #report(id: string): void {
    const { troubles, folders } = this.#options
    const version = this.#silent.get(id)
    const { title = id } = agentOf(id) ?? {}
    const isSilent = version !== undefined && lacksEvents(id, version, folders)
    const cure = 'vigil install --all-events uses hooks instead'
    troubles.set(
      `status of ${title}`,
      isSilent ? `${version} no longer writes it; ${cure}` : undefined,
    )
    clearTimeout(this.#again)
    if (this.#silent.size === 0) return
    this.#again = setTimeout(
      () => [...this.#silent.keys()].map((one) => this.#report(one)),
      AGAIN_MS,
    )
    this.#again.unref()
  }
}

/** Whether some home of the agent has hooks of vigil, but not for every event. */
function lacksEvents(id: string, version: string, folders: Folders): boolean {
  const setup = agentOf(id)?.setup
  const note = noteIn(folders)
  if (!setup || !note) return false
  const all = setup.wantedEvents(version, true)
  const own = ownPathsOf(id, folders, note.hooks)
  return Object.values(homesIn(note, id)).some((home) => {
    const installed = eventsIn(setup, home, own)
    return !all.every((event) => installed.includes(event))
  })
}

/** Commands report an unreadable note; here it must not end the daemon. */
function noteIn(folders: Folders): Note | undefined {
  try {
    return readNote(folders)
  } catch {
    return undefined
  }
}
