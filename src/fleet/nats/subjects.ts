/** Names on the server: what a member may use of them is in `server-permissions.ts`. */
export interface FleetNames {
  readonly stream: string
  /** All keys of the bucket: `$KV.<bucket>.`. */
  readonly keys: string
  /** Members ask `call`, reply to `reply`, and say on `hold` that they still listen. */
  readonly call: string
  readonly reply: string
  readonly hold: string
  readonly join: string
}

/** Watches that one machine may have at once; each has a name that only this machine may use. */
const WATCHES_MAX = 4

/** A fleet, a machine, an invite or a call: one token of a subject, without wildcards. */
const TOKEN = /^[\w-]{1,64}$/

export function isToken(text: string | undefined): text is string {
  return text !== undefined && TOKEN.test(text)
}

export function namesOf(fleet: string): FleetNames {
  if (!isToken(fleet)) throw new Error(`not the id of a fleet: ${fleet}`)
  const own = `vigil.${fleet}`
  return {
    stream: `KV_vigil_${fleet}`,
    keys: `$KV.vigil_${fleet}.`,
    call: `${own}.call`,
    reply: `${own}.reply`,
    hold: `${own}.hold`,
    join: `${own}.join`,
  }
}

/** Every name of a consumer that the machine may create. */
export function watchNames(machine: string): string[] {
  return Array.from({ length: WATCHES_MAX }, (_, slot) => `${machine}_${slot}`)
}

/** Where the server answers the machine itself; other members cannot read it. */
export function inboxOf(machine: string): string {
  return `_INBOX_${machine}`
}

export function joinInboxOf(invite: string): string {
  return `_INBOX_join.${invite}`
}

/** The user's name of an invite. */
export function inviteUser(invite: string): string {
  return `join-${invite}`
}
