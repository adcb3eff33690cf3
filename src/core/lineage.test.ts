import { describe, expect, it } from 'vitest'
import { Lineages } from './lineage.ts'

const chain = () => {
  const lineages = new Lineages()
  lineages.link('b', 'a')
  lineages.link('c', 'b')
  return lineages
}

describe('lineages', () => {
  it('[L1] sessions that follow each other have one root', () => {
    const lineages = chain()
    expect(['a', 'b', 'c', 'x'].map((id) => lineages.rootOf(id))).toEqual(['a', 'a', 'a', 'x'])
    expect(['a', 'b', 'c'].map((id) => lineages.parentOf(id))).toEqual([undefined, 'a', 'b'])
  })

  it('[L1] a link is news once, and the first parent stays', () => {
    const lineages = new Lineages()
    expect(lineages.link('b', 'a')).toBe(true)
    expect(lineages.link('b', 'a')).toBe(false)
    expect(lineages.link('b', 'z')).toBe(false)
    expect(lineages.rootOf('b')).toBe('a')
  })

  it('[L1] no session continues itself or its own successor', () => {
    const lineages = chain()
    expect(lineages.link('x', 'x')).toBe(false)
    expect(lineages.link('a', 'c')).toBe(false)
    expect(lineages.rootOf('c')).toBe('a')
  })

  it('[L1] [F1] a forgotten session between two leaves their lineage whole', () => {
    const lineages = chain()
    lineages.forget('b')
    expect(lineages.parentOf('b')).toBeUndefined()
    expect(lineages.rootOf('c')).toBe('a')
    lineages.forget('a')
    expect(lineages.rootOf('c')).toBe('c')
  })
})
