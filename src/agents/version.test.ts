import { describe, expect, it } from 'vitest'
import { isAtLeast, versionIn } from './version.ts'

describe('versions', () => {
  it.each([
    ['2.1.325 (Claude Code)\n', '2.1.325'],
    ['claude v2.0.50', '2.0.50'],
    ['2.1.325-beta.1', '2.1.325'],
    ['', undefined],
    ['command not found', undefined],
    ['10.0.0.1', undefined],
  ])('%j says %s', (said, version) => {
    expect(versionIn(said)).toBe(version)
  })

  it.each([
    ['2.1.9', '2.1.10', false],
    ['2.1.10', '2.1.9', true],
    ['2.1.10', '2.1.10', true],
    ['3.0.0', '2.1.10', true],
    ['1.9.99', '2.0.0', false],
  ])('%s is at least %s: %s', (version, least, answer) => {
    expect(isAtLeast(version, least)).toBe(answer)
  })
})
