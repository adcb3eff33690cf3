import { rowKeyOf } from '../../fleet/row-key.ts'
import type { BucketEntry, FleetTransport } from '../../fleet/transport.ts'
import { readAddress } from '../../protocol/address.ts'
import type { Membership } from './membership.ts'

/** SPEC FL136. Keeps the list of machines in the bucket, where this machine founded the fleet. */
export class RosterKeeper {
  readonly #membership: Membership
  readonly #transport: Pick<FleetTransport, 'put'>
  /** As the bucket has it. */
  #held: Uint8Array | undefined

  constructor(membership: Membership, transport: Pick<FleetTransport, 'put'>) {
    this.#membership = membership
    this.#transport = transport
  }

  saw({ key, value }: BucketEntry): void {
    if (key === 'roster') this.#held = value
  }

  forget(): void {
    this.#held = undefined
  }

  /** The bucket was lost, or could not be written when a machine was removed. */
  restore(): void {
    const { isFounder, roster } = this.#membership.state
    const bytes = Buffer.from(roster, 'base64url')
    if (!isFounder || (this.#held !== undefined && bytes.equals(this.#held))) return
    // If it fails, the next connection does it.
    this.#transport.put('roster', bytes).catch(() => {})
  }
}

/** SPEC FL147. What a machine has in the bucket, as long as it is a member. */
export function keysOfMachine(machine: string, addresses: Iterable<string>): readonly string[] {
  const named = [...addresses].map((address) => readAddress(address))
  const own = named.filter((name) => name.machine === machine)
  const rows = own.map(({ session }) => rowKeyOf(machine, session))
  return [...rows, `beat.${machine}`, `lookers.${machine}`]
}
