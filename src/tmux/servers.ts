import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { fileNames } from '../home/plain-file.ts'
import { TmuxServer } from './server.ts'
import { ownSocketMark, realOf } from './tmux.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Reports names that appear, change or disappear in a folder, which may not exist yet. */
export type WatchFolder = (
  path: string,
  onChange: (name: string | undefined) => void,
) => { close(): void }

export interface ServersOptions {
  readonly env: Env
  readonly watch: WatchFolder
  readonly onServer: (server: TmuxServer) => void
  readonly onGone: (server: TmuxServer) => void
}

/** More than a user runs; each costs a process while a user is attached. */
const SERVERS_MAX = 64

/**
 * All tmux servers of this user: those whose sockets are where tmux puts them, and those that
 * sessions name. A new socket is a new server. tmux marks a socket executable while a client is
 * attached (seen on 3.3a), so a watch of the folder reports that too.
 */
export class TmuxServers {
  readonly #options: ServersOptions
  readonly #servers = new Map<string, { readonly server: TmuxServer; readonly mark: string }>()
  readonly #watches = new Map<string, { close(): void }>()
  readonly #named = new Set<string>()
  readonly #home: string

  constructor(options: ServersOptions) {
    this.#options = options
    this.#home = socketFolderOf(options.env)
    this.#watch(this.#home)
    this.#list()
  }

  /** A session runs in the server at this socket; returns the server if it exists. */
  name(socket: string): TmuxServer | undefined {
    const real = realOf(socket)
    if (dirname(real) !== this.#home) {
      this.#named.add(real)
      this.#watch(dirname(real))
    }
    this.#look(real)
    return this.#servers.get(real)?.server
  }

  at(socket: string): TmuxServer | undefined {
    return this.#servers.get(realOf(socket))?.server
  }

  all(): readonly TmuxServer[] {
    return [...this.#servers.values()].map(({ server }) => server)
  }

  close(): void {
    for (const watch of this.#watches.values()) watch.close()
    this.#watches.clear()
    for (const { server } of this.#servers.values()) server.close()
    this.#servers.clear()
  }

  #watch(folder: string): void {
    if (this.#watches.has(folder) || this.#watches.size >= SERVERS_MAX) return
    const onChange = (name: string | undefined) => {
      if (name === undefined) this.#list()
      else this.#onName(join(folder, name))
    }
    this.#watches.set(folder, { close: () => {} })
    this.#watches.set(folder, this.#options.watch(folder, onChange))
  }

  #onName(path: string): void {
    if (dirname(path) !== this.#home && !this.#named.has(path)) return
    this.#look(path)
    this.#servers.get(path)?.server.look()
  }

  #list(): void {
    const paths = [...pathsIn(this.#home), ...this.#named, ...this.#servers.keys()]
    for (const path of new Set(paths)) this.#look(path)
  }

  /** Whether a socket exists, and is the same as before. */
  #look(path: string): void {
    const known = this.#servers.get(path)
    const mark = ownSocketMark(path)
    if (known?.mark === mark) return
    if (known) {
      this.#servers.delete(path)
      known.server.close()
      this.#options.onGone(known.server)
    }
    if (mark === undefined || this.#servers.size >= SERVERS_MAX) return
    const server = new TmuxServer(path)
    this.#servers.set(path, { server, mark })
    this.#options.onServer(server)
    server.look()
  }
}

/** Where tmux puts the sockets of its servers. */
function socketFolderOf({ TMUX_TMPDIR }: Env): string {
  return join(realOf(TMUX_TMPDIR || '/tmp'), `tmux-${userInfo().uid}`)
}

/** This user's sockets where tmux puts them; some may have no server any more. */
export function socketsOf(env: Env): readonly string[] {
  return pathsIn(socketFolderOf(env)).filter((path) => ownSocketMark(path) !== undefined)
}

function pathsIn(folder: string): string[] {
  return fileNames(folder).map((name) => join(folder, name))
}
