import { BucketReader } from '../../../src/daemon/fleet/bucket-reader.ts'
import type { Membership } from '../../../src/daemon/fleet/membership.ts'
import { type EnvelopeHead, sealEnvelope } from '../../../src/fleet/envelope.ts'
import { RemoteMachines } from '../../../src/fleet/remote-machines.ts'
import { RowDigest } from '../../../src/fleet/row-digest.ts'
import { rowKeyOf } from '../../../src/fleet/row-key.ts'
import type { Heartbeat } from '../../../src/fleet/shapes.ts'
import type { Session } from '../../../src/protocol/session.ts'
import { machineNumber, membersOf, NOW } from '../../support/members.ts'
import { aSession } from '../../support/sessions.ts'

const ABOUT = { name: 'x', version: '1', run: 'r', startedAt: 0, isEnding: false, troubles: [] }

interface Stored {
  readonly key: string
  readonly value: Uint8Array
}

/**
 * A viewer and what it trusts: its keys, its reader, its machines. The owner has one session, whose
 * newest row and heartbeat the viewer has; the attacker is a member as well.
 */
export class World {
  readonly founder: Membership
  readonly viewer: Membership
  readonly owner: Membership
  readonly attacker: Membership
  readonly key: string
  readonly beatKey: string
  readonly old: { readonly row: Uint8Array; readonly beat: Uint8Array; readonly roster: Uint8Array }
  readonly newest: { readonly row: Uint8Array; readonly beat: Uint8Array }
  /** Whether machines reply when the viewer asks for their word. */
  replies = true
  mono = 0
  /** What the server adds to the times at which it stores. */
  serverMs = 0
  remote!: RemoteMachines
  #reader!: BucketReader
  #published: Pick<Heartbeat, 'rows' | 'digest'> = { rows: 0, digest: '' }

  constructor() {
    const [one, two, three, four] = membersOf(4).map(({ membership }) => membership)
    if (!one || !two || !three || !four) throw new Error('no fleet')
    ;[this.founder, this.viewer, this.owner, this.attacker] = [one, two, three, four]
    const [first] = membersOf(1)
    this.key = rowKeyOf(three.machine, 's')
    this.beatKey = `beat.${three.machine}`
    const oldRow = this.rowBy(three, this.key, { title: 'old' })
    const oldBeat = this.beatBy(three, [oldRow])
    const row = this.rowBy(three, this.key, { title: 'newest', state: 'working', live: true })
    const beat = this.beatBy(three, [row])
    const roster = Buffer.from(first?.membership.state.roster ?? '', 'base64url')
    this.old = { row: oldRow.bytes, beat: oldBeat, roster }
    this.newest = { row: row.bytes, beat }
    this.start()
    this.tell([
      { key: this.key, value: row.bytes },
      { key: this.beatKey, value: beat },
    ])
  }

  /** Another run of the viewer, which remembers what its file has. */
  start(): void {
    const moment = () => this.moment
    this.remote = new RemoteMachines({
      own: this.viewer.machine,
      refetch: () => {},
      ask: (machine) => {
        const at = NOW + this.mono
        if (this.replies) this.remote.prove(machine, { at, ...this.#published }, this.moment)
      },
    })
    this.remote.setMembers(this.viewer.roster.members, this.moment)
    this.#reader = new BucketReader({
      ...{ membership: this.viewer, remote: this.remote, moment },
      onOwnBeat: () => {},
      onOwnRow: () => {},
      onRoster: () => this.remote.setMembers(this.viewer.roster.members, this.moment),
    })
  }

  get moment() {
    return { mono: this.mono, wall: NOW + this.mono }
  }

  pass(ms: number): void {
    this.mono += ms
    this.remote.tick(this.moment)
  }

  tell(entries: readonly Stored[], isOld = false): void {
    const storedAt = NOW + this.mono + this.serverMs
    for (const entry of entries) this.#reader.take({ ...entry, storedAt, isOld })
  }

  row(): Session | undefined {
    return this.remote.row(`${this.owner.machine}/s`)
  }

  /** All that the viewer shows and trusts. */
  picture(): string {
    const { remote, viewer } = this
    const rows = remote.ids().map((address) => remote.row(address))
    const machines = remote.machines().map(({ id, online, troubles }) => ({ id, online, troubles }))
    const { rights, founder, founderKey, groupKeys } = viewer.state
    const kept = { rights, founder, founderKey, groupKeys, members: viewer.roster.members }
    return JSON.stringify({ rows, machines, kept }, undefined, 1)
  }

  rowBy(by: Membership, about: string, over: Partial<Session> = {}, id = 's') {
    const rev = by.nextRev()
    const row = { session: aSession({ id, ...over }), isCut: false }
    return { rev, key: about, bytes: by.seal('row', about, row, rev) }
  }

  beatBy(by: Membership, rows: readonly { key: string; rev: number }[], over = {}): Uint8Array {
    const digest = new RowDigest()
    for (const { key, rev } of rows) digest.add(key, rev)
    const published = { rows: digest.count, digest: digest.text }
    if (by === this.owner) this.#published = published
    return by.seal('beat', `beat.${by.machine}`, { ...ABOUT, ...published, ...over })
  }

  /** An envelope with any head, signed by the attacker, with the group key that it knows. */
  forged(head: Partial<EnvelopeHead>, payload: unknown): Uint8Array {
    const { attacker, owner } = this
    const { fleet, keys } = attacker.state
    const base = { fleet, machine: owner.machine, kind: 'row', about: this.key } as const
    const whole = { ...base, rev: 1e15, at: NOW, key: attacker.roster.epoch, ...head }
    return sealEnvelope(whole, payload, keys.signSeed, attacker.groupKey)
  }
}

export const STRANGER = machineNumber(77)
