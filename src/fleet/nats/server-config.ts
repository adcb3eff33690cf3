import {
  founderPermissions,
  invitePermissions,
  memberPermissions,
  type Permissions,
} from './server-permissions.ts'
import { inviteUser, isToken } from './subjects.ts'

/** Room for 30,000 rows of 8 KB. */
export const BUCKET_BYTES_MAX = 256 * 1024 * 1024

interface ServerUser {
  readonly machine: string
  /** Its public key, `U…`. */
  readonly nkey: string
}

export interface ServerInvite {
  readonly id: string
  readonly password: string
}

export interface ServerConfig {
  readonly host: string
  readonly port: number
  /** Shown to those who connect. */
  readonly name: string
  readonly storeFolder: string
  readonly bucketBytesMax?: number | undefined
  readonly fleet: string
  readonly founder: ServerUser
  /** All machines but the founder. */
  readonly members: readonly ServerUser[]
  readonly invites: readonly ServerInvite[]
  /** Paths of files. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined
}

/** Consumers are kept in memory: some hundred bytes each. */
const MEMORY_BYTES_MAX = 64 * 1024 * 1024
/** What the store needs besides the rows. */
const STORE_SPARE_BYTES = 64 * 1024 * 1024

const NKEY = /^U[A-Z2-7]{55}$/

/** SPEC FL71–FL75. The text of the file that nats-server reads; it holds passwords of invites. */
export function serverConfigText(config: ServerConfig): string {
  const { fleet, founder, members, invites } = config
  const ids = invites.map(({ id }) => id)
  const users = [
    nkeyUser(founder, founderPermissions(fleet, founder.machine, ids)),
    ...members.map((member) => nkeyUser(member, memberPermissions(fleet, member.machine))),
    ...invites.map((invite) => passwordUser(invite, invitePermissions(fleet, invite.id))),
  ]
  const storeBytes = (config.bucketBytesMax ?? BUCKET_BYTES_MAX) + STORE_SPARE_BYTES
  return [
    '# Written by vigil: changes are lost.',
    `host: ${quoted(config.host)}`,
    `port: ${config.port}`,
    `server_name: ${quoted(config.name)}`,
    // A machine that sleeps is noticed about as soon as it notices the server.
    'ping_interval: "5s"',
    'ping_max: 2',
    'write_deadline: "10s"',
    ...tlsLines(config.tls),
    'jetstream {',
    `  store_dir: ${quoted(config.storeFolder)}`,
    `  max_memory_store: ${MEMORY_BYTES_MAX}`,
    `  max_file_store: ${storeBytes}`,
    '}',
    'accounts {',
    `  ${quoted(`vigil_${fleet}`)} {`,
    '    jetstream {',
    `      max_memory: ${MEMORY_BYTES_MAX}`,
    `      max_file: ${storeBytes}`,
    '      max_streams: 1',
    '    }',
    '    users: [',
    ...users,
    '    ]',
    '  }',
    '}',
    '',
  ].join('\n')
}

function tlsLines(tls: ServerConfig['tls']): string[] {
  if (tls === undefined) return []
  const files = `cert_file: ${quoted(tls.cert)}, key_file: ${quoted(tls.key)}`
  return [`tls { ${files}, timeout: 5, min_version: "1.2" }`]
}

function nkeyUser({ nkey, machine }: ServerUser, permissions: Permissions): string {
  if (!NKEY.test(nkey)) throw new Error(`not a public key of a user: ${nkey}`)
  if (!isToken(machine)) throw new Error(`not the id of a machine: ${machine}`)
  return userLine(`nkey: ${nkey}`, permissions)
}

function passwordUser({ id, password }: ServerInvite, permissions: Permissions): string {
  if (!isToken(id)) throw new Error(`not the id of an invite: ${id}`)
  // The server would take other signs for a hash or a variable.
  if (!/^[\w-]{16,}$/.test(password)) throw new Error('an invite’s password is 16 letters or more')
  return userLine(`user: ${quoted(inviteUser(id))}, password: ${quoted(password)}`, permissions)
}

function userLine(login: string, { publish, subscribe }: Permissions): string {
  const list = (subjects: readonly string[]) => `{ allow: [${subjects.map(quoted).join(', ')}] }`
  const rights = `publish: ${list(publish)}, subscribe: ${list(subscribe)}`
  return `      { ${login}, permissions: { ${rights} } }`
}

/** The server's format knows these escapes, and no others. */
function quoted(text: string): string {
  const isPlain = [...text].every((letter) => letter >= ' ' && letter !== '\x7f')
  if (!isPlain) throw new Error('a control character in the configuration of the server')
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}
