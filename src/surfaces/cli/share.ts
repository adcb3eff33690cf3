import { hostname, userInfo } from 'node:os'
import { dirname } from 'node:path'
import type { Command } from 'commander'
import type { Client } from '../../client/client.ts'
import { COMMAND } from '../../client/start.ts'
import { shellWord } from '../../core/shell-word.ts'
import { type Folders, foldersOf } from '../../home/folders.ts'
import { originFault } from '../../home/origin.ts'
import { readSettings, writeSettings } from '../../home/settings.ts'
import { timeOfDay } from '../../view/loop.ts'
import { BadInput } from './bad-input.ts'
import { refuseForbidden } from './forbidden.ts'
import { codeFor } from './open.ts'
import { out } from './output.ts'
import { reach } from './reach.ts'

export function addShare(program: Command): void {
  const share = program
    .command('share')
    .usage('[command]')
    .description('use the page from another device; vigil still listens on this machine only')
    .addHelpText('after', HELP)
    .action(explain)
  share
    .command('add')
    .description('allow the page to be used under this address')
    .argument('<origin>', 'https:// and a host name, as in the browser’s address bar')
    .action(add)
  share
    .command('remove')
    .description('stop allowing an address, and close its connections')
    .argument('<origin>', 'the address, or all')
    .action(remove)
  share
    .command('list')
    .description('list the allowed addresses')
    .option('--json', 'print JSON')
    .action(list)
  share
    .command('ssh')
    .description('keep an SSH tunnel to the page open; `vigil share` shows how to start it')
    .argument('<name>', 'of its socket: digits, different each time')
    .argument('<port>', 'where the tunnel begins, on the other computer', toPort)
    .action(async (name: string, port: number) => {
      refuseForbidden('sharing')
      const { openTunnel } = await import('./share-ssh.ts')
      await openTunnel(name, port)
    })
  share
    .command('qr')
    .description('show a QR code that opens the page on a phone, signed in')
    .argument('[origin]', 'which address, if several are allowed')
    .action(qr)
}

const HELP = `
Without a command, vigil explains how to use SSH, Tailscale or your own proxy.

Examples:
  vigil share add https://thinkpad.tail1234.ts.net
  vigil share qr
  vigil share remove all`

async function explain(): Promise<void> {
  const folders = foldersOf()
  const client = await reach(folders)
  const { address } = await client.health()
  const { port } = new URL(address ?? 'http://127.0.0.1:0')
  const origins = originsIn(folders)
  out.lines([...waysTo(folders.pageSocket, port), '', ...sharedAs(origins)])
  // SPEC DR14. Only `qr` makes a code: an agent may read this output.
  if (origins.length > 0) out.lines(['To sign in a phone, scan the QR code of `vigil share qr`.'])
}

/** SPEC OC5. All of them lead to the socket that no other user can open or replace. */
function waysTo(socket: string, port: string): readonly string[] {
  const name = hostname()
  return [
    'vigil listens on this machine only. Other devices reach the page through a Unix',
    'socket that only you and root can open:',
    `  ${socket}`,
    '',
    ...waysBySsh(socket, port, `${userInfo().username}@${name}`),
    '',
    'With Tailscale (1.94 or later), from a phone:',
    `  tailscale serve --bg unix:${socket}`,
    `  vigil share add https://${name.toLowerCase()}.YOUR-TAILNET.ts.net`,
    '',
    'With your own TLS proxy, which runs as you or as root, passes Host and Origin on',
    'unchanged, and does not buffer responses:',
    `  Caddy   reverse_proxy unix/${socket}`,
    `  nginx   proxy_pass http://unix:${socket};`,
    '          proxy_set_header Host $http_host; proxy_http_version 1.1; proxy_buffering off;',
    '  vigil share add https://vigil.example.org',
  ]
}

/**
 * SPEC OC10. Each time another name, and with it another socket. Both address families, because
 * browsers try ::1 first, and no command before both are bound: otherwise ssh continues with one of
 * them.
 */
function waysBySsh(socket: string, port: string, host: string): readonly string[] {
  const at = `${port}:${dirname(socket)}/$n`
  const { VIGIL_HOME } = process.env
  const home = VIGIL_HOME ? `VIGIL_HOME=${shellWord(VIGIL_HOME)} ` : ''
  const command = home + [process.execPath, COMMAND].map(shellWord).join(' ')
  return [
    'With SSH, from another computer: run this there. It prints an address for Chrome, Edge',
    'or Firefox there, which is good until you press Ctrl-C or the connection ends:',
    '  n=$(date +%s) && ssh -t -o ExitOnForwardFailure=yes \\',
    `    -L "127.0.0.1:${at}" -L "[::1]:${at}" \\`,
    `    ${host} ${command} share ssh $n ${port}`,
    '  If ssh cannot listen, that port is in use there: choose another number.',
    '  Do not forward the page’s own port: another user of that computer could take it there.',
  ]
}

function sharedAs(origins: readonly string[]): readonly string[] {
  if (origins.length === 0) return ['No other address is allowed yet.']
  return [`Allowed addresses: ${origins.join(', ')}`]
}

async function add(given: string): Promise<void> {
  const origin = given.replace(/\/$/, '')
  const fault = originFault(origin)
  if (fault !== undefined) throw new BadInput(`${given}: ${fault}`)
  refuseForbidden('sharing')
  const folders = foldersOf()
  set(folders, (now) => [...now.filter((one) => one !== origin), origin])
  out.lines([`${origin}: allowed; to sign in a phone, run \`vigil share qr\``])
}

async function remove(given: string): Promise<void> {
  const folders = foldersOf()
  const origin = given.replace(/\/$/, '')
  const known = originsIn(folders)
  if (origin !== 'all' && !known.includes(origin))
    throw new BadInput(`${given}: is not allowed; ${sharedAs(known).join('')}`)
  set(folders, (now) => (origin === 'all' ? [] : now.filter((one) => one !== origin)))
  out.lines([origin === 'all' ? 'no address is allowed' : `${origin}: no longer allowed`])
}

function list({ json }: { readonly json?: boolean }): void {
  const origins = originsIn(foldersOf())
  const lines = origins.length > 0 ? origins : sharedAs(origins)
  if (json) out.jsonLine(origins)
  else out.lines(lines)
}

async function qr(wanted: string | undefined): Promise<void> {
  refuseForbidden('sharing')
  const folders = foldersOf()
  const origins = originsIn(folders)
  const [first, ...others] = origins
  if (first === undefined)
    throw new BadInput('no address is allowed yet; `vigil share` explains how to add one', 1)
  if (wanted === undefined && others.length > 0)
    throw new BadInput(`several addresses are allowed. Name one of ${origins.join(', ')}`)
  const origin = (wanted ?? first).replace(/\/$/, '')
  if (!origins.includes(origin))
    throw new BadInput(`${wanted}: is not allowed; ${sharedAs(origins).join('')}`)
  await show(await reach(folders), origin)
}

async function show(client: Client, origin: string): Promise<void> {
  const { code, endsAt } = await codeFor(client, { origin })
  const address = `${origin}/#code=${code}`
  const { qrLines } = await import('./qr.ts')
  const colours = out.isTerminal && process.env.TERM !== 'dumb'
  out.lines([
    '',
    ...qrLines(address, { colours }),
    '',
    `It signs in one browser, once, until ${timeOfDay(endsAt)}:`,
    address,
  ])
}

function originsIn(folders: Folders): readonly string[] {
  return readSettings(folders).share.origins
}

function set(folders: Folders, change: (now: readonly string[]) => readonly string[]): void {
  writeSettings(folders, ({ share }) => ({ share: { origins: [...change(share.origins)] } }))
}

function toPort(value: string): number {
  const port = Number(value)
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port
  throw new BadInput(`${value}: expected a port, from 1 to 65535`)
}
