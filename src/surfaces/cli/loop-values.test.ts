import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { PROMPT_MAX_CHARS } from '../../core/limits.ts'
import { checkedPrompt, promptOf } from './loop-prompt.ts'
import {
  budgetOption,
  durationOption,
  maxOption,
  patienceOption,
  textOption,
} from './loop-values.ts'

const folder = mkdtempSync(join(tmpdir(), 'vigil-values-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('[LP63] a time', () => {
  it.each([
    ['90s', 90_000],
    ['30m', 1_800_000],
    ['2h', 7_200_000],
    ['1h30m', 5_400_000],
    ['1d', 86_400_000],
    ['1d2h3m4s', 93_784_000],
    ['30d', 2_592_000_000],
    [' 5m ', 300_000],
  ])('%s is %i ms', (value, ms) => {
    expect(durationOption('--for', value)).toBe(ms)
  })

  it.each([
    '',
    '0s',
    '0h0m',
    '-5m',
    '5',
    '1.5h',
    'h',
    '30m1h',
    '5m5m',
    'NaN',
    'Infinity',
    '1e9s',
    '5 m',
    '31d',
    `${'9'.repeat(400)}d`,
  ])('%s is refused', (value) => {
    expect(() => durationOption('--for', value)).toThrow(/--for .*(expected a time|at most)/)
  })
})

describe('[LP63] a sum', () => {
  it.each([
    ['5', 5],
    ['0.50', 0.5],
    ['$2.25', 2.25],
    ['10000', 10_000],
  ])('%s is %d dollars', (value, usd) => {
    expect(budgetOption(value)).toBe(usd)
  })

  it.each(['', '0', '0.00', '-1', 'NaN', 'Infinity', '1e3', '.5', '5€', 'five', '10001'])(
    '%s is refused',
    (value) => {
      expect(() => budgetOption(value)).toThrow(/--budget .*(expected dollars|at most)/)
    },
  )
})

describe('[LP63] a number', () => {
  it('of iterations is whole and from 1 to 1000', () => {
    expect(maxOption('1')).toBe(1)
    expect(maxOption('1000')).toBe(1000)
    for (const value of ['0', '-1', '1.5', '1001', 'NaN', '', 'x', '1e2', '0x10'])
      expect(() => maxOption(value)).toThrow(/--max .*from 1 to 1000/)
  })

  it('of turns without progress may be 0', () => {
    expect(patienceOption('0')).toBe(0)
    expect(() => patienceOption('-1')).toThrow(/--patience -1: .*from 0 to 1000/)
  })
})

describe('[LP64] the prompt', () => {
  it('comes in words or from a file', async () => {
    expect(await promptOf('do it', undefined)).toEqual({ prompt: 'do it', promptFile: null })
    expect(await promptOf(undefined, undefined)).toEqual({ prompt: null, promptFile: null })
    const path = join(folder, 'plan.md')
    writeFileSync(path, '\n# Plan\nfirst this\n')
    expect(await promptOf(undefined, path)).toEqual({
      prompt: '# Plan\nfirst this',
      promptFile: path,
    })
  })

  it('that is empty, too long, no text, not there or given twice is refused', async () => {
    const file = (content: string) => {
      const path = join(folder, 'prompt')
      writeFileSync(path, content)
      return promptOf(undefined, path)
    }
    await expect(file(' \n')).rejects.toThrow(/is empty/)
    await expect(file('x'.repeat(PROMPT_MAX_CHARS + 1))).rejects.toThrow(/20001 characters/)
    await expect(file('ü'.repeat(PROMPT_MAX_CHARS * 3))).rejects.toThrow(/longer than 20000/)
    await expect(file('a\0b')).rejects.toThrow(/expected text/)
    expect((await file('x'.repeat(PROMPT_MAX_CHARS))).prompt).toHaveLength(PROMPT_MAX_CHARS)
    await expect(promptOf(undefined, join(folder, 'none'))).rejects.toThrow(/none: no such file/)
    await expect(promptOf(undefined, folder)).rejects.toThrow(/--prompt-file .*EISDIR/)
    await expect(promptOf(undefined, '/dev/zero')).rejects.toThrow(/longer than 20000/)
    await expect(promptOf('a', 'b')).rejects.toThrow(/use only one of them/)
    expect(() => checkedPrompt('--prompt', 'x'.repeat(PROMPT_MAX_CHARS + 1))).toThrow(
      /at most 20000/,
    )
    expect(() => textOption('--until', '  ')).toThrow(/--until: is empty/)
  })
})
