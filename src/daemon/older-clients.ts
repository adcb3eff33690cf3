import type { Agent } from '../agents/agent.ts'
import { agentOf, UNNAMED_AGENT } from '../agents/index.ts'
import type { Setup } from '../agents/setup.ts'
import { isAtLeast } from '../agents/version.ts'
import type { Report } from '../core/signal.ts'
import type { Folders } from '../home/folders.ts'
import { type ClientInUse, oldestClient, versionOfProcess } from '../install/clients.ts'
import { eventsIn, type Note, readNote } from '../install/note.ts'
import { ownPathsOf } from '../install/plan.ts'
import type { Arrival } from '../sources/arrival.ts'
import type { Troubles } from './troubles.ts'

/** After the start-up. */
const FIRST_LOOK_MS = 5_000
/** While there is a trouble: how soon after `vigil install` it disappears. */
const AGAIN_MS = 10_000
/** A check reads many files: a flood of reports with new versions must not cause as many checks. */
const GAP_MS = 1_000
/** Forgetting them costs one check. */
const KNOWN_MAX = 1_000
const KEY_MAX_CHARS = 300

export interface OlderClientsOptions {
  readonly folders: Folders
  readonly troubles: Pick<Troubles, 'set'>
  readonly find?: (agent: Agent, home: string) => ClientInUse | undefined
}

/** SPEC I16. Reports a client in use that does not support what vigil wrote into its settings. */
export class OlderClients {
  readonly #options: OlderClientsOptions
  readonly #known = new Set<string>()
  readonly #wrong = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #lookedAt = 0

  constructor(options: OlderClientsOptions) {
    this.#options = options
    this.#lookIn(FIRST_LOOK_MS)
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  /** A version not seen before, in this process or in this log, triggers a check. */
  onReport({ report }: Arrival): void {
    const agent = agentOf(report.agent ?? UNNAMED_AGENT)
    const version = agent && versionIn(agent, report)
    if (version === undefined) return
    const key = `${agent?.id} ${version} ${report.pid ?? report.path}`.slice(0, KEY_MAX_CHARS)
    if (this.#known.has(key)) return
    if (this.#known.size >= KNOWN_MAX) this.#known.clear()
    this.#known.add(key)
    this.#lookIn(Math.max(0, this.#lookedAt + GAP_MS - Date.now()))
  }

  #lookIn(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#look(), ms)
    this.#timer.unref()
  }

  #look(): void {
    this.#lookedAt = Date.now()
    const { folders, troubles } = this.#options
    const found = troublesIn(folders, this.#options.find)
    for (const about of this.#wrong) if (!found.has(about)) troubles.set(about, undefined)
    this.#wrong.clear()
    for (const [about, what] of found) {
      this.#wrong.add(about)
      troubles.set(about, what)
    }
    if (found.size > 0) this.#lookIn(AGAIN_MS)
  }
}

function versionIn(agent: Agent, report: Report): string | undefined {
  const { source, alive, pid } = report
  if (source === 'process')
    return alive === true && typeof pid === 'number' ? versionOfProcess(agent, pid) : undefined
  return agent.versions?.inRecord(report.file ?? report.entry)
}

/** Commands report an unreadable note; here it must not end the daemon. */
function noteIn(folders: Folders): Pick<Note, 'agents' | 'hooks'> {
  try {
    return readNote(folders)
  } catch {
    return { agents: {}, hooks: [] }
  }
}

/** By home: what is wrong with its hooks for its oldest client. */
function troublesIn(
  folders: Folders,
  find = (agent: Agent, home: string) => oldestClient(agent, home, []),
): Map<string, string> {
  const found = new Map<string, string>()
  const note = noteIn(folders)
  for (const [id, { version: of, homes }] of Object.entries(note.agents)) {
    const agent = agentOf(id)
    if (!agent?.setup) continue
    const { title, setup } = agent
    for (const [home, place] of Object.entries(homes)) {
      const version = place.version === undefined ? of : place.version
      const oldest = find(agent, home)
      if (!oldest) continue
      const installed = eventsIn(setup, place, ownPathsOf(id, folders, note.hooks))
      const wrong = wrongFor(oldest.version, version, installed, setup)
      const client = `${title} ${oldest.version} (${oldest.seen})`
      if (wrong)
        found.set(`hooks in ${home}`, `${client} ${wrong}; run \`vigil install\` to fix this`)
    }
  }
  return found
}

/**
 * What keeps hooks that were written for another version from telling this one's state. An event
 * that only a newer client knows is a matter for the next `vigil install`, and no trouble.
 */
function wrongFor(
  version: string,
  writtenFor: string | null,
  installed: readonly string[],
  { knownEvents, wantedEvents }: Setup,
): string | undefined {
  const known = new Set(knownEvents(version))
  const unknown = installed.filter((event) => !known.has(event))
  if (unknown.length > 0) return `does not know ${unknown.join(', ')} and may ignore its settings`
  if (writtenFor === null || isAtLeast(version, writtenFor)) return undefined
  const missing = wantedEvents(version).filter((event) => !installed.includes(event))
  return missing.length > 0 ? `needs hooks for ${missing.join(', ')} too` : undefined
}
