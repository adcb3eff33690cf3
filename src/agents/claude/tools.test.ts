import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inputFingerprint } from '../input-fingerprint.ts'
import { cutWord } from '../read.ts'
import { isDialog, isQuietTool, labelOf, waitingForTool } from './tools.ts'

it('[W1] two tools are dialogs by themselves', () => {
  expect(waitingForTool('ExitPlanMode')).toBe('plan')
  expect(waitingForTool('AskUserQuestion')).toBe('question')
  for (const tool of ['Bash', 'Write', 'EnterPlanMode', 'askuserquestion', '', 'toString']) {
    expect(waitingForTool(tool)).toBe('permission')
    expect(isDialog(tool)).toBe(false)
  }
  expect(isDialog('ExitPlanMode') && isDialog('AskUserQuestion')).toBe(true)
})

it('only looking and talking is quiet', () => {
  for (const tool of ['Read', 'Grep', 'Glob', 'AskUserQuestion', 'ExitPlanMode'])
    expect(isQuietTool(tool)).toBe(true)
  for (const tool of ['Bash', 'Write', 'Edit', 'Agent', 'read', 'mcp__x__Read', ''])
    expect(isQuietTool(tool)).toBe(false)
})

describe('label', () => {
  it('[VW23] is what the call is applied to, else its description', () => {
    expect(labelOf({ description: 'Run tests', command: 'npm test' })).toBe('npm test')
    expect(labelOf({ description: 'Look around', subagent_type: 'Explore' })).toBe('Look around')
    expect(labelOf({ file_path: '/a.ts', content: 'x' })).toBe('/a.ts')
    expect(labelOf({ description: '', command: 5, url: 'https://a' })).toBe('https://a')
  })

  it('[VW23] is a file by its path within the folder', () => {
    expect(labelOf({ file_path: '/home/ada/shop/src/a.ts' }, '/home/ada/shop')).toBe('src/a.ts')
    expect(labelOf({ notebook_path: '/home/ada/shop/a.ipynb' }, '/home/ada/shop')).toBe('a.ipynb')
    for (const file of ['/home/ada/shop2/a.ts', '/etc/hosts', 'src/a.ts'])
      expect(labelOf({ file_path: file }, '/home/ada/shop')).toBe(file)
    const command = '/home/ada/shop/run --fast'
    expect(labelOf({ command }, '/home/ada/shop')).toBe(command)
  })

  it("is a dialog's first question", () => {
    expect(labelOf({ questions: [{ question: 'Red?' }, { question: 'Big?' }] })).toBe('Red?')
  })

  it('is none where nothing tells', () => {
    for (const input of [undefined, null, 'ls', [], {}, { questions: [] }, { questions: [5] }])
      expect(labelOf(input)).toBeUndefined()
  })

  it('is cut at 200 characters', () => {
    expect(cutWord('x'.repeat(200))).toBe('x'.repeat(200))
    expect(cutWord('x'.repeat(201))).toBe(`${'x'.repeat(199)}…`)
    expect(labelOf({ command: 'y'.repeat(1_000) })).toHaveLength(200)
  })
})

describe('fingerprint', () => {
  it('is equal for equal inputs', () => {
    const plain = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.boolean()))
    fc.assert(
      fc.property(plain, (input) => {
        expect(inputFingerprint(structuredClone(input))).toBe(inputFingerprint(input))
      }),
    )
  })

  it('tells apart the calls that may be open at once', () => {
    const inputs = [
      { command: 'touch a' },
      { command: 'touch b' },
      { command: 'touch a', description: 'a' },
      { file_path: 'touch a' },
      { command: 'touch a', timeout: 5 },
      { questions: [1] },
      { questions: [1, 2] },
      {},
    ]
    expect(new Set(inputs.map(inputFingerprint)).size).toBe(inputs.length)
  })

  it('tells apart long inputs by their length', () => {
    const long = 'x'.repeat(10_000)
    expect(inputFingerprint({ content: long })).not.toBe(inputFingerprint({ content: `${long}y` }))
  })

  it('of anything is a short text, and tells inputs apart that differ inside', () => {
    for (const any of [undefined, null, 'ls', 5, ['ls'], { a: { toString: 1 } }])
      expect(inputFingerprint(any)).toMatch(/^[0-9a-z]{1,7}$/)
    expect(inputFingerprint({ query: { of: 1 } })).not.toBe(inputFingerprint({ query: { of: 2 } }))
    expect(inputFingerprint({ list: ['a'] })).not.toBe(inputFingerprint({ list: ['b'] }))
  })
})
