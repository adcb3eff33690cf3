import { createHash } from 'node:crypto'
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { homedir, tmpdir, userInfo } from 'node:os'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'

/** Where vigil stores its files. Only `vigil install` writes anywhere else. */
export interface Folders {
  /** Must not be lost: the log, the hook scripts. */
  readonly data: string
  /** Could be lost: spool and logs. */
  readonly state: string
  /** As long as the daemon runs: socket, token. */
  readonly run: string
  readonly config: string
  readonly cache: string
  readonly spool: string
  readonly hooks: string
  readonly database: string
  readonly socket: string
  /** The page's socket for this user's proxies and tunnels; no other user can reach it. */
  readonly pageSocket: string
  /** Beside the log: its owner writes that log, wherever the system clears the rest. */
  readonly lock: string
  readonly token: string
  /** The daemon's announcement: pid, port, version. */
  readonly daemonFile: string
  readonly log: string
}

type Env = Readonly<Record<string, string | undefined>>

/** `VIGIL_HOME` holds everything; otherwise the XDG folders; a relative one counts as unset. */
export function foldersOf(env: Env = process.env): Folders {
  const home = env.VIGIL_HOME
  if (home) {
    const all = resolve(home)
    return within(env, all, all, join(all, 'run'), join(all, 'config'), join(all, 'cache'))
  }
  const user = env.HOME || homedir()
  const xdg = (name: string, fallback: string) => {
    const given = env[name]
    return join(given && isAbsolute(given) ? given : join(user, fallback), 'vigil')
  }
  const state = xdg('XDG_STATE_HOME', '.local/state')
  // Without the system's runtime folder, the lock and the socket are with the state.
  const runtime = env.XDG_RUNTIME_DIR
  const isFit = runtime && isAbsolute(runtime) && !isOpenToAll(runtime)
  const run = isFit ? join(runtime, 'vigil') : join(state, 'run')
  const data = xdg('XDG_DATA_HOME', '.local/share')
  return within(
    env,
    data,
    state,
    run,
    xdg('XDG_CONFIG_HOME', '.config'),
    xdg('XDG_CACHE_HOME', '.cache'),
  )
}

function within(
  env: Env,
  data: string,
  state: string,
  run: string,
  config: string,
  cache: string,
): Folders {
  const socket = socketIn(run, env)
  return {
    data,
    state,
    run,
    config,
    cache,
    spool: join(state, 'spool'),
    hooks: join(data, 'hooks'),
    database: join(data, 'vigil.db'),
    socket,
    pageSocket: join(dirname(socket), 'page.sock'),
    lock: join(data, 'daemon.lock'),
    token: join(run, 'token'),
    daemonFile: join(run, 'daemon.json'),
    log: join(state, 'vigil.log'),
  }
}

/** A socket's path holds 104 bytes on macOS and 108 on Linux, including the terminator. */
const SOCKET_PATH_MAX_BYTES = 103

/**
 * SPEC CT6. The daemon must work with a deep home: its socket is then in a folder with a short
 * name, which no other user can create first. The home folder comes before the system's runtime
 * folder: a command that `cron` or `su` starts knows the one and not the other.
 */
function socketIn(run: string, env: Env): string {
  const usual = join(run, 'vigil.sock')
  if (fits(usual)) return usual
  const name = `vigil-${createHash('sha256').update(run).digest('hex').slice(0, 16)}`
  const { XDG_RUNTIME_DIR: runtime = '', HOME } = env
  const home = HOME || homedir()
  const inHome = join(home, `.${name}`, 'vigil.sock')
  if (isOwn(home) && fits(inHome)) return inHome
  const inRuntime = join(runtime, name, 'vigil.sock')
  if (isOwn(runtime) && fits(inRuntime)) return inRuntime
  // Another user may have created this one: then a client sends nothing (CT5).
  return join(tmpdir(), `${name}-${userInfo().uid}`, 'vigil.sock')
}

/** SPEC PT10. Like WSLg's runtime folder: any user could replace what is in it. */
function isOpenToAll(folder: string): boolean {
  const found = statSync(folder, { throwIfNoEntry: false })
  return found !== undefined && (found.mode & 0o1002) === 0o002
}

function fits(path: string): boolean {
  return Buffer.byteLength(path) <= SOCKET_PATH_MAX_BYTES
}

function isOwn(folder: string): boolean {
  if (!isAbsolute(folder)) return false
  try {
    const found = statSync(folder)
    return found.isDirectory() && found.uid === (process.getuid?.() ?? found.uid)
  } catch {
    return false
  }
}

/** SPEC AN12. Where hooks wait for answers: a hook waits only if the folder exists. */
export function waitingFolder({ run }: Pick<Folders, 'run'>): string {
  return join(run, 'waiting')
}

class ForeignFolder extends Error {
  override readonly name = 'ForeignFolder'
}

/** A folder that several users share, such as /tmp, is sticky. */
const STICKY = 0o1000

/**
 * Creates a private folder; refuses one of another user, or a link to one. SPEC PF11. A shared
 * folder and one with other files are refused too: made private they would be lost to all others.
 */
export function privateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const { uid, mode } = statSync(path)
  const own = process.getuid?.() ?? uid
  const foreign = [uid, lstatSync(path).uid].find((owner) => owner !== own)
  if (foreign !== undefined)
    throw new ForeignFolder(
      `${path}: belongs to user ${foreign}, expected ${own}. If it is yours, run ` +
        `sudo chown -R ${own} ${path}; otherwise remove it or set VIGIL_HOME`,
    )
  if ((mode & STICKY) !== 0)
    throw new ForeignFolder(
      `${path}: several users share this folder, and vigil’s own must be private; set VIGIL_HOME ` +
        'to a folder of your own',
    )
  if ((mode & 0o077) === 0) return
  if (readdirSync(path).length > 0 && !isOfVigil(path) && !isBehindPrivate(path))
    throw new ForeignFolder(
      `${path}: has other files, and vigil’s own folder must be private; set VIGIL_HOME to an ` +
        'empty folder, or to a folder that only you can read',
    )
  chmodSync(path, 0o700)
}

/** No other user can reach what is in a private folder. */
function isBehindPrivate(path: string): boolean {
  const above = dirname(resolve(path))
  if (above === resolve(path)) return false
  const { uid, mode } = statSync(above)
  return (uid === process.getuid?.() && (mode & 0o077) === 0) || isBehindPrivate(above)
}

/** In no folder of the system: `/` has a `run`, and `/etc` may have a `vigil`. */
const OWN_FILES = [
  ...['vigil.db', 'vigil.log', 'vigil.sock', 'daemon.lock', 'vigil-hook'],
  // You may have written this one before vigil ran.
  join('config', 'settings.json'),
]

/** By its name below an XDG folder, or by a file in it or above it. */
function isOfVigil(path: string): boolean {
  return basename(path) === 'vigil' || hasOwnFile(resolve(path))
}

function hasOwnFile(folder: string): boolean {
  const above = dirname(folder)
  const isHere = OWN_FILES.some((name) => existsSync(join(folder, name)))
  return isHere || (above !== folder && hasOwnFile(above))
}
