import { describe, expect, it } from 'vitest'
import { OTHER_MACHINE } from '../../../test/support/machines.ts'
import { aSession } from '../../../test/support/sessions.ts'
import { ownSession } from './own-session.ts'
import { pickSession, sessionHere } from './pick.ts'

const pay = { name: 'payments', project: 'payments', cwd: '/srv/pay', pid: 7 }
const here = aSession({ id: 'a1', host: 'laptop', ...pay })
const there = aSession({ id: 'b2', host: 'build-7', machine: OTHER_MACHINE, own: false, ...pay })
const all = [here, there]

describe('[FL86] a session of several machines', () => {
  it('is meant by the name of its machine, or its id, and its own name', () => {
    expect(pickSession(all, 'build-7/payments')).toBe(there)
    expect(pickSession(all, 'BUILD-7/pay')).toBe(there)
    expect(pickSession(all, 'laptop/payments')).toBe(here)
    expect(pickSession(all, `${OTHER_MACHINE}/payments`)).toBe(there)
    expect(pickSession(all, 'b2')).toBe(there)
  })

  it('of a name that several have is refused with the machines', () => {
    expect(() => pickSession(all, 'payments')).toThrow(/laptop\/payments.*\n.*build-7\/payments/)
    expect(() => pickSession(all, 'build-7/nobody')).toThrow(/there are\n {2}b2/)
  })

  it('is meant first by a name that has a slash of its own', () => {
    const slashed = aSession({ id: 'c3', name: 'build-7/payments' })
    expect(pickSession([...all, slashed], 'build-7/payments')).toBe(slashed)
  })

  it('is never the one here, whatever its folder and its process', () => {
    expect(pickSession([here, there], 'process:7')).toBe(here)
    expect(() => pickSession([there], 'process:7')).toThrow('no session')
    expect(ownSession([there], {}, () => [7])).toBe(undefined)
    expect(ownSession([there, here], {}, () => [7])).toBe(here)
    expect(() => sessionHere([there], () => undefined, '/srv/pay')).toThrow('no session works')
  })
})
