import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Command } from 'commander'
import { COMMAND } from '../../client/start.ts'
import { foldersOf } from '../../home/folders.ts'
import { fileText } from '../../home/read.ts'
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
import { BadInput } from './bad-input.ts'
import { out } from './output.ts'
import { reachIfRunning } from './reach.ts'
import { systemctl, unitState, whyNoSystemd } from './systemctl.ts'

export function addService(program: Command): void {
  const service = program
    .command('service')
    .usage('<command>')
    .description('run the daemon as a restricted service of your systemd user manager')
    .addHelpText('after', HELP)
  service
    .command('install')
    .description('write the units and start them; again: bring them up to date')
    .option('--port <port>', 'the port of the page, else a free one', parsePort)
    .option('--print', 'print the units, and change nothing')
    .action(install)
  service
    .command('uninstall')
    .description('stop the units and remove them; commands and hooks start the daemon again')
    .action(uninstall)
  service
    .command('status')
    .description('whether the units are installed, of this version, and running')
    .option('--json', 'one JSON object')
    .option('--print', 'print the units as they would be written')
    .action(status)
}

const HELP = `
Without a service, commands and hooks start the daemon when it is needed. As a service it starts at
login, comes back after a crash, and systemd restricts it: it can write to vigil's own folders
alone, gains no privileges, and uses only the system calls a service needs.

  vigil.service  the daemon
  vigil.socket   holds the page's port from login on, also while the daemon restarts

The restriction to vigil's own folders needs systemd 254 or newer and user namespaces; elsewhere
systemd leaves it out, and the others hold. Linux only. To start at boot and not at login:
loginctl enable-linger

Examples:
  vigil service install --print | less
  vigil service install
  systemd-analyze --user security vigil.service
  vigil service uninstall`

interface InstallOptions {
  readonly port?: number
  readonly print?: boolean
}

async function install({ port, print }: InstallOptions): Promise<void> {
  const options = await optionsOf(port)
  if (print) return printUnits(options)
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

async function uninstall(): Promise<void> {
  const folders = foldersOf()
  if (servicePort(folders) === undefined) {
    out.line('no service is installed')
    return
  }
  await systemctl('disable', '--now', SERVICE, SOCKET)
  removeUnits(folders, process.env)
  await systemctl('daemon-reload')
  out.line('removed; commands and hooks start the daemon when it is needed')
}

interface StatusOptions {
  readonly json?: boolean
  readonly print?: boolean
}

async function status({ json, print }: StatusOptions): Promise<void> {
  const options = await optionsOf()
  if (print) return printUnits(options)
  const installed = servicePort(options.folders) !== undefined
  const folder = unitFolder(options.env)
  const current = Object.entries(unitsOf(options)).every(
    ([name, text]) => fileText(join(folder, name)) === text,
  )
  const states = { service: await unitState(SERVICE), socket: await unitState(SOCKET) }
  const found = installed
    ? { installed, current, port: options.port, folder, ...states }
    : { installed }
  if (json) out.jsonLine(found)
  else out.lines(linesOf(found))
}

function linesOf(found: object): string[] {
  if (!('folder' in found)) return ['no service is installed: vigil service install']
  return Object.entries(found).map(([name, value]) => `${name.padEnd(10)}${value}`)
}

/** A port that is installed stays: signed-in browsers know it. */
async function optionsOf(port?: number): Promise<ServiceOptions> {
  const folders = foldersOf()
  const { env } = process
  const held = port ?? servicePort(folders) ?? (await freePort())
  return { folders, node: process.execPath, vigil: COMMAND, port: held, env }
}

function printUnits(options: ServiceOptions): void {
  const folder = unitFolder(options.env)
  const texts = Object.entries(unitsOf(options)).map(
    ([name, text]) => `# ${join(folder, name)}\n${text}`,
  )
  out.text(texts.join('\n'))
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

function parsePort(value: string): number {
  const port = Number(value)
  if (!Number.isInteger(port) || port < 1_024 || port > 65_535)
    throw new BadInput(`--port ${value}: expected a number from 1024 to 65535`)
  return port
}
