import { expect, it } from 'vitest'
import { daemonEnv } from './daemon-env.ts'
import { isNewer, ownVersion } from './version.ts'

it.each([
  ['1.0.1', '1.0.0', true],
  ['1.10.0', '1.9.9', true],
  ['2.0.0', '1.99.99', true],
  ['1.0.0', '1.0.0', false],
  ['1.0.0', '1.0.1', false],
  ['1.0.0', '1.0.0-beta.1', true],
  ['1.0.0-beta.1', '1.0.0', false],
  ['1.0.0', 'starting', true],
  ['starting', '1.0.0', false],
])('[K8] %s is newer than %s: %s', (a, b, expected) => {
  expect(isNewer(a, b)).toBe(expected)
})

it('is the version of the package', () => {
  expect(ownVersion()).toMatch(/^\d+\.\d+\.\d+/)
})

it('[K9] what an agent gave its children does not reach the daemon, but for the folder', () => {
  const env = {
    PATH: '/bin',
    CLAUDECODE: '1',
    CLAUDE_CODE_MESSAGING_TOKEN: 'secret',
    ANTHROPIC_API_KEY: 'secret',
    CLAUDE_CONFIG_DIR: '/home/ada/.claude-2',
    OPENSSL_CONF: '/home/ada/project/openssl.cnf',
    unset: undefined,
  }
  expect(daemonEnv(env)).toEqual({ PATH: '/bin', VIGIL_AGENT_FOLDER: '/home/ada/.claude-2' })
})
