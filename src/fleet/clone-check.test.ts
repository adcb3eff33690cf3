import { expect, it } from 'vitest'
import { CloneCheck, type DaemonRun } from './clone-check.ts'

const FIRST = { run: 'b', startedAt: 100 }
const SECOND = { run: 'a', startedAt: 200 }

/** Hears as many different heartbeats of another run. */
function hearing(own: DaemonRun, other: DaemonRun, beats = 2, isOld = false): CloneCheck {
  const check = new CloneCheck(own)
  for (let i = 0; i < beats; i++) check.sawBeat({ ...other, at: i * 5_000, isOld }, i * 5_000)
  return check
}

it('[FL55] a daemon whose own id answers a call may not publish, until a minute later', () => {
  const check = new CloneCheck(FIRST)
  expect(check.mayPublish(0)).toBe(true)
  check.sawAnswer(1_000)
  expect(check.mayPublish(61_000)).toBe(false)
  expect(check.isCloned(61_000)).toBe(true)
  expect(check.mayPublish(61_001)).toBe(true)
})

it('[FL56] of two runs with one id the later one stops, and both know', () => {
  for (const [own, other, may] of [
    [FIRST, SECOND, true],
    [SECOND, FIRST, false],
    [{ ...FIRST, startedAt: 200 }, SECOND, false],
    [SECOND, { ...FIRST, startedAt: 200 }, true],
  ] as const) {
    const check = hearing(own, other)
    expect(check.mayPublish(5_000)).toBe(may)
    expect(check.isCloned(5_000)).toBe(true)
  }
})

it('[FL56] own heartbeats, old ones and the last of an ended run do not count', () => {
  const repeated = hearing(SECOND, FIRST, 1)
  repeated.sawBeat({ ...FIRST, at: 0, isOld: false }, 6_000)
  for (const check of [
    hearing(SECOND, SECOND),
    hearing(SECOND, FIRST, 5, true),
    hearing(SECOND, FIRST, 1),
    repeated,
  ]) {
    expect(check.mayPublish(6_000)).toBe(true)
    expect(check.isCloned(6_000)).toBe(false)
  }
})

it('[FL56] the later run publishes again when the earlier one was silent for a minute', () => {
  const check = hearing(SECOND, FIRST)
  expect(check.mayPublish(65_000)).toBe(false)
  expect(check.mayPublish(65_001)).toBe(true)
})
