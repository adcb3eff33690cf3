import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Report } from '../core/signal.ts'
import { trim } from './trim.ts'

const report = (fields: object): Report => ({ t: 1, source: 'hook', ...fields })

describe('what the log keeps of a report', () => {
  it('[K5] is the report itself when nothing in it is long', () => {
    const short = report({ payload: { prompt: 'x'.repeat(4000), list: [1, null, { a: true }] } })
    expect(trim(short)).toEqual(short)
  })

  it('[K5] is the beginning of each long text', () => {
    const kept = trim(report({ payload: { tool_response: { stdout: 'x'.repeat(50_000_000) } } }))
    const { stdout } = (kept.payload as { tool_response: { stdout: string } }).tool_response
    expect(stdout).toHaveLength(4_001)
    expect(stdout.endsWith('…')).toBe(true)
  })

  it('[K5] is a whole screen', () => {
    const screen = trim({ t: 1, source: 'screen', pane: '%0', text: 'x'.repeat(30_000) })
    expect(screen.text).toHaveLength(30_000)
  })

  it('[K5] stays bounded, however many texts it holds', () => {
    const many = Array.from({ length: 100_000 }, () => 'x'.repeat(100))
    expect(JSON.stringify(trim(report({ payload: { many } }))).length).toBeLessThan(1_000_000)
  })

  it('[K5] ends where nesting has no end', () => {
    let deep: unknown = 'x'
    for (let i = 0; i < 100_000; i++) deep = { deep }
    expect(JSON.stringify(trim(report({ payload: deep }))).length).toBeLessThan(1_000)
  })

  it('[K5] is the same when trimmed again', () => {
    fc.assert(
      fc.property(fc.object(), (payload) => {
        const once = trim(report({ payload }))
        expect(trim(once)).toEqual(once)
      }),
    )
  })
})
