import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Command } from 'commander'
import { COMMAND } from '../../client/start.ts'
import { foldersOf } from '../../home/folders.ts'
import { fileText } from '../../home/plain-file.ts'
import { launchAgentPath, launchAgentText } from '../../install/launchd.ts'
import {
  removeUnits,
  SERVICE,
  type ServiceOptions,
  SOCKET,
  servicePort,
  unitFolder,
  unitsOf,
  writeUnits,
} from '../../install/service.ts'
import { isServiceInstalled } from '../../install/service-installed.ts'
import { IS_MAC } from '../../platform/system.ts'
import { BadInput } from './bad-input.ts'
import { installLaunchAgent, launchAgentState, uninstallLaunchAgent } from './launchctl.ts'
import { wholeNumber } from './option-words.ts'
import { out } from './output.ts'
import { reachIfRunning } from './reach.ts'
import { systemctl, unitState, whyNoSystemd } from './systemctl.ts'

export function addService(program: Command): void {
  const service = program
    .command('service')
    .usage('<command>')
    .description('start the daemon at login, as a service of systemd or launchd')
    .addHelpText('after', HELP)
  service
    .command('install')
    .description('install and start the service; run it again to update it')
    .option(
      '--port <port>',
      'systemd: the port of the page (default: a free one)',
      wholeNumber('--port', 1_024, 65_535),
    )
    .option('--print', 'print the service files, and change nothing')
    .action(install)
  service
    .command('remove')
    .alias('uninstall')
    .description('stop the service and remove it; commands and hooks start the daemon again')
    .action(remove)
  service
    .command('status')
    .description('show whether the service is installed, up to date and running')
    .option('--json', 'one JSON object')
    .option('--print', 'print the service files')
    .action(status)
}

const HELP = `
Without a service, commands and hooks start the daemon when needed. As a service it starts at login
and restarts after a crash. On macOS the service is a launch agent. On Linux systemd also restricts
it: it can write to vigil's own folders only, gains no privileges, and uses only the system calls a
service needs.

  vigil.service  the daemon
  vigil.socket   keeps the page's port open, also while the daemon restarts

The restriction to vigil's own folders needs systemd 254 or newer and user namespaces; elsewhere
systemd ignores it and applies the others. To start at boot instead of at login:
loginctl enable-linger

Examples:
  vigil service install --print | less
  vigil service install
  systemd-analyze --user security vigil.service
  vigil service remove`

interface InstallOptions {
  readonly port?: number
  readonly print?: boolean
}

async function install({ port, print }: InstallOptions): Promise<void> {
  const options = await optionsOf(port)
  if (print) return printService(options)
  if (IS_MAC) {
    await installLaunchAgent(options)
    out.line(`installed as ${launchAgentPath(options.env)}`)
    return
  }
  const why = whyNoSystemd()
  if (why !== undefined) throw new BadInput(why, 1)
  const client = await reachIfRunning(options.folders)
  writeUnits(options)
  await client?.stop('vigil service install').catch(() => {})
  await systemctl('daemon-reload')
  await systemctl('enable', SERVICE, SOCKET)
  await systemctl('restart', SOCKET, SERVICE)
  out.line(`installed in ${unitFolder(options.env)}; the page is at port ${options.port}`)
}

async function remove(): Promise<void> {
  const folders = foldersOf()
  if (!isServiceInstalled(folders, process.env)) {
    out.line('no service is installed')
    return
  }
  if (IS_MAC) await uninstallLaunchAgent(process.env)
  else {
    await systemctl('disable', '--now', SERVICE, SOCKET)
    removeUnits(folders, process.env)
    await systemctl('daemon-reload')
  }
  out.line('removed; commands and hooks start the daemon when it is needed')
}

interface StatusOptions {
  readonly json?: boolean
  readonly print?: boolean
}

async function status({ json, print }: StatusOptions): Promise<void> {
  const options = await optionsOf()
  if (print) return printService(options)
  const found = IS_MAC ? await launchAgentState(options) : await unitsState(options)
  if (json) out.jsonLine(found)
  else out.lines(linesOf(found))
}

async function unitsState(options: ServiceOptions): Promise<object> {
  const installed = servicePort(options.folders) !== undefined
  const folder = unitFolder(options.env)
  const current = Object.entries(unitsOf(options)).every(
    ([name, text]) => fileText(join(folder, name)) === text,
  )
  const states = { service: await unitState(SERVICE), socket: await unitState(SOCKET) }
  return installed ? { installed, current, port: options.port, folder, ...states } : { installed }
}

function linesOf(found: object): string[] {
  if (!('folder' in found))
    return ['no service is installed; install it with `vigil service install`']
  return Object.entries(found).map(([name, value]) => `${name.padEnd(10)}${value}`)
}

/** Keeps an installed port, because signed-in browsers know it. */
async function optionsOf(port?: number): Promise<ServiceOptions> {
  const folders = foldersOf()
  const { env } = process
  const held = port ?? servicePort(folders) ?? (await freePort())
  return { folders, node: process.execPath, vigil: COMMAND, port: held, env }
}

function printService(options: ServiceOptions): void {
  out.text(IS_MAC ? launchAgentText(options) : unitsText(options))
}

function unitsText(options: ServiceOptions): string {
  const folder = unitFolder(options.env)
  const texts = Object.entries(unitsOf(options)).map(
    ([name, text]) => `# ${join(folder, name)}\n${text}`,
  )
  return texts.join('\n')
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0))
    })
  })
}
