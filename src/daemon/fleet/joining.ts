import { FleetError } from '../../fleet/errors.ts'
import { CERTIFICATE_MAX_CHARS, type Invite, readInvite } from '../../fleet/invite.ts'
import { joinRequest, readWelcome } from '../../fleet/joining.ts'
import { newMachineKeys } from '../../fleet/keys.ts'
import type { NatsLogin } from '../../fleet/nats/connection.ts'
import { groupKeyIn } from '../../fleet/roster.ts'
import type { FleetState } from '../../fleet/state.ts'
import { readRegular } from '../../home/regular-file.ts'
import { ownVersion } from '../../home/version.ts'
import { invitePassword, refusalIn } from './invites.ts'

const FILE_MAX_BYTES = 64_000
const JOIN_MAX_MS = 15_000

export interface Joining {
  readonly line: string
  readonly machine: string
  readonly name: string
  readonly now: number
  readonly creds: string | null
  readonly servers: readonly string[]
  readonly allowOldServer: boolean
}

/** SPEC FL146. Asks the founder to admit this machine. Nothing is stored unless it did. */
export async function joinedState(wanted: Joining): Promise<FleetState> {
  const { machine, name } = wanted
  const version = ownVersion()
  const invite = readInvite(wanted.line, wanted.now)
  const keys = newMachineKeys()
  const { askToJoin } = await import('../../fleet/nats/join.ts')
  const urls = wanted.servers.length > 0 ? wanted.servers : invite.urls
  const reply = await askToJoin({
    address: serverAddress(urls, invite.tls, wanted.allowOldServer),
    fleet: invite.fleet,
    invite: invite.id,
    password: invitePassword(invite.secret),
    login: wanted.creds === null ? undefined : loginBy(wanted.creds),
    request: joinRequest(invite, { machine, name, version }, keys),
    maxMs: JOIN_MAX_MS,
  })
  const refusal = refusalIn(reply)
  if (refusal !== undefined) throw new FleetError(refusal)
  const { founderKey, roster, rosterBytes } = readWelcome(reply, invite, machine, keys)
  const groupKey = groupKeyIn(roster, machine, keys.boxPrivate)
  if (!groupKey)
    throw new FleetError('The welcome has no key for this machine: ask for another line.')
  return {
    fleet: invite.fleet,
    machine,
    keys,
    founder: roster.founder,
    founderKey,
    isFounder: false,
    urls: [...urls],
    tls: invite.tls,
    creds: wanted.creds,
    serve: null,
    allowOldServer: wanted.allowOldServer,
    groupKeys: { [roster.epoch]: groupKey.toString('base64url') },
    roster: rosterBytes.toString('base64url'),
    rights: rightsBy(invite, roster.founder),
    lookKey: null,
    revCeiling: 0,
    invites: [],
  }
}

/** SPEC FL190. */
function rightsBy({ lookOnly }: Invite, founder: string): FleetState['rights'] {
  return lookOnly ? { [founder]: 'look' } : {}
}

/** Where the server is, and how it shows that it is the one. */
export function serverAddress(urls: readonly string[], ca: string | null, allowOldServer: boolean) {
  return { urls, allowOldServer, ...(ca !== null && { tls: { ca } }) }
}

/** Throws a `FleetError` where the file is none of credentials. */
export function loginBy(file: string): NatsLogin {
  const creds = textOf(file, 'a credentials file')
  if (creds.includes('BEGIN NATS USER JWT')) return { creds }
  throw new FleetError(`${file} is no credentials file: give the one that your NATS server made.`)
}

export function certificateIn(file: string): string {
  const text = textOf(file, 'a certificate')
  if (text.includes('BEGIN CERTIFICATE') && text.length <= CERTIFICATE_MAX_CHARS) return text
  throw new FleetError(`${file} is no certificate (PEM): give the one that signed the server’s.`)
}

function textOf(file: string, what: string): string {
  try {
    return readRegular(file, FILE_MAX_BYTES).toString('utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new FleetError(`${file} cannot be read (${code ?? message}): give the path of ${what}.`)
  }
}
