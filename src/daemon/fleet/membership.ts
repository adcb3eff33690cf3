import {
  checkEnvelope,
  type EnvelopeExpectation,
  type EnvelopeHead,
  type EnvelopeKind,
  type OpenedEnvelope,
  openEnvelope,
  sealEnvelope,
} from '../../fleet/envelope.ts'
import { lookersOf, lookKeyFor, lookKeyIn } from '../../fleet/lookers.ts'
import { RevCounter } from '../../fleet/rev-counter.ts'
import { rightOf } from '../../fleet/rights.ts'
import { groupKeyIn, verifyRoster } from '../../fleet/roster.ts'
import type { Lookers, Member, Roster } from '../../fleet/shapes.ts'
import type { FleetState } from '../../fleet/state.ts'
import type { Right } from '../../protocol/constants.ts'
import { Problem } from '../problem.ts'

/** What an envelope must be; the fleet and its keys are known here. */
export interface ExpectedEnvelope {
  readonly kind: EnvelopeKind
  readonly about: string
  readonly machine?: string
}

/** What a fleet's keys are stored in. */
export interface StateFile {
  write(state: FleetState): void
}

/**
 * This machine's place in its fleet: its keys, the other members, and what they may do here. Signs
 * and encrypts what leaves, checks what comes.
 */
export class Membership {
  readonly machine: string
  readonly #file: StateFile
  readonly #now: () => number
  readonly #revs: RevCounter
  #state: FleetState
  #roster: Roster
  #members: ReadonlyMap<string, Member>
  /** Of other machines' rows, as their lists of lookers gave them. */
  readonly #lookKeys = new Map<string, { readonly id: string; readonly bytes: Buffer }>()
  /** One object for each: keys that are derived from it are known by it. */
  readonly #groupKeys = new Map<number, { readonly text: string; readonly key: Buffer }>()

  #ownLookKey: { readonly id: string; readonly bytes: Buffer } | undefined

  constructor(state: FleetState, file: StateFile, now: () => number) {
    this.#state = state
    this.#file = file
    this.#now = now
    this.machine = state.machine
    this.#ownLookKey = bytesOf(state.lookKey)
    this.#roster = rosterIn(state)
    this.#members = byMachine(this.#roster)
    this.#revs = new RevCounter(state.revCeiling, now(), (revCeiling) =>
      this.change({ revCeiling }),
    )
  }

  get state(): FleetState {
    return this.#state
  }

  get roster(): Roster {
    return this.#roster
  }

  get groupKey(): Buffer {
    const key = this.#groupKeyOf(this.#roster.epoch)
    if (key === undefined) throw new Error('this machine has no key of its fleet')
    return key
  }

  isMember(machine: string): boolean {
    return this.#members.has(machine)
  }

  nameOf(machine: string): string {
    return this.#members.get(machine)?.name ?? machine
  }

  /** Undefined if no member, or several, have this id or name. */
  find(text: string): Member | undefined {
    const named = this.#roster.members.filter(({ name }) => name === text)
    return this.#members.get(text) ?? (named.length === 1 ? named[0] : undefined)
  }

  mustFind(text: string): Member {
    const member = this.find(text)
    if (member) return member
    throw new Problem(404, `machine: no machine of the fleet is called ${JSON.stringify(text)}`)
  }

  mustBeFounder(does: string): void {
    if (this.#state.isFounder) return
    const name = this.nameOf(this.#roster.founder)
    throw new Problem(409, `only ${name}, which founded the fleet, ${does}; run it there`)
  }

  rightOf(machine: string): Right {
    return this.isMember(machine) ? rightOf(this.#state, machine) : 'nothing'
  }

  change(changed: Partial<FleetState>): void {
    const next = { ...this.#state, ...changed }
    this.#file.write(next)
    this.#state = next
  }

  nextRev(): number {
    return this.#revs.next()
  }

  seal(kind: EnvelopeKind, about: string, payload: unknown, rev = this.nextRev()): Buffer {
    const { fleet, keys } = this.#state
    const at = this.#now()
    // SPEC FL29. Only rows are kept from members.
    const { key, bytes } = kind === 'row' ? this.#rowKey() : this.#presentKey()
    const head: EnvelopeHead = { fleet, machine: this.machine, kind, about, rev, at, key }
    return sealEnvelope(head, payload, keys.signSeed, bytes)
  }

  /** The key in the head of rows that are sealed now. */
  get rowKey(): number | string {
    return this.#rowKey().key
  }

  /** SPEC FL29. After the members or their rights have changed. */
  renewLookKey(): void {
    const { lookKey } = this.#state
    const others = [...this.#members.keys()].filter((machine) => machine !== this.machine)
    const mayLook = (machine: string) => this.rightOf(machine) !== 'nothing'
    const next = lookKeyFor(lookKey, others, mayLook)
    if (JSON.stringify(next) === JSON.stringify(lookKey)) return
    this.change({ lookKey: next })
    this.#ownLookKey = bytesOf(next)
  }

  /** Undefined while every member may look. */
  get lookers(): Lookers | undefined {
    const { lookKey } = this.#state
    return lookKey ? lookersOf(lookKey, this.#roster.members) : undefined
  }

  /** SPEC FL29. Returns whether this machine may see the other's rows. */
  takeLookers(machine: string, lookers: Lookers | undefined): boolean {
    this.#lookKeys.delete(machine)
    if (!lookers) return true
    const bytes = lookKeyIn(lookers, this.machine, this.#state.keys.boxPrivate)
    if (bytes) this.#lookKeys.set(machine, { id: lookers.id, bytes })
    return bytes !== undefined
  }

  #presentKey() {
    return { key: this.#roster.epoch as number | string, bytes: this.groupKey }
  }

  #rowKey() {
    const own = this.#ownLookKey
    return own ? { key: own.id, bytes: own.bytes } : this.#presentKey()
  }

  open(bytes: Uint8Array, expected: ExpectedEnvelope): OpenedEnvelope {
    return openEnvelope(bytes, this.#expectation(expected))
  }

  /** SPEC FL170. Checks the signature on another thread. */
  check(
    bytes: Uint8Array,
    expected: ExpectedEnvelope,
    then: (open: () => OpenedEnvelope) => void,
  ): void {
    checkEnvelope(bytes, this.#expectation(expected), then)
  }

  /** SPEC FL136. A later roster of the founder replaces this one. Returns whether it did. */
  takeRoster(bytes: Uint8Array): boolean {
    const { fleet, founderKey, keys, groupKeys, rights } = this.#state
    const minRev = this.#roster.rev + 1
    const verified = verifyRoster(bytes, { fleet, founderKey, minRev })
    if (!verified.ok) return false
    const { roster } = verified
    const key = groupKeyIn(roster, this.machine, keys.boxPrivate)
    const own = key && { [roster.epoch]: key.toString('base64url') }
    const members = byMachine(roster)
    // SPEC FL163. A machine that comes back with other keys may be another one.
    const isSame = (id: string) => members.get(id)?.signKey === this.#members.get(id)?.signKey
    const kept = Object.entries(rights).filter(([id]) => members.has(id) && isSame(id))
    this.change({
      rights: Object.fromEntries(kept),
      roster: Buffer.from(bytes).toString('base64url'),
      groupKeys: { ...groupKeys, ...own },
    })
    this.#roster = roster
    this.#members = members
    return true
  }

  #expectation(expected: ExpectedEnvelope): EnvelopeExpectation {
    return {
      ...expected,
      fleet: this.#state.fleet,
      signKeyOf: (machine) => this.#members.get(machine)?.signKey,
      groupKeyOf: (key) =>
        typeof key === 'number' ? this.#groupKeyOf(key) : this.#lookKeyOf(expected.machine, key),
    }
  }

  #lookKeyOf(machine: string | undefined, id: string): Buffer | undefined {
    if (machine === this.machine && this.#ownLookKey?.id === id) return this.#ownLookKey.bytes
    const known = machine === undefined ? undefined : this.#lookKeys.get(machine)
    return known?.id === id ? known.bytes : undefined
  }

  #groupKeyOf(epoch: number): Buffer | undefined {
    const text = this.#state.groupKeys[String(epoch)]
    const known = this.#groupKeys.get(epoch)
    if (text === undefined || known?.text === text) return known?.key
    const key = Buffer.from(text, 'base64url')
    this.#groupKeys.set(epoch, { text, key })
    return key
  }
}

function bytesOf(lookKey: FleetState['lookKey']) {
  return lookKey ? { id: lookKey.id, bytes: Buffer.from(lookKey.key, 'base64url') } : undefined
}

function byMachine({ members }: Roster): ReadonlyMap<string, Member> {
  return new Map(members.map((member) => [member.machine, member]))
}

function rosterIn({ fleet, founderKey, roster }: FleetState): Roster {
  const verified = verifyRoster(Buffer.from(roster, 'base64url'), { fleet, founderKey })
  if (verified.ok) return verified.roster
  throw new Error(`the fleet’s list of machines is damaged (${verified.why})`)
}
