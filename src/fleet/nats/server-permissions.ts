import { inboxOf, joinInboxOf, namesOf, watchNames } from './subjects.ts'

/** Subjects that a user may publish to and subscribe to; the server refuses all others. */
export interface Permissions {
  readonly publish: readonly string[]
  readonly subscribe: readonly string[]
}

/**
 * SPEC FL71, FL72. What a member needs, subject by subject. There is no `allow_responses`: the
 * machine that asks chooses the subject of the reply, and could have a member write where only that
 * member may.
 */
export function memberPermissions(fleet: string, machine: string): Permissions {
  const { stream, keys, call, reply, hold } = namesOf(fleet)
  const watches = watchNames(machine).flatMap((name) => [
    `$JS.API.CONSUMER.CREATE.${stream}.${name}.${keys}>`,
    `$JS.API.CONSUMER.DELETE.${stream}.${name}`,
    `$JS.FC.${stream}.${name}.*`,
  ])
  return {
    publish: [
      ...['row', 'beat', 'lookers'].map((kind) => keyOf(keys, kind, machine)),
      `${call}.*`,
      `${hold}.${machine}.*.*`,
      `${reply}.*.${machine}.*`,
      `$JS.API.STREAM.INFO.${stream}`,
      ...watches,
    ],
    subscribe: [
      `${inboxOf(machine)}.>`,
      `${call}.${machine}`,
      `${hold}.*.${machine}.*`,
      `${reply}.${machine}.*.*`,
    ],
  }
}

/** SPEC FL73. Besides: the roster, the rows of machines that left, the bucket, the invites. */
export function founderPermissions(
  fleet: string,
  machine: string,
  invites: readonly string[],
): Permissions {
  const { stream, keys, join } = namesOf(fleet)
  const own = memberPermissions(fleet, machine)
  return {
    publish: [
      ...own.publish,
      `${keys}>`,
      `$JS.API.STREAM.CREATE.${stream}`,
      ...invites.map((invite) => `${joinInboxOf(invite)}.reply`),
    ],
    subscribe: [...own.subscribe, `${join}.*`],
  }
}

/** SPEC FL75. One request to the founder, and its reply. */
export function invitePermissions(fleet: string, invite: string): Permissions {
  return {
    publish: [`${namesOf(fleet).join}.${invite}`],
    subscribe: [`${joinInboxOf(invite)}.>`],
  }
}

/**
 * SPEC FL78. On a server that vigil did not set up a machine has one user, which joins, too; the
 * founder's answers everyone who joins.
 */
export function ownServerPermissions(
  fleet: string,
  machine: string,
  isFounder: boolean,
): Permissions {
  const { join } = namesOf(fleet)
  const anyInvite = `${joinInboxOf('*')}.reply`
  if (isFounder) return founderPermissions(fleet, machine, ['*'])
  const member = memberPermissions(fleet, machine)
  return {
    publish: [...member.publish, `${join}.*`],
    subscribe: [...member.subscribe, anyInvite],
  }
}

function keyOf(keys: string, kind: string, machine: string): string {
  return kind === 'row' ? `${keys}row.${machine}.*` : `${keys}${kind}.${machine}`
}
