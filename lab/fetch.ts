/**
 * `npm run clients [-- VERSION…]`: fetches what the tests need besides the project's dependencies,
 * from npm into `.cache/`: the agents' clients, and the detector that vigil is compared with.
 *
 * Exit code 1: something could not be installed; 3: there is no network.
 */
import { CODEX, CODEX_BEFORE, CODEX_NEWEST, clientOf, installClient, TESTED } from './clients.ts'
import { ccmanager } from './peers/ccmanager.ts'

interface Wanted {
  readonly name: string
  readonly isThere: () => boolean | Promise<boolean>
  readonly fetch: () => Promise<unknown>
  /** Tests that need it skip themselves where it is missing, and say so. */
  readonly optional?: true
}

/** What npm prints without a network. */
const NO_NETWORK =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH)\b|ERR_SOCKET/

const NO_NETWORK_CODE = 3

/** A client is hundreds of megabytes: this shows that the download goes on. */
const PROGRESS_EVERY_MS = 5_000

const versions = process.argv.slice(2)
const clients = (versions.length > 0 ? versions : TESTED).map(clientWanted)
const codex = [CODEX_NEWEST, CODEX_BEFORE].map(codexWanted)
const all = versions.length > 0 ? clients : [...clients, ...codex, detectorWanted()]

for (const [index, wanted] of all.entries()) {
  const said = await get(wanted, `${index + 1}/${all.length} ${wanted.name}`)
  if (said === undefined) continue
  process.stderr.write(`${said}\n`)
  if (wanted.optional) continue
  process.exitCode = NO_NETWORK.test(said) ? NO_NETWORK_CODE : 1
  // The next one would wait in vain as long as this one did.
  break
}

/** Undefined if it is installed in the end, otherwise the error. */
async function get({ isThere, fetch }: Wanted, title: string): Promise<string | undefined> {
  if (await isThere()) {
    process.stdout.write(`${title}: is there\n`)
    return undefined
  }
  const begun = performance.now()
  const tell = (words: string) => {
    const seconds = Math.round((performance.now() - begun) / 1000)
    process.stdout.write(`${title}: ${words} ${seconds} s\n`)
  }
  process.stdout.write(`${title}: installing …\n`)
  const progress = setInterval(() => tell('still installing,'), PROGRESS_EVERY_MS)
  try {
    await fetch()
    tell('installed in')
    return undefined
  } catch (error) {
    return (error as Error).message
  } finally {
    clearInterval(progress)
  }
}

function clientWanted(version: string): Wanted {
  const isThere = () => clientOf(version) !== undefined
  return { name: `client ${version}`, isThere, fetch: () => installClient(version) }
}

function codexWanted(version: string): Wanted {
  const isThere = () => clientOf(version, CODEX) !== undefined
  return { name: `Codex ${version}`, isThere, fetch: () => installClient(version, CODEX) }
}

function detectorWanted(): Wanted {
  const isThere = async () => 'judge' in (await ccmanager(false))
  const fetch = async () => {
    const peer = await ccmanager(true)
    if ('absent' in peer) throw new Error(`${peer.name}: ${peer.absent}`)
  }
  return { name: 'ccmanager', isThere, fetch, optional: true }
}
