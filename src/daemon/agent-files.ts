import type { Agent } from '../agents/agent.ts'
import { beganAt } from '../platform/began.ts'
import type { Complain, Cursor, Sink } from '../sources/arrival.ts'
import { RegistrySource } from '../sources/registry.ts'
import { ServerSource } from '../sources/servers/servers.ts'
import { TranscriptSource } from '../sources/transcripts.ts'
import type { AgentServers } from './requests/agent-servers.ts'

export interface AgentFilesOptions {
  readonly sink: Sink
  readonly complain: Complain
  readonly cursorOf: (path: string) => Cursor | undefined
  /** Whether a client of this agent runs. */
  readonly isAnyRunning: () => boolean
  readonly servers: AgentServers
  /** Sessions whose files may change at any moment, with their processes. */
  readonly busy: () => Iterable<{ readonly id: string; readonly pid: number | undefined }>
}

/** The files of one agent: status files and logs, as the agent describes them. */
export class AgentFiles {
  readonly #agent: Agent
  readonly #options: AgentFilesOptions
  readonly #registry: RegistrySource | undefined
  readonly #transcripts: TranscriptSource | undefined
  readonly servers: ServerSource | undefined
  /** Logs followed, by session. */
  readonly #followed = new Map<string, string>()

  constructor(agent: Agent, options: AgentFilesOptions) {
    const { sink, complain, cursorOf, isAnyRunning, servers } = options
    const { id, logs, statusFiles, server } = agent
    this.#agent = agent
    this.#options = options
    const shared = { sink, complain, busyPaths: () => this.#busyPaths() }
    this.#registry = statusFiles && new RegistrySource({ ...shared, agent: { id, statusFiles } })
    const requests = servers.requestsOf(id)
    this.servers =
      server && new ServerSource({ agent: { id, server }, sink, complain, isAnyRunning, requests })
    if (this.servers) servers.add(this.servers)
    this.#transcripts = logs && new TranscriptSource({ ...shared, agent: { id, logs }, cursorOf })
  }

  start(): void {
    this.#transcripts?.start()
    this.#registry?.start()
    this.servers?.start()
  }

  stop(): void {
    this.servers?.stop()
    this.#registry?.stop()
    this.#transcripts?.stop()
  }

  add(home: string): void {
    this.#registry?.add(home)
    this.servers?.add(home)
    this.#transcripts?.add(home)
  }

  remove(home: string): void {
    this.#registry?.remove(home)
    this.servers?.remove(home)
    this.#transcripts?.remove(home)
  }

  homeOf(log: string): string | undefined {
    return this.#agent.logs?.homeOf(log)
  }

  isFollowed(session: string, log: string): boolean {
    return this.#followed.get(session) === log
  }

  follow(session: string, log: string): void {
    this.leave(session)
    this.#followed.set(session, log)
    this.#transcripts?.follow(log)
  }

  leave(session: string): void {
    if (this.#followed.delete(session)) this.#transcripts?.unfollow(session)
  }

  /** Finds a client without hooks and status file by what it has written since it started. */
  find(cwd: string, start: string | undefined): void {
    const since = beganAt(start)
    const folder = this.#agent.folderOf?.(cwd)
    if (since === undefined || folder === undefined) return
    const path = this.#transcripts?.findFor(folder, since)
    if (path !== undefined) this.#transcripts?.follow(path)
  }

  /** The log of a session without hooks, by its id and its folder. */
  findOwn(session: string, cwd: string): string | undefined {
    const folder = this.#agent.folderOf?.(cwd)
    return folder === undefined ? undefined : this.#transcripts?.logOf(folder, session)
  }

  get isCaughtUp(): boolean {
    return this.#transcripts?.isCaughtUp ?? true
  }

  *#busyPaths(): Generator<string> {
    const { statusFiles } = this.#agent
    for (const { id, pid } of this.#options.busy()) {
      const path = this.#followed.get(id)
      if (path === undefined) continue
      yield path
      const home = this.homeOf(path)
      if (pid !== undefined && home !== undefined && statusFiles)
        yield `${statusFiles.folderOf(home)}/${statusFiles.nameOf(pid)}`
    }
  }
}
