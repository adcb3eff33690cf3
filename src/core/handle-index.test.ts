import { describe, expect, it } from 'vitest'
import { HandleIndex } from './handle-index.ts'

const known = () => {
  const where = new HandleIndex()
  for (const id of ['one', 'two']) {
    where.add(id, false)
    where.settle(id, 'folder')
  }
  where.holdPid(4711, 'one', 1_000)
  where.holdPane('%1', 'one', 1_000)
  return where
}

describe('whereabouts', () => {
  it('[L3] a pid and a pane belong to whom they were given last', () => {
    const where = known()
    expect(where.ofPid(4711)).toEqual({ session: 'one', at: 1_000 })
    where.holdPid(4711, 'two', 2_000)
    expect(where.ofPid(4711)).toEqual({ session: 'two', at: 2_000 })
    expect(where.ofPane('%1')?.session).toBe('one')
    expect([where.ofPid(1), where.ofPid(undefined), where.ofPane(undefined)]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  it('[L2] a folder may hold many sessions', () => {
    expect(known().inFolder('folder')).toEqual(['one', 'two'])
    expect(known().inFolder('elsewhere')).toEqual([])
  })

  it('[L6] knows which sessions have no screen', () => {
    const where = known()
    where.add('pane:%2', true)
    expect([...where.paneless()]).toEqual(['two'])
  })

  it('[L1] panes move to a successor', () => {
    const where = known()
    where.movePanes('one', 'two')
    expect(where.ofPane('%1')).toEqual({ session: 'two', at: 1_000 })
    expect([...where.paneless()]).toEqual([])
  })

  it('[F1] a forgotten session leaves nothing behind', () => {
    const where = known()
    where.forget('one')
    where.forget('two')
    expect([where.ofPid(4711), where.ofPane('%1')]).toEqual([undefined, undefined])
    expect(where.inFolder('folder')).toEqual([])
    expect([...where.paneless()]).toEqual([])
  })
})
