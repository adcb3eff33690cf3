import { describe, expect, it } from 'vitest'
import { SessionNames } from './session-names.ts'

function fleet() {
  const open = new Set<string>()
  const names = new SessionNames((id) => open.has(id))
  const called = (id: string, base = 'payments') => {
    open.add(id)
    return names.of(id, base)
  }
  return { open, names, called }
}

describe('a session’s name', () => {
  it('[VW25] has a number where others are called so, which stays as they come and go', () => {
    const { open, called } = fleet()
    expect([called('a'), called('b'), called('c')]).toEqual([
      'payments',
      'payments 2',
      'payments 3',
    ])
    open.delete('a')
    expect([called('b'), called('c')]).toEqual(['payments 2', 'payments 3'])
    expect(called('d')).toBe('payments')
    expect(called('other', 'website')).toBe('website')
  })

  it('[VW25] stands in the row of one that is closed, though another has it by now', () => {
    const { open, names, called } = fleet()
    called('a')
    open.delete('a')
    expect(called('b')).toBe('payments')
    expect(names.of('a', 'payments')).toBe('payments')
    expect(called('a')).toBe('payments 2')
    expect(called('b')).toBe('payments')
  })

  it('[VW25] follows what it is called, and gives its number back', () => {
    const { called } = fleet()
    expect([called('a'), called('b')]).toEqual(['payments', 'payments 2'])
    expect(called('a', 'checkout')).toBe('checkout')
    expect(called('c')).toBe('payments')
    expect(called('b')).toBe('payments 2')
  })

  it('[VW25] is the same for the next daemon, whichever is asked for first', () => {
    const { names, called } = fleet()
    names.remember('a', 'payments 2')
    names.remember('b', 'payments')
    names.remember('c', 'payments x')
    expect([called('a'), called('b'), called('c')]).toEqual([
      'payments 2',
      'payments',
      'payments 3',
    ])
  })

  it('[VW25] costs the same among ten thousand of one folder', () => {
    const { called } = fleet()
    for (let i = 1; i <= 10_000; i++)
      expect(called(`s${i}`)).toBe(i === 1 ? 'payments' : `payments ${i}`)
    expect(called('s77')).toBe('payments 77')
  })
})
