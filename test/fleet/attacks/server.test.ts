import { expect, it } from 'vitest'
import { World } from './world.ts'

const DAY_MS = 86_400_000

function changed(bytes: Uint8Array, at: number): Uint8Array {
  const copy = Buffer.from(bytes)
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}

/** What a server that was taken over does with what it has. It has no member's key. */
const ATTEMPTS: Readonly<Record<string, (world: World) => void>> = {
  'changes a byte of the head': (w) => w.tell([{ key: w.key, value: changed(w.newest.row, 20) }]),
  'changes a byte of the text': (w) => w.tell([{ key: w.key, value: changed(w.newest.row, 400) }]),
  'changes a byte of the signature': (w) => {
    w.tell([{ key: w.key, value: changed(w.newest.row, w.newest.row.length - 3) }])
  },
  'cuts a row off': (w) => w.tell([{ key: w.key, value: w.newest.row.subarray(0, -1) }]),
  'repeats a row': (w) => w.tell([{ key: w.key, value: w.newest.row }]),
  'goes back to an older row': (w) => w.tell([{ key: w.key, value: w.old.row }]),
  'goes back to an older row, as of a snapshot': (w) => {
    w.tell([{ key: w.key, value: w.old.row }], true)
  },
  'goes back to an older heartbeat, as of a snapshot': (w) => {
    w.tell([{ key: w.beatKey, value: w.old.beat }], true)
  },
  'swaps the values of two keys': (w) => {
    w.tell([
      { key: w.key, value: w.newest.beat },
      { key: w.beatKey, value: w.newest.row },
    ])
  },
  'gives a row to another machine': (w) => {
    w.tell([{ key: w.key.replace(w.owner.machine, w.attacker.machine), value: w.newest.row }])
  },
  'goes back to an older roster': (w) => w.tell([{ key: 'roster', value: w.old.roster }], true),
  'changes a byte of the roster': (w) => {
    const roster = Buffer.from(w.founder.state.roster, 'base64url')
    for (const at of [9, 200, roster.length - 1])
      w.tell([{ key: 'roster', value: changed(roster, at) }])
  },
}

it.each(Object.entries(ATTEMPTS))('[FL167] the server %s', (_, attempt) => {
  const world = new World()
  const before = world.picture()
  attempt(world)
  expect(world.picture()).toBe(before)
  world.pass(2_500)
  expect(world.picture()).toBe(before)
})

it('[FL167] the server deletes a row: what is missing is said', () => {
  const world = new World()
  world.remote.takeDeleted(
    { machine: world.owner.machine, key: world.key, storedAt: Number.MAX_SAFE_INTEGER },
    world.moment,
  )
  expect(world.row()).toBeUndefined()
  world.pass(16_000)
  const row = { key: world.key, rev: 1 }
  world.tell([{ key: world.beatKey, value: world.beatBy(world.owner, [row]) }])
  world.pass(2_000)
  expect(JSON.stringify(world.remote.machines())).toContain('rows of name3 are missing')
})

it('[FL160] the server replays a recorded day to a viewer that has just started', () => {
  const world = new World()
  const { row, beat } = world.newest
  const later = world.beatBy(world.owner, [])
  world.replies = false
  world.pass(DAY_MS)
  world.start()
  world.tell([{ key: world.key, value: row }], true)
  for (const value of [beat, later]) {
    world.tell([{ key: world.beatKey, value }])
    world.pass(5_000)
    expect(world.row()).toMatchObject({ title: 'newest', live: false })
    expect(world.row()?.stale).not.toBe(null)
  }
  expect(world.remote.machines().every(({ online }) => !online)).toBe(true)
})

it('[FL162] the server gives an older row to a viewer that has just started', () => {
  const world = new World()
  world.start()
  world.tell([{ key: world.key, value: world.old.row }], true)
  world.tell([{ key: world.beatKey, value: world.newest.beat }])
  expect(world.row()).toMatchObject({ title: 'old', live: false })
  world.pass(5_000)
  expect(world.row()?.stale).not.toBe(null)
  world.tell([{ key: world.key, value: world.newest.row }])
  expect(world.row()).toMatchObject({ title: 'newest', live: true, stale: null })
})

it('[FL160] the server holds back a machine’s heartbeats, and gives them an hour later', () => {
  const world = new World()
  const held = Array.from({ length: 3 }, () => world.beatBy(world.owner, []))
  world.pass(DAY_MS)
  expect(world.row()?.live).toBe(false)
  world.replies = false
  for (const value of held) {
    world.tell([{ key: world.beatKey, value }])
    expect(world.row()?.live).toBe(false)
    world.pass(5_000)
  }
})

it.each([DAY_MS, -DAY_MS])('[FL161] the server stamps one machine’s rows %i ms off', (ms) => {
  for (const by of ['owner', 'attacker'] as const) {
    const world = new World()
    const { since = 0 } = world.row() ?? {}
    for (let beats = 0; beats < 4; beats++) {
      for (const name of ['owner', 'attacker'] as const) {
        world.serverMs = name === by ? ms : 0
        const member = world[name]
        const value = world.beatBy(member, [])
        world.tell([{ key: `beat.${member.machine}`, value }])
      }
      world.pass(10)
    }
    expect(Math.abs((world.row()?.since ?? 0) - since)).toBeLessThan(3_100)
  }
})
