/**
 * The real clients that the lab runs, from npm into `.cache/clients`. They are not dependencies of
 * the project: each has a few hundred megabytes, and only the lab needs them.
 */
import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** Each stands for the clients that behave alike; `tested`: `npm test` runs it. */
export const CLIENTS = [
  { version: '1.0.128', why: 'no registry file, ten hook events, no PermissionRequest' },
  { version: '2.0.50', why: 'no registry file; an unknown hook event silences all', tested: true },
  { version: '2.1.100', why: 'an unknown hook event opens an error at the start', tested: true },
  { version: '2.1.150', why: 'the first here with a registry file that tells a status' },
  { version: '2.1.220', why: 'a registry file, fewer hook events than the newest', tested: true },
  { version: '2.1.325', why: 'the newest when the lab was built', tested: true },
] as const

/** Those that `npm test` runs. */
export const TESTED = CLIENTS.filter((client) => 'tested' in client).map(({ version }) => version)

/** The first version here whose registry file has a status; 2.1.100 has the file without one. */
export const STATUS_SINCE = '2.1.150'

export const NEWEST = '2.1.325'

/**
 * Where clients find programs. The system's Node comes before the one that runs the lab: 1.0.128
 * does not start on Node 25 and later, which have no SlowBuffer.
 */
export const CLIENT_PATH = `/usr/local/bin:/usr/bin:/bin:${dirname(process.execPath)}`

/** An agent's client on npm. */
interface Kind {
  readonly package: string
  readonly program: string
  /** In front of the version, in the names of folders. */
  readonly prefix: string
}

const CLAUDE: Kind = { package: '@anthropic-ai/claude-code', program: 'claude', prefix: '' }
export const CODEX: Kind = { package: '@openai/codex', program: 'codex', prefix: 'codex-' }

export const CODEX_NEWEST = '0.166.0'
/** One conversation starts the client's daemon anew by another version. */
export const CODEX_BEFORE = '0.165.0'

/** One folder for each version, with the lock file it is installed by. */
const locks = fileURLToPath(new URL('clients/', import.meta.url))
const cache = fileURLToPath(new URL('../.cache/clients/', import.meta.url))
const run = promisify(execFile)

/** The program of an installed client; undefined if it is not installed. */
export function clientOf(version: string, kind = CLAUDE): string | undefined {
  const path = programIn(cachedClient(version, kind), kind)
  return existsSync(path) ? path : undefined
}

export function cachedClient(version: string, kind = CLAUDE): string {
  return join(cache, `${kind.prefix}${version}`)
}

/** Installs a client unless it is installed, and runs it once before it counts as installed. */
export async function installClient(version: string, kind = CLAUDE): Promise<string> {
  if (!/^\d+\.\d+\.\d+$/.test(version))
    throw new Error(`client ${version}: expected a version such as ${NEWEST}`)
  const installed = clientOf(version, kind)
  if (installed) return installed
  mkdirSync(cache, { recursive: true })
  // Built aside and renamed: an interrupted install must not pass for a client.
  const folder = mkdtempSync(join(cache, `.${version}-`))
  try {
    await npmInstall(folder, version, kind)
    await mustAnswer(programIn(folder, kind), version)
    takePlace(folder, cachedClient(version, kind), kind)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return programIn(cachedClient(version, kind), kind)
}

function programIn(folder: string, { program }: Kind): string {
  return join(folder, 'node_modules/.bin', program)
}

/** By its lock file; a version without one is installed as npm resolves it. */
async function npmInstall(folder: string, version: string, kind: Kind): Promise<void> {
  const lock = join(locks, `${kind.prefix}${version}`)
  const locked = existsSync(lock)
  const allowScripts = { [kind.package]: true }
  if (locked) cpSync(lock, folder, { recursive: true })
  // The client's install script puts its program in place; npm requires permission for such
  // scripts.
  else writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, allowScripts }))
  const what = locked ? ['ci'] : ['install', '--no-save', `${kind.package}@${version}`]
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  // Without a network npm would try for more than a minute.
  const soon = ['--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000']
  const args = [...what, '--prefix', folder, ...quiet, ...soon]
  await run('npm', args, { cwd: folder }).catch((error) => {
    throw new Error(`client ${version}: npm could not install it\n${endOf(error)}`)
  })
}

async function mustAnswer(program: string, version: string): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'vigil-client-'))
  const env = { HOME: home, PATH: CLIENT_PATH }
  try {
    const { stdout } = await run(program, ['--version'], { env })
    // `2.1.325 (Claude Code)`, `codex-cli 0.166.0`
    if (stdout.trim().split(' ').includes(version)) return
    throw new Error(`client ${version}: --version said ${JSON.stringify(stdout)}`)
  } catch (error) {
    throw new Error(`client ${version}: installed, but does not run\n${endOf(error)}`)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** A client that breaks prints its whole source before the error. */
const SAID_MAX_CHARACTERS = 1000

function endOf(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message: string }
  return (stderr?.trim() || message).slice(-SAID_MAX_CHARACTERS)
}

/** Two installs may race; the first to finish stays. */
function takePlace(folder: string, place: string, kind: Kind): void {
  try {
    renameSync(folder, place)
  } catch (error) {
    if (!existsSync(programIn(place, kind))) throw error
  }
}
