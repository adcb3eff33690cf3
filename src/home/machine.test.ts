import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isMachineId } from '../protocol/address.ts'
import { machineFileOf, ownMachine } from './machine.ts'

let data: string
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'vigil-machine-'))
})
afterEach(() => {
  rmSync(data, { recursive: true, force: true })
})

const laptop = () => 'laptop'
const server = () => 'server'

describe('the id of a machine', () => {
  it('[MA1] is made once, and kept for its user alone', () => {
    const { id, trouble } = ownMachine({ data })
    expect([isMachineId(id), trouble]).toEqual([true, undefined])
    expect(ownMachine({ data })).toEqual({ id })
    expect(statSync(machineFileOf({ data })).mode & 0o777).toBe(0o600)
    expect(ownMachine({ data: mkdtempSync(join(data, 'other-')) }).id).not.toBe(id)
  })

  it('[MA1] tells nothing of what the system calls itself', () => {
    ownMachine({ data }, laptop)
    expect(readFileSync(machineFileOf({ data }), 'utf8')).not.toContain('laptop')
  })

  it('[MA2] is another in a copy of the folder on another machine, and the same back home', () => {
    const { id } = ownMachine({ data }, laptop)
    const copy = join(data, 'copy')
    cpSync(machineFileOf({ data }), machineFileOf({ data: copy }), { recursive: true })
    expect(ownMachine({ data: copy }, laptop).id).toBe(id)
    const elsewhere = ownMachine({ data: copy }, server)
    expect(elsewhere.id).not.toBe(id)
    expect(elsewhere.trouble).toBeUndefined()
    expect(ownMachine({ data: copy }, laptop).id).toBe(id)
    expect(ownMachine({ data: copy }, server).id).toBe(elsewhere.id)
  })

  it('[MA2] the folder keeps those of the 32 machines that came last', () => {
    const ids = Array.from({ length: 40 }, (_, n) => ownMachine({ data }, () => `machine ${n}`).id)
    expect(new Set(ids).size).toBe(40)
    expect(ownMachine({ data }, () => 'machine 39').id).toBe(ids[39])
    expect(ownMachine({ data }, () => 'machine 8').id).toBe(ids[8])
    expect(ownMachine({ data }, () => 'machine 7').id).not.toBe(ids[7])
  })

  it.each([
    ['no JSON', 'x'],
    ['no list', '{"machines":{}}'],
    ['another id', '{"machines":[{"id":"../../etc","of":""}]}'],
    ['too long', JSON.stringify({ machines: [], more: ' '.repeat(20_000) })],
  ])('[MA3] is new, and that is said, where the file holds %s', (_, text) => {
    writeFileSync(machineFileOf({ data }), text)
    const found = ownMachine({ data })
    expect(found.trouble).toMatch(
      /was changed by another program; vigil made a new id for this machine/,
    )
    expect(ownMachine({ data })).toEqual({ id: found.id })
  })

  it('[MA3] a link in its place is not followed', () => {
    writeFileSync(join(data, 'elsewhere'), 'precious')
    symlinkSync(join(data, 'elsewhere'), machineFileOf({ data }))
    expect(ownMachine({ data }).trouble).toMatch(/expected a file, found a link/)
    expect(readFileSync(join(data, 'elsewhere'), 'utf8')).toBe('precious')
  })

  it('[MA3] lasts until the daemon ends where it cannot be kept', () => {
    mkdirSync(machineFileOf({ data }))
    const found = ownMachine({ data })
    expect(isMachineId(found.id)).toBe(true)
    expect(found.trouble).toMatch(
      /cannot be written \(EISDIR\); the next daemon will have another id/,
    )
  })
})
