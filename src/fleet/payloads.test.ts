import { describe, expect, it } from 'vitest'
import { aSession } from '../../test/support/sessions.ts'
import { newMachineKeys } from './keys.ts'
import {
  heartbeatShape,
  memberShape,
  remoteCallShape,
  remoteReplyShape,
  rosterShape,
  sharedRowShape,
} from './payloads.ts'

const machine = `m${'a'.repeat(24)}`
const { signPublic, boxPublic } = newMachineKeys()
const member = { machine, name: 'box', signKey: signPublic, boxKey: boxPublic, joinedAt: 1 }
const request = { tool: 'Bash', text: 'ls', at: 3 }
const session = aSession({ id: 's', request, tasks: [{ id: 't', what: 'shell' }] })

describe('a row of another version of vigil', () => {
  it('[FL8] of the same version is read as it is', () => {
    expect(sharedRowShape.parse({ session, isCut: true })).toEqual({ session, isCut: true })
  })

  it('[FL8] loses the fields that are not known here, wherever they are', () => {
    const newer = {
      ...session,
      mood: 'good',
      request: { ...request, risk: 1 },
      tasks: [{ id: 't', what: 'shell', weight: 2 }],
    }
    expect(sharedRowShape.parse({ session: newer, isCut: false, more: 1 }).session).toEqual(session)
  })

  it('[FL8] has null, false or nothing for those that it lacks', () => {
    const { limits: _, title: __, detached: ___, asks: ____, ...older } = session
    expect(sharedRowShape.parse({ session: older }).session).toEqual(session)
    const { state: _____, id: ______, ...less } = session
    expect(sharedRowShape.safeParse({ session: less }).success).toBe(false)
  })

  it('[FL8] with a state or a word that is not known here is unknown there', () => {
    const newer = { ...session, state: 'dreaming', after: 'nap', for: 'hug' }
    expect(sharedRowShape.parse({ session: newer }).session).toMatchObject({
      state: 'unknown',
      after: null,
      for: null,
    })
  })
})

describe('what other machines send', () => {
  const roster = {
    fleet: '0123456789abcdef',
    rev: 1,
    founder: machine,
    members: [member],
    epoch: 1,
    groupKeys: { [machine]: 'x' },
  }
  const beat = { name: 'box', version: '1', run: 'r', startedAt: 1, rows: 0, digest: '' }
  const reply = { status: 200, type: '', body: '', part: 0, last: true }
  const call = { id: '12345678', method: 'GET', target: '/v1/sessions', deadline: 5 }

  it.each([
    ['a member with a key that is none', memberShape, member, { signKey: `${signPublic}A` }],
    ['a member with a box key that is none', memberShape, member, { boxKey: 'x' }],
    ['a member without a machine’s id', memberShape, member, { machine: '../x' }],
    ['a roster with a member twice', rosterShape, roster, { members: [member, member] }],
    ['a roster of no fleet', rosterShape, roster, { fleet: 'F' }],
    ['a heartbeat of 101 troubles', heartbeatShape, beat, { troubles: Array(101).fill('x') }],
    ['a heartbeat of fewer than no rows', heartbeatShape, beat, { rows: -1 }],
    ['a call by another method', remoteCallShape, call, { method: 'DELETE' }],
    ['a call to another host', remoteCallShape, call, { target: 'http://elsewhere/' }],
    ['a call to a path that cannot be decoded', remoteCallShape, call, { target: '/v1/%' }],
    ['a call to a path with a line break', remoteCallShape, call, { target: '/v1\n' }],
    ['a reply of no status', remoteReplyShape, reply, { status: 0 }],
  ])('[FL9] %s is refused', (_, shape, good, over) => {
    expect(shape.safeParse({ ...good, later: 1 }).success).toBe(true)
    expect(shape.safeParse({ ...good, ...over }).success).toBe(false)
  })
})
