import { join as joinPath, resolve } from 'node:path'
import type { Command } from 'commander'
import { isProgram, searchPath } from '../../platform/programs.ts'
import {
  type FleetInvite,
  type FleetInvited,
  type FleetJoin,
  type FleetServe,
  type FleetServed,
  NATS_MISSING,
  SERVER_URL,
} from '../../protocol/fleet.ts'
import { timeOfDay } from '../../view/loop.ts'
import { plain } from '../../view/session.ts'
import { asked, BadInput } from './bad-input.ts'
import { refuseForbidden } from './forbidden.ts'
import { durationOption } from './loop-values.ts'
import { out } from './output.ts'
import { reach } from './reach.ts'

const OLD = ['--allow-old-server', 'use a server with known holes; vigil names them'] as const

/** The commands that begin a fleet and let machines in. */
export function addFleetJoining(fleet: Command): void {
  fleet
    .command('serve')
    .description('begin a fleet: write a server’s configuration and start nats-server')
    .option('--listen <host:port>', 'where the other machines reach it', '0.0.0.0:4222')
    .option('--no-tls', 'without encryption of the connection; texts are encrypted all the same')
    .option('--name <name...>', 'host names and addresses under which the others reach it')
    .option(...OLD)
    .addHelpText('after', SERVE_HELP)
    .action((options: ServeOptions) => serve(options))
  fleet
    .command('invite')
    .description('print one line that lets one machine join, once')
    .option('--look-only', 'this machine may then only look there, and not answer')
    .option('--expires <time>', 'how long the line is good, such as 30m, 1h or 2d', '1h')
    .option('--json', 'print the line and when it expires as JSON')
    .addHelpText('after', INVITE_HELP)
    .action((options: InviteOptions) => invite(options))
  fleet
    .command('join')
    .description('join a fleet by the line of `vigil fleet invite`; from then on at every start')
    .argument('[line]', 'the line, in quotes')
    .option('--server <url...>', 'a NATS server of your own, such as tls://host:4222')
    .option('--creds <file>', 'credentials for that server')
    .option('--ca <file>', 'the certificate that signed that server’s, if it is not a public one')
    .option(...OLD)
    .addHelpText('after', JOIN_HELP)
    .action((line: string | undefined, options: JoinOptions) => join(line, options))
  fleet
    .command('permissions')
    .description('print what a machine may publish and read, for a NATS server of your own')
    .argument('[machine]', 'its id, as `vigil fleet` prints it there; this machine if missing')
    .option('--json', 'print the subjects as one JSON object')
    .addHelpText('after', PERMISSIONS_HELP)
    .action(permissions)
}

const SERVE_HELP = `
Run it on a machine that the others can reach. vigil writes the server's keys, permissions and
certificate, and starts nats-server if it is installed; otherwise it says how to get it. The server
runs while vigil's daemon does; to start both after a reboot: vigil service install, and on Linux
loginctl enable-linger.

Without --name the line of an invitation has this machine's host name and its addresses.

Examples:
  vigil fleet serve --name desk.example.net
  vigil fleet serve --listen 100.64.0.7:4222 --no-tls    within a network that encrypts`

const INVITE_HELP = `
Anyone who has the line can join until it is used or expires: send it by a way that you trust. Only
the machine that began the fleet invites.

Examples:
  vigil fleet invite
  vigil fleet invite --look-only --expires 10m`

const JOIN_HELP = `
The machine connects outward and opens no port. The machine that began the fleet may then answer
here, all others may look, and none may type: vigil fleet allow changes that.

Examples:
  vigil fleet join 'vigil-fleet:…'

On a NATS server of your own, a cluster or a hosted one, begin the fleet with --server instead of a
line. Each machine that joins by a line then needs credentials of its own for that server:
  desk$    vigil fleet join --server tls://nats.example.net:4222 --creds ~/desk.creds
  laptop$  vigil fleet join 'vigil-fleet:…' --creds ~/laptop.creds
vigil fleet permissions prints what such a user must be allowed.`

const PERMISSIONS_HELP = `
Give each machine a user of its own on your server, with these permissions alone: it can then write
nothing in the name of another. A server of vigil fleet serve has them already.

Examples:
  vigil fleet permissions
  vigil fleet permissions m0123456789abcdef01234567 --json`

interface ServeOptions {
  readonly listen: string
  readonly tls: boolean
  readonly name?: readonly string[]
  readonly allowOldServer?: boolean
}

interface InviteOptions {
  readonly lookOnly?: boolean
  readonly expires: string
  readonly json?: boolean
}

export interface JoinOptions {
  readonly server?: readonly string[]
  readonly creds?: string
  readonly ca?: string
  readonly allowOldServer?: boolean
}

async function serve({ listen, tls, name = [], allowOldServer = false }: ServeOptions) {
  refuseForbidden('fleet')
  const wanted: FleetServe = { listen: listenOption(listen), tls, names: name, allowOldServer }
  const served = asked((await reach()).serveFleet(wanted)).catch((error: Error) => {
    const why = error.message.startsWith(NATS_MISSING) ? leftOutServer() : undefined
    throw why === undefined ? error : new BadInput(why, 1)
  })
  out.lines(servedLines(await served))
}

/** SPEC FL76. The daemon has only the trusted folders of PATH, so it finds no other nats-server. */
export function leftOutServer(env = process.env): string | undefined {
  const { leftOut } = searchPath(env)
  const found = leftOut.find(({ folder }) => isProgram(joinPath(folder, 'nats-server')))
  return found && `vigil does not run the nats-server in ${found.folder}, because ${found.why}`
}

const PORT_MAX = 65_535

export function listenOption(value: string): string {
  const [, host = '', port = ''] = /^(\[[^\]\s]+\]|[^:\s]+):(\d{1,5})$/.exec(value) ?? []
  if (host === '' || Number(port) < 1 || Number(port) > PORT_MAX)
    throw new BadInput(`--listen ${value}: expected an address and a port, such as 0.0.0.0:4222`)
  return value
}

export function servedLines(served: FleetServed): readonly string[] {
  const { config, urls, notes } = served
  return [
    `the server runs at ${plain(urls.join(' '), 400)}`,
    `its configuration: ${plain(config, 200)}`,
    ...notes.map((note) => plain(note, 400)),
    '',
    'Next: vigil fleet invite',
  ]
}

async function invite({ lookOnly = false, expires, json }: InviteOptions): Promise<void> {
  refuseForbidden('fleet')
  const wanted: FleetInvite = { lookOnly, expiresMs: durationOption('--expires', expires) }
  const invited = await asked((await reach()).inviteToFleet(wanted))
  if (json) out.json(invited)
  else out.lines(invitedLines(invited))
}

export function invitedLines({ line, expiresAt, ownServer }: FleetInvited): readonly string[] {
  return [
    `On the other machine, before ${timeOfDay(expiresAt)}:`,
    '',
    `vigil fleet join '${line}'${ownServer ? ' --creds FILE' : ''}`,
    ...(ownServer
      ? ['', 'FILE has its own credentials for your server: `vigil fleet permissions --help`']
      : []),
  ]
}

async function permissions(machine: string | undefined, { json }: { readonly json?: boolean }) {
  const found = await asked((await reach()).fleetPermissions(machine))
  if (json) return out.json(found)
  const listed = (subjects: readonly string[]) => subjects.map((subject) => `  ${subject}`)
  out.lines(['publish', ...listed(found.publish), 'subscribe', ...listed(found.subscribe)])
}

async function join(line: string | undefined, options: JoinOptions): Promise<void> {
  refuseForbidden('fleet')
  const wanted = joinWanted(line, options)
  const { founder, machines } = await asked((await reach()).joinFleet(wanted))
  const others = machines === 1 ? 'one machine' : `${machines} machines`
  out.line(`joined the fleet of ${plain(founder, 60)}: ${others}. \`vigil fleet\` lists them`)
}

/** SPEC FL96. The daemon has another folder: a file is named in full. */
export function joinWanted(line: string | undefined, options: JoinOptions): FleetJoin {
  const { server: servers = [], creds, ca, allowOldServer = false } = options
  if (line === undefined && servers.length === 0)
    throw new BadInput('expected the line of `vigil fleet invite`, or --server')
  if (line !== undefined && ca !== undefined)
    throw new BadInput('--ca: the line has the certificate; expected it with --server alone')
  const wrong = servers.find((url) => !SERVER_URL.test(url))
  if (wrong !== undefined)
    throw new BadInput(`--server ${wrong}: expected an address such as tls://host:4222`)
  const file = (path: string | undefined) => (path === undefined ? null : resolve(path))
  return {
    ...{ line: line?.trim() ?? null, servers, allowOldServer },
    ...{ creds: file(creds), ca: file(ca) },
  }
}
