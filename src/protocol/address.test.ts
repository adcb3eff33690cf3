import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressOf, isMachineId, keyedRow, keyOf, readAddress } from './address.ts'

const MACHINE = `m${'0123456789ab'.repeat(2)}`

describe('an address', () => {
  it('[MA5] is read as it was made, whatever the session is called', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'binary' }), (id) => {
        expect(readAddress(addressOf({ machine: MACHINE, id }))).toEqual({
          machine: MACHINE,
          session: id,
        })
      }),
      { seed: 14 },
    )
    const nested = addressOf({ machine: MACHINE, id: addressOf({ machine: MACHINE, id: 'a' }) })
    expect(readAddress(nested).session).toBe(`${MACHINE}/a`)
  })

  it.each([
    ['a session’s id', '0b9a…'],
    ['a session of a recording', 'bash_approve/0b9a'],
    ['a folder', '/home/ada/engine'],
    ['too short a machine', `${MACHINE.slice(1)}/a`],
    ['too long a machine', `${MACHINE}0/a`],
    ['a machine in capitals', `${MACHINE.toUpperCase()}/a`],
    ['a machine without a session', `${MACHINE}/`],
    ['a machine alone', MACHINE],
  ])('[MA5] %s is a session of this machine as it stands', (_, text) => {
    expect(readAddress(text)).toEqual({ machine: undefined, session: text })
  })

  it('[MA5] a machine’s id has one form', () => {
    expect([MACHINE, `${MACHINE}\n`, 'm', ''].map(isMachineId)).toEqual([true, false, false, false])
  })
})

describe('[FL80] the key of a session', () => {
  it('is its id on the own machine, and its address elsewhere', () => {
    const here = { machine: MACHINE, id: 'a', own: true }
    const there = { ...here, own: false }
    expect([here, there].map(keyOf)).toEqual(['a', `${MACHINE}/a`])
    expect(keyedRow(here)).toBe(here)
    expect(keyedRow(there)).toEqual({ ...there, id: `${MACHINE}/a` })
  })
})
