import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FLEET_RIGHTS } from '../protocol/constants.ts'
import { FleetError } from './errors.ts'
import { newMachineKeys } from './keys.ts'
import { REV_BLOCK, RevCounter } from './rev-counter.ts'
import { includes, rightOf } from './rights.ts'
import {
  type FleetState,
  fleetFileOf,
  readFleetState,
  removeFleetState,
  writeFleetState,
} from './state.ts'

let data: string
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'vigil-fleet-'))
})
afterEach(() => {
  rmSync(data, { recursive: true, force: true })
})

const A = `m${'a'.repeat(24)}`
const B = `m${'b'.repeat(24)}`
const keys = newMachineKeys()
const state: FleetState = {
  ...{ fleet: '0123456789abcdef', machine: A, keys, founder: B, founderKey: keys.signPublic },
  ...{ isFounder: false, urls: ['tls://hub'], tls: null, creds: null, serve: null },
  ...{ groupKeys: { 1: keys.boxPrivate }, roster: '', rights: { [B]: 'look' }, revCeiling: 5 },
  allowOldServer: false,
  lookKey: null,
  invites: [{ id: 'i', secret: 's', expiresAt: 1, lookOnly: true }],
}

describe('what a machine keeps of its fleet', () => {
  it('[FL24] is read back, is for its user alone, and is gone after leaving', () => {
    expect(readFleetState({ data }, A)).toBeUndefined()
    writeFileSync(join(data, 'machine.json'), '{}')
    writeFleetState({ data }, state)
    expect(readFleetState({ data }, A)).toEqual(state)
    expect(statSync(fleetFileOf({ data })).mode & 0o777).toBe(0o600)
    writeFileSync(`${fleetFileOf({ data })}.123`, 'half')
    removeFleetState({ data })
    expect(readdirSync(data)).toEqual(['machine.json'])
    removeFleetState({ data })
  })

  it.each([
    ['no JSON', 'x', /was changed by another program/],
    ['half of it', '{"fleet":"0123456789abcdef"}', /was changed by another program/],
    ['5 MB', ' '.repeat(5_000_000), /is larger than vigil writes it/],
    ['another machine’s', JSON.stringify({ ...state, machine: B }), /made for another machine/],
  ])('[FL25] damaged (%s) it is refused, with what to do', (_, text, why) => {
    writeFileSync(fleetFileOf({ data }), text)
    expect(() => readFleetState({ data }, A)).toThrow(why)
    expect(() => readFleetState({ data }, A)).toThrow(/run `vigil fleet leave`, then join/)
    expect(readFileSync(fleetFileOf({ data }), 'utf8')).toBe(text)
    removeFleetState({ data })
    expect(readFleetState({ data }, A)).toBeUndefined()
  })

  it('[FL25] a link or a folder in its place is refused, and not followed', () => {
    writeFileSync(join(data, 'elsewhere'), JSON.stringify(state))
    symlinkSync(join(data, 'elsewhere'), fleetFileOf({ data }))
    expect(() => readFleetState({ data }, A)).toThrow(/should be a file, and is a link/)
    removeFleetState({ data })
    expect(readdirSync(data)).toEqual(['elsewhere'])
    mkdirSync(fleetFileOf({ data }))
    expect(() => readFleetState({ data }, A)).toThrow(FleetError)
    expect(() => writeFleetState({ data }, state)).toThrow(/cannot be written \(E\w+\)/)
  })
})

describe('revisions of a machine', () => {
  it('[FL26] rise over restarts, crashes and clocks set back', () => {
    let stored = 0
    let last = -1
    for (const now of [5_000, 5_000, 1, -1, Number.NaN, 1e18, 6_000]) {
      const counter = new RevCounter(stored, now, (ceiling) => {
        stored = ceiling
      })
      for (let n = 0; n < 3; n++) {
        const rev = counter.next()
        expect(rev).toBeGreaterThan(last)
        expect(rev).toBeLessThan(stored)
        expect(Number.isSafeInteger(rev)).toBe(true)
        last = rev
      }
    }
  })

  it('[FL26] rise where the file is an old copy, if the clock goes on', () => {
    const before = new RevCounter(0, 1_000_000, () => {})
    const after = new RevCounter(0, 1_000_001, () => {})
    expect(after.next()).toBeGreaterThan(before.next())
  })

  it('[FL26] are reserved by the million, before one is used', () => {
    const ceilings: number[] = []
    const counter = new RevCounter(7, 0, (ceiling) => void ceilings.push(ceiling))
    expect(ceilings).toEqual([])
    for (let n = 0; n < REV_BLOCK; n++) counter.next()
    expect(ceilings).toEqual([7 + REV_BLOCK])
    expect([counter.next(), ceilings.length]).toEqual([7 + REV_BLOCK, 2])
    const full = new RevCounter(7, 0, () => {
      throw new FleetError('disk full')
    })
    expect(() => full.next()).toThrow('disk full')
    expect(() => full.next()).toThrow('disk full')
  })
})

describe('rights', () => {
  it('[FL27] are to answer for the founder, and to look for others, if nothing is set', () => {
    const C = `m${'c'.repeat(24)}`
    const none = { founder: B, rights: {} }
    expect([rightOf(none, B), rightOf(none, C)]).toEqual(['answer', 'look'])
    const set = { founder: B, rights: { [B]: 'look', [C]: 'type' } } as const
    expect([rightOf(set, B), rightOf(set, C)]).toEqual(['look', 'type'])
    expect(rightOf({ founder: B, rights: { [C]: 'nothing' } }, C)).toBe('nothing')
    expect(rightOf(none, 'constructor')).toBe('look')
  })

  it('[FL28] include those before them', () => {
    const table = FLEET_RIGHTS.map((right) =>
      FLEET_RIGHTS.filter((wanted) => includes(right, wanted)),
    )
    expect(table).toEqual([
      ['nothing'],
      ['nothing', 'look'],
      ['nothing', 'look', 'answer'],
      ['nothing', 'look', 'answer', 'type'],
    ])
  })
})
