import { hostname, userInfo } from 'node:os'
import type { Command } from 'commander'
import type { Client } from '../../daemon/client/client.ts'
import { type Folders, foldersOf } from '../../home/folders.ts'
import { originFault } from '../../home/origin.ts'
import { readSettings, writeSettings } from '../../home/settings.ts'
import { BadInput } from './bad-input.ts'
import { refuseAgents } from './no-agent.ts'
import { codeFor } from './open.ts'
import { reach } from './reach.ts'
import { timeOfDay } from './time-of-day.ts'

export function addShare(program: Command): void {
  const share = program
    .command('share')
    .usage('[command]')
    .description('reach the page from another device; vigil itself stays on this machine')
    .addHelpText('after', HELP)
    .action(explain)
  share
    .command('add')
    .description('let the page be asked for under this address, too')
    .argument('<origin>', 'https:// and a name, as a browser shows it')
    .action(add)
  share
    .command('remove')
    .description('no longer; who is connected by it is cut off')
    .argument('<origin>', 'the address, or all')
    .action(remove)
  share
    .command('list')
    .description('the addresses beside 127.0.0.1')
    .option('--json', 'for programs')
    .action(list)
  share
    .command('qr')
    .description('a picture for a phone’s camera: the address with a code that signs it in')
    .argument('[origin]', 'which address, if there are several')
    .action(qr)
}

const HELP = `
Without a command: what to do, by SSH, Tailscale or a proxy of your own; and the picture for a
phone, once an address is there.

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
  say([...waysTo(port), '', ...sharedAs(origins)])
  const [first] = origins
  if (first !== undefined && process.stdout.isTTY) await show(client, first)
}

function waysTo(port: string): readonly string[] {
  const name = hostname()
  return [
    `vigil listens on 127.0.0.1:${port} on this machine, and nowhere else. To get there:`,
    '',
    'By SSH, from another computer; nothing to set here:',
    `  ssh -N -L ${port}:127.0.0.1:${port} ${userInfo().username}@${name}`,
    '  and open there what `vigil open --print` says here. If that port is taken there, take',
    '  another one, and: vigil share add http://localhost:THAT-PORT',
    '',
    'By Tailscale, from a phone:',
    `  tailscale serve --bg ${port}`,
    `  vigil share add https://${name.toLowerCase()}.YOUR-TAILNET.ts.net`,
    '',
    'By a proxy of your own, with TLS. It passes Host and Origin on as they are, and holds no',
    'answer back:',
    `  Caddy   reverse_proxy 127.0.0.1:${port}`,
    `  nginx   proxy_pass http://127.0.0.1:${port};`,
    '          proxy_set_header Host $http_host; proxy_http_version 1.1; proxy_buffering off;',
    '  vigil share add https://vigil.example.org',
  ]
}

function sharedAs(origins: readonly string[]): readonly string[] {
  if (origins.length === 0) return ['No address beside 127.0.0.1 is let in.']
  return [`Let in beside 127.0.0.1: ${origins.join(', ')}`]
}

async function add(given: string): Promise<void> {
  const origin = given.replace(/\/$/, '')
  const fault = originFault(origin)
  if (fault !== undefined) throw new BadInput(`${given}: ${fault}`)
  const folders = foldersOf()
  const { sessions } = await (await reach(folders)).sessions()
  refuseAgents(sessions, 'shares the page')
  set(folders, (now) => [...now.filter((one) => one !== origin), origin])
  say([`${origin}: let in; vigil share qr signs a phone in`])
}

async function remove(given: string): Promise<void> {
  const folders = foldersOf()
  const origin = given.replace(/\/$/, '')
  const known = originsIn(folders)
  if (origin !== 'all' && !known.includes(origin))
    throw new BadInput(`${given}: is not let in; ${sharedAs(known).join('')}`)
  set(folders, (now) => (origin === 'all' ? [] : now.filter((one) => one !== origin)))
  say([origin === 'all' ? 'no address beside 127.0.0.1 is let in' : `${origin}: no longer let in`])
}

function list({ json }: { readonly json?: boolean }): void {
  const origins = originsIn(foldersOf())
  const lines = origins.length > 0 ? origins : sharedAs(origins)
  say(json ? [JSON.stringify(origins)] : lines)
}

async function qr(wanted: string | undefined): Promise<void> {
  const folders = foldersOf()
  const origins = originsIn(folders)
  const [first, ...others] = origins
  if (first === undefined)
    throw new BadInput('no address beside 127.0.0.1 is let in; vigil share says what to do', 1)
  if (wanted === undefined && others.length > 0)
    throw new BadInput(`which one? ${origins.join(', ')}`)
  const origin = (wanted ?? first).replace(/\/$/, '')
  if (!origins.includes(origin))
    throw new BadInput(`${wanted}: is not let in; ${sharedAs(origins).join('')}`)
  await show(await reach(folders), origin)
}

async function show(client: Client, origin: string): Promise<void> {
  refuseAgents((await client.sessions()).sessions, 'signs browsers in')
  const { code, endsAt } = await codeFor(client)
  const address = `${origin}/#code=${code}`
  const { qrLines } = await import('./qr.ts')
  const colours = process.stdout.isTTY === true && process.env.TERM !== 'dumb'
  say([
    '',
    ...qrLines(address, { colours }),
    '',
    `It signs one browser in, once, until ${timeOfDay(endsAt)}:`,
    address,
  ])
}

function originsIn(folders: Folders): readonly string[] {
  return readSettings(folders).share.origins
}

function set(folders: Folders, change: (now: readonly string[]) => readonly string[]): void {
  writeSettings(folders, ({ share }) => ({ share: { origins: [...change(share.origins)] } }))
}

function say(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}
