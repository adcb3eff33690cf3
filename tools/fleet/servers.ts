/**
 * The NATS servers that tests run, from Debian's packages into `.cache/nats/`. They are static
 * programs and run on other suites as they are; nothing is installed.
 */
import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** The oldest that vigil accepts, and the newest when this was written. */
export const NATS_SERVERS = [
  { version: '2.10.27', suite: 'trixie' },
  { version: '2.15.1', suite: 'forky' },
] as const

export type NatsVersion = (typeof NATS_SERVERS)[number]['version']

const CACHE = fileURLToPath(new URL('../../.cache/nats/', import.meta.url))

const run = promisify(execFile)

/** Path of a server that was fetched; undefined if there is none. */
export function natsServerOf(version: NatsVersion): string | undefined {
  const path = join(CACHE, version, 'usr/sbin/nats-server')
  return existsSync(path) ? path : undefined
}

/** Fetches a server unless it is there; the path of its program. */
export async function fetchNatsServer(version: NatsVersion): Promise<string> {
  const there = natsServerOf(version)
  if (there !== undefined) return there
  const suite = NATS_SERVERS.find((server) => server.version === version)?.suite ?? ''
  if (!answers('apt-get') || !answers('dpkg-deb'))
    throw new Error(
      `nats-server ${version} is a Debian package, and apt-get or dpkg-deb is missing here: ` +
        `unpack a nats-server ${version} as ${join(CACHE, version, 'usr/sbin/nats-server')}`,
    )
  const folder = join(CACHE, suite)
  const options = aptOptions(folder, suite)
  await run('apt-get', [...options, '-qq', 'update'])
  rmSync(join(folder, 'packages'), { recursive: true, force: true })
  mkdirSync(join(folder, 'packages'))
  const name = `nats-server=${version}*`
  await run('apt-get', [...options, '-qq', 'download', name], { cwd: join(folder, 'packages') })
  const [file = ''] = readdirSync(join(folder, 'packages'))
  await run('dpkg-deb', ['-x', join(folder, 'packages', file), join(CACHE, version)])
  rmSync(folder, { recursive: true, force: true })
  const path = natsServerOf(version)
  if (path === undefined) throw new Error(`the package ${file} has no usr/sbin/nats-server`)
  return path
}

/** Lists and cache of apt in a folder of their own: the machine's stay as they are. */
function aptOptions(folder: string, suite: string): string[] {
  for (const name of ['lists/partial', 'cache/archives/partial'])
    mkdirSync(join(folder, name), { recursive: true })
  const sources = join(folder, 'debian.sources')
  writeFileSync(sources, sourceOf(suite))
  return Object.entries({
    'Dir::Etc::sourcelist': sources,
    'Dir::Etc::sourceparts': '-',
    'Dir::State::lists': join(folder, 'lists'),
    'Dir::Cache': join(folder, 'cache'),
    // As root apt would change to a user who may not write here.
    'APT::Sandbox::User': '',
  }).flatMap(([key, value]) => ['-o', `${key}=${value}`])
}

/** The machine's own source of Debian, for another suite: it may be a mirror. */
function sourceOf(suite: string): string {
  const parts = '/etc/apt/sources.list.d'
  const files = existsSync(parts) ? readdirSync(parts) : []
  const stanzas = files
    .filter((file) => file.endsWith('.sources'))
    .flatMap((file) => readFileSync(join(parts, file), 'utf8').split(/\n\s*\n/))
  const own = stanzas.find((stanza) => /^URIs:.*\/debian\/?\s*$/m.test(stanza))
  const keys = '/usr/share/keyrings/debian-archive-keyring.gpg'
  const usual = `Types: deb\nURIs: http://deb.debian.org/debian\nSuites: x\nComponents: main\n`
  return (own ?? `${usual}Signed-By: ${keys}\n`).replace(/^Suites:.*$/m, `Suites: ${suite}`)
}

function answers(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
