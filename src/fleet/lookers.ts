import { randomBytes } from 'node:crypto'
import { KEY_BYTES, openSealed, sealFor } from './keys.ts'
import type { Lookers, Member } from './shapes.ts'

/** The key of a machine's rows, where not every member may see them. */
export interface LookKey {
  /** In the head of each row, as the epoch of the group key otherwise. */
  readonly id: string
  /** Base64url. */
  readonly key: string
  /** The machines that have it. */
  readonly given: readonly string[]
}

const ID_BYTES = 12

/**
 * SPEC FL29. The key after the members or their rights have changed; null while all may look. A
 * machine that may not look any more has the key before, so there is another.
 */
export function lookKeyFor(
  before: LookKey | null,
  members: readonly string[],
  mayLook: (machine: string) => boolean,
): LookKey | null {
  if (members.every(mayLook)) return null
  const given = members.filter(mayLook)
  const isKept = before?.given.every((machine) => given.includes(machine)) ?? false
  return before && isKept ? { ...before, given } : { ...newKey(), given }
}

function newKey(): Pick<LookKey, 'id' | 'key'> {
  const random = (bytes: number) => randomBytes(bytes).toString('base64url')
  return { id: `look-${random(ID_BYTES)}`, key: random(KEY_BYTES) }
}

/** The key, encrypted for each machine that may look. */
export function lookersOf({ id, key, given }: LookKey, members: readonly Member[]): Lookers {
  const bytes = Buffer.from(key, 'base64url')
  const lookers = members.filter(({ machine }) => given.includes(machine))
  const sealed = lookers.map(({ machine, boxKey }) => [
    machine,
    sealFor(boxKey, bytes).toString('base64url'),
  ])
  return { id, keys: Object.fromEntries(sealed) }
}

/** Undefined where this machine may not look. */
export function lookKeyIn(
  { keys }: Lookers,
  machine: string,
  boxPrivate: string,
): Buffer | undefined {
  if (!Object.hasOwn(keys, machine)) return undefined
  const key = openSealed(boxPrivate, Buffer.from(keys[machine] ?? '', 'base64url'))
  return key?.length === KEY_BYTES ? key : undefined
}
