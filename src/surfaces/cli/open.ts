import type { Command } from 'commander'
import type { Client } from '../../client/client.ts'
import { ageOf } from '../../view/session.ts'
import { BadInput } from './bad-input.ts'
import { out } from './output.ts'
import { reach } from './reach.ts'

interface Options {
  readonly print?: boolean
  readonly list?: boolean
  readonly forget?: string | true
  readonly json?: boolean
}

export function addOpen(program: Command): void {
  program
    .command('open')
    .description('the page in your browser, signed in')
    .option('--print', 'print the address instead of opening it')
    .option('--list', 'list the signed-in browsers')
    .option('--forget [name]', 'sign out a browser by its name, or all')
    .option('--json', 'print the address as JSON instead of opening it; with --list, the browsers')
    .addHelpText('after', HELP)
    .action((options: Options) => open(options))
}

const HELP = `
The address contains a code that signs in one browser, once, within two minutes. The browser then
stays signed in until you sign it out, do not use it for 30 days, or restart the machine.

vigil opens a file that only you can read and that redirects to the page. A browser that may not
read it (some Snap and Flatpak packages) shows an error: use --print.

Examples:
  vigil open
  vigil open --print             to copy the address into a browser
  vigil open --forget "Safari on iPhone"
  vigil open --forget all

From another device: vigil share.`

async function open({ print, list, forget, json }: Options): Promise<void> {
  const client = await reach()
  if (list) return show(client, json ?? false)
  if (forget !== undefined) return signOut(client, forget === true ? undefined : forget)
  const { address, code, endsAt, file } = await codeFor(client, { file: !print && !json })
  const signedIn = `${address}/#code=${code}`
  if (json) return out.json({ address, signIn: signedIn, endsAt })
  if (print) return out.lines([signedIn])
  if (await openedBy(file)) return out.lines([`opened ${address} in your browser`])
  out.lines([
    'vigil found no browser. Open this address yourself; it works once, within two minutes:',
    '',
    `  ${signedIn}`,
    '',
    'The address works on this machine only; for other devices see `vigil share`',
  ])
}

/** SPEC OC7. The browser gets the name of a file, so its command line shows no code. */
export async function openedBy(file: string | null): Promise<boolean> {
  const { openBrowser } = await import('./open-browser.ts')
  const { pathToFileURL } = await import('node:url')
  return file !== null && (await openBrowser(pathToFileURL(file).href))
}

/** A code, and the address that it signs in under. */
export async function codeFor(client: Client, wanted: Parameters<Client['browserCode']>[0] = {}) {
  const { address, code, endsAt, file, page } = await client.browserCode(wanted)
  if (!page) throw new BadInput('the page is not built; run `npm run page`, then `vigil stop`', 1)
  if (address === null) throw new BadInput('the daemon has no port to serve the page on', 1)
  return { address, code, endsAt, file }
}

async function show(client: Client, json: boolean): Promise<void> {
  const { browsers } = await client.browsers()
  if (json) return out.json(browsers)
  if (browsers.length === 0)
    return out.lines(['no browser is signed in; `vigil open` signs one in'])
  const now = Date.now()
  const wide = Math.max(...browsers.map(({ name }) => name.length))
  const ago = (at: number) => `${ageOf(Math.max(0, now - at))} ago`
  out.lines(
    browsers.map(
      ({ name, madeAt, seenAt }) =>
        `${name.padEnd(wide)}  used ${ago(seenAt)}, signed in ${ago(madeAt)}`,
    ),
  )
}

async function signOut(client: Client, wanted: string | undefined): Promise<void> {
  const { browsers } = await client.browsers()
  const [only, ...others] = browsers
  if (!only) return out.lines(['no browser is signed in'])
  const names = browsers.map(({ name }) => name).join(', ')
  if (wanted === undefined && others.length > 0)
    throw new BadInput(`--forget: several browsers are signed in. Name one of ${names}, or all`)
  const chosen = wanted === undefined || wanted === 'all' ? browsers : browsers.filter(isMeant)
  if (chosen.length === 0)
    throw new BadInput(`--forget ${wanted}: expected one of ${names}; or all`)
  for (const { id } of chosen) await client.forgetBrowser(id)
  out.lines(chosen.map(({ name }) => `${name}: signed out`))

  function isMeant({ name, id }: { readonly name: string; readonly id: string }): boolean {
    return name.toLowerCase() === wanted?.toLowerCase() || id === wanted
  }
}
