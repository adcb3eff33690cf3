import { RemoteMachines } from '../../src/fleet/remote-machines.ts'
import type { RowEntry } from '../../src/fleet/remote-rows.ts'
import type { BeatEntry } from '../../src/fleet/remote-shapes.ts'
import { RowDigest } from '../../src/fleet/row-digest.ts'
import { rowKeyOf } from '../../src/fleet/row-key.ts'
import type { Heartbeat, Member } from '../../src/fleet/shapes.ts'
import type { Session } from '../../src/protocol/session.ts'
import { OTHER_MACHINE, OWN_MACHINE } from './machines.ts'
import { aSession } from './sessions.ts'

export const START = 1_800_000_000_000
export const HOUR_MS = 3_600_000
export const keyOf = (id: string) => rowKeyOf(OTHER_MACHINE, id)
export const one = `${OTHER_MACHINE}/one`

/** A viewer and one other machine, whose clock and the server's are an hour off. */
export class Rig {
  now = 0
  rev = 0
  ownerMs = HOUR_MS
  serverMs = -HOUR_MS
  wallMs = 0
  readonly refetched: string[] = []
  readonly rows: string[] = []
  published: Pick<Heartbeat, 'rows' | 'digest'> = { rows: 0, digest: '' }
  readonly asked: string[] = []
  /** Whether the machine's reply arrives, which it does at once. */
  replies = true
  readonly viewer = new RemoteMachines({
    own: OWN_MACHINE,
    refetch: (machine) => this.refetched.push(machine),
    ask: (machine) => {
      this.asked.push(machine)
      if (this.replies) this.prove()
    },
  })

  constructor() {
    this.viewer.setMembers([memberOf(OWN_MACHINE), memberOf(OTHER_MACHINE)], this.at)
    this.refetched.length = 0
    this.viewer.onRows((addresses) => this.rows.push(...addresses))
  }

  prove(lateMs = 0): void {
    const at = START + this.now - lateMs + this.ownerMs
    this.viewer.prove(OTHER_MACHINE, { at, ...this.published }, this.at)
  }

  get at() {
    return { mono: this.now, wall: START + this.now + this.wallMs }
  }

  get machine() {
    return this.viewer.machines()[0]
  }

  beat(over: Partial<Heartbeat> = {}, ageMs = 0, isOld = false): void {
    this.published = { rows: over.rows ?? 0, digest: over.digest ?? '' }
    this.viewer.takeBeat(this.beatOf(over, ageMs, isOld), this.at)
  }

  beatOf(over: Partial<Heartbeat> = {}, ageMs = 0, isOld = false): BeatEntry {
    const about = { name: 'x', version: '9.9', run: 'r', startedAt: 0, isEnding: false }
    const beat = { ...about, troubles: [], rows: 0, digest: '', ...over }
    return { ...this.origin(ageMs, isOld), beat }
  }

  /** It was removed, and joined again. */
  rejoin(signKey: string): void {
    const back = { ...memberOf(OTHER_MACHINE), signKey }
    this.viewer.setMembers([memberOf(OWN_MACHINE), back], this.at)
  }

  rowOf(id: string, over: Partial<Session> = {}, rev?: number): RowEntry {
    const row = { session: aSession({ id, ...over }), isCut: false }
    const origin = this.origin()
    return { ...origin, rev: rev ?? origin.rev, key: keyOf(id), row }
  }

  take(id: string, over: Partial<Session> = {}, rev?: number): RowEntry {
    const entry = this.rowOf(id, over, rev)
    this.viewer.takeRow(entry, this.at)
    return entry
  }

  origin(ageMs = 0, isOld = false) {
    this.rev += 1
    const stored = START + this.now - ageMs
    const times = { at: stored + this.ownerMs, storedAt: stored + this.serverMs }
    return { machine: OTHER_MACHINE, rev: this.rev, ...times, isOld }
  }

  pass(ms: number): void {
    this.now += ms
    this.viewer.tick(this.at)
  }
}

export function memberOf(machine: string): Member {
  const name = machine === OWN_MACHINE ? 'here' : 'there'
  return { machine, name, signKey: '', boxKey: '', joinedAt: 0 }
}

export function digestOf(entries: readonly RowEntry[]): Pick<Heartbeat, 'rows' | 'digest'> {
  const digest = new RowDigest()
  for (const { key, rev } of entries) digest.add(key, rev)
  return { rows: digest.count, digest: digest.text }
}
