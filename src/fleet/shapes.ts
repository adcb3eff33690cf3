import type { Session } from '../protocol/session.ts'

/** A machine of the fleet, as its founder introduced it. */
export interface Member {
  readonly machine: string
  /** A label: its host name, with a number where two machines share one. */
  readonly name: string
  /** Ed25519 public key, as an nkey of a user (`U…`): it signs, and it logs in to the server. */
  readonly signKey: string
  /** X25519 public key, base64url: what only this machine may read is encrypted with it. */
  readonly boxKey: string
  readonly joinedAt: number
}

/** The machines of the fleet, signed by the founder; a later `rev` replaces an earlier one. */
export interface Roster {
  readonly fleet: string
  readonly rev: number
  /** The machine that invites and removes. */
  readonly founder: string
  readonly members: readonly Member[]
  /** Number of the group key in force; each removal begins another. */
  readonly epoch: number
  /** The group key, encrypted for each member. */
  readonly groupKeys: Readonly<Record<string, string>>
}

/** Where not every member may see a machine's rows: their key, encrypted for those that may. */
export interface Lookers {
  readonly id: string
  readonly keys: Readonly<Record<string, string>>
}

/** What a machine says every five seconds. */
export interface Heartbeat {
  readonly name: string
  readonly version: string
  /** Random, made when the daemon starts: two runs of one machine id at once are a cloned disk. */
  readonly run: string
  readonly startedAt: number
  /** The daemon ends now: the machine is not lost, it left. */
  readonly isEnding: boolean
  readonly troubles: readonly string[]
  /** How many rows it has published, and their digest: see `RowDigest`. Empty: not all yet. */
  readonly rows: number
  readonly digest: string
}

/** A session's row on its way; its times are by the clock of the machine that wrote it. */
export interface SharedRow {
  readonly session: Session
  /** Texts were shortened to fit: the owner has the whole. */
  readonly isCut: boolean
}

/** A request to another machine: one of the API, by the caller's name. */
export interface RemoteCall {
  /** Random; a repeated id is the same call, and gets the same reply. */
  readonly id: string
  readonly method: 'GET' | 'POST'
  /** Path and query, as the machine's own API has them. */
  readonly target: string
  readonly body?: unknown
  /** By the clock of the machine that is asked. */
  readonly deadline: number
  /** A stream is sent part by part until the caller goes. */
  readonly stream?: boolean
}

/** One part of a reply. Parts are numbered, and the last says so: none can be left out unseen. */
export interface RemoteReply {
  readonly status: number
  readonly type: string
  readonly body: string
  readonly part: number
  readonly last: boolean
}

/** A row of this machine that is in the bucket; without its content it is put again. */
export interface StoredRow {
  readonly key: string
  readonly rev: number
  readonly row?: SharedRow | undefined
}
