import { mkdirSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { foldersNamedIn } from '../agents/index.ts'
import { daemonCommand } from '../home/daemon-command.ts'
import { type Folders, privateFolder } from '../home/folders.ts'
import { jsonInFile } from '../home/plain-file.ts'
import { writePrivate } from '../home/private-file.ts'
import { trustedPath } from '../platform/programs.ts'
import { environmentOf } from './scripts.ts'

export interface ServiceOptions {
  readonly folders: Folders
  readonly node: string
  readonly vigil: string
  /** The port of 127.0.0.1 that the socket unit holds from login on. */
  readonly port: number
  readonly env: Readonly<Record<string, string | undefined>>
}

export const SERVICE = 'vigil.service'
export const SOCKET = 'vigil.socket'

export interface Units {
  readonly [SERVICE]: string
  readonly [SOCKET]: string
}

/** SPEC PF9. The text of the units for systemd's user manager. */
export function unitsOf(options: ServiceOptions): Units {
  return { [SERVICE]: serviceText(options), [SOCKET]: socketText(options) }
}

function socketText({ port }: ServiceOptions): string {
  return `# Written by \`vigil service install\`.
[Unit]
Description=The port of vigil's page, held while the daemon restarts

[Socket]
ListenStream=127.0.0.1:${port}
ListenStream=[::1]:${port}
BindIPv6Only=ipv6-only
FileDescriptorName=page

[Install]
WantedBy=sockets.target
`
}

function serviceText(options: ServiceOptions): string {
  const { folders, node, vigil } = options
  const settings = Object.entries(variablesOf(options)).map(([name, to]) => `${name}=${to}`)
  return `# Written by \`vigil service install\`; \`vigil service remove\` removes it.
[Unit]
Description=vigil watches coding agents of this user
Requires=${SOCKET}
After=${SOCKET}

[Service]
Type=exec
ExecStart=${daemonCommand(node, vigil).map(quoted).join(' ')}
WorkingDirectory=/
${settings.map((setting) => `Environment=${quoted(setting)}`).join('\n')}
UnsetEnvironment=NODE_OPTIONS NODE_PATH LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT BASH_ENV ENV
UnsetEnvironment=OPENSSL_CONF OPENSSL_MODULES NODE_EXTRA_CA_CERTS GCONV_PATH
Restart=on-failure
RestartSec=1
${RESTRICTIONS}
${writable(folders)}

[Install]
WantedBy=default.target
Also=${SOCKET}
`
}

/** The daemon's environment. */
export function variablesOf({ folders, env }: Omit<ServiceOptions, 'port'>) {
  return { ...environmentOf(folders), ...keptOf(env), PATH: trustedPath(env) }
}

/** Variables that name other places for the files of tmux and agents. */
function keptOf(env: ServiceOptions['env']): Record<string, string> {
  const { TMUX_TMPDIR } = env
  return { ...(TMUX_TMPDIR && { TMUX_TMPDIR }), ...foldersNamedIn(env) }
}

const RESTRICTIONS = `UMask=0077
NoNewPrivileges=yes
LockPersonality=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
RestrictNamespaces=yes
# tmux and the desktop by AF_UNIX, the page and channels by AF_INET, addresses by AF_NETLINK.
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @clock @module @mount @raw-io @reboot @swap @debug @obsolete
SystemCallErrorNumber=EPERM
MemoryMax=2G
TasksMax=256
LimitCORE=0
KeyringMode=private

# These need a user namespace. systemd 254 and newer make one, older ones leave them out, and so
# does a system that forbids it. PrivateUsers is not named: then such a system would not start it.
ProtectSystem=strict
ProtectHome=read-only
ProtectHostname=yes
ProtectKernelTunables=yes
ProtectControlGroups=yes
PrivateMounts=yes

# Not set, each with its reason:
# - MemoryDenyWriteExecute: V8 writes machine code and runs it.
# - PrivateTmp: tmux has its sockets in /tmp.
# - PrivateDevices: notifications are written to terminals, /dev/pts.
# - ProtectProc, PrivatePIDs: the agents' processes are looked at.
# - CapabilityBoundingSet, ProtectClock, ProtectKernelLogs, ProtectKernelModules: they take
#   capabilities away, of which a user's process has none; it may not do that (status 218).`

/**
 * The folders that vigil writes to, and no others. The system empties the runtime folder at logout.
 */
function writable(folders: Folders): string {
  const { data, state, config, cache, run, socket } = folders
  const isRuntime = run.startsWith('/run/user/') && run.split('/').length === 5
  const all = [data, state, config, cache, ...(isRuntime ? [] : [run]), dirname(socket)]
  const paths = [...new Set(all)].filter((path) => path !== run || !isRuntime)
  const lines = paths.map((path) => `ReadWritePaths=${quoted(path)}`)
  if (!isRuntime) return lines.join('\n')
  const runtime = ['RuntimeDirectory=vigil', 'RuntimeDirectoryMode=0700']
  return [...lines, ...runtime, 'RuntimeDirectoryPreserve=yes'].join('\n')
}

/** Quotes one word of a unit file, where `%` and `$` would be replaced. */
function quoted(word: string): string {
  const safe = word.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%')
  return `"${safe.replaceAll('$', '$$$$')}"`
}

export function unitFolder({ XDG_CONFIG_HOME, HOME }: ServiceOptions['env']): string {
  const given = XDG_CONFIG_HOME && isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : undefined
  return join(given ?? join(HOME || homedir(), '.config'), 'systemd', 'user')
}

/** In vigil's own folder: a daemon with other folders is not this service. */
function markOf({ data }: Folders): string {
  return join(data, 'service.json')
}

/** The port of the installed service; undefined if none is installed for these folders. */
export function servicePort(folders: Folders): number | undefined {
  const { port } = (jsonInFile(markOf(folders)) ?? {}) as { readonly port?: number }
  return Number.isInteger(port) ? port : undefined
}

const UNIT_MODE = 0o644

export function writeUnits(options: ServiceOptions): void {
  const { folders, env, port } = options
  const { data, state, config, cache, run, socket } = folders
  // A writable folder must exist when the unit starts.
  for (const folder of [data, state, config, cache, run, dirname(socket)]) privateFolder(folder)
  mkdirSync(unitFolder(env), { recursive: true })
  for (const [name, text] of Object.entries(unitsOf(options)))
    writePrivate(join(unitFolder(env), name), text, UNIT_MODE)
  writePrivate(markOf(folders), `${JSON.stringify({ port })}\n`)
}

export function removeUnits(folders: Folders, env: ServiceOptions['env']): void {
  for (const name of [SERVICE, SOCKET]) rmSync(join(unitFolder(env), name), { force: true })
  rmSync(markOf(folders), { force: true })
}
