import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { otherAgent, withOther } from '../../../test/support/other-agent.ts'
import { claude } from '../../agents/claude/index.ts'
import { foldersOf } from '../../home/folders.ts'
import { abilitiesOf } from './agents.ts'
import { agentsHere } from './agents-here.ts'
import { chosenFor } from './install-which.ts'
import { agentFor } from './run.ts'

const top = mkdtempSync(join(tmpdir(), 'vigil-known-'))
afterAll(() => rmSync(top, { recursive: true, force: true }))

/** A user with these folders and programs. */
function user(name: string, has: readonly string[], programs: readonly string[]) {
  const [home, bin] = [join(top, name), join(top, name, 'bin')]
  for (const folder of [...has, 'bin']) mkdirSync(join(home, folder), { recursive: true })
  for (const program of programs) {
    writeFileSync(join(bin, program), '#!/bin/sh\necho 2.1.325\n')
    chmodSync(join(bin, program), 0o755)
  }
  return { HOME: home, PATH: `${bin}:/usr/bin:/bin` }
}

const folders = foldersOf({ VIGIL_HOME: join(top, 'vigil') })
const chosen = (env: Record<string, string>, named: object = {}) =>
  chosenFor({ configDir: [], ...named }, env, folders).map(({ agent }) => agent.id)

describe('agents that are found', () => {
  it('[AG2] are so by their program, or by their folder', () => {
    withOther()
    const found = (env: Record<string, string>) =>
      agentsHere({ env, folders }).map(({ isFound }) => isFound)
    expect(found(user('none', [], []))).toEqual([false, false])
    expect(found(user('folder', ['.other'], []))).toEqual([false, true])
    expect(found(user('program', [], ['claude']))).toEqual([true, false])
    expect(found({ ...user('beside', ['.local/bin'], []), OTHER_HOME: top })).toEqual([false, true])
  })

  it('[AG4] are set up, or the one that is named', () => {
    withOther()
    const both = user('both', ['.claude'], ['other'])
    expect(chosen(both)).toEqual(['claude', 'other'])
    expect(chosen(both, { agent: 'other' })).toEqual(['other'])
    const none = user('nobody', [], [])
    expect(() => chosen(none)).toThrow(/no agent was found here; --agent says which/)
    expect(chosen(none, { agent: 'claude' })).toEqual(['claude'])
  })

  it('[AG4] a config folder needs its agent where there are several', () => {
    withOther()
    const configDir = [join(top, 'x')]
    const both = user('two', ['.claude', '.other'], [])
    expect(() => chosen(both, { configDir })).toThrow(/--agent says whose: claude, other/)
    expect(chosen(both, { configDir, agent: 'other' })).toEqual(['other'])
    expect(chosen(user('one', ['.claude'], []), { configDir })).toEqual(['claude'])
  })
})

describe('what vigil can do with an agent', () => {
  it('[AG3] follows from what it defines', () => {
    const all = { answer: true, type: true, loop: true, resume: true, cost: true }
    expect(abilitiesOf(claude)).toEqual({ see: true, ...all })
    const none = { answer: false, type: false, loop: false, resume: false, cost: false }
    expect(abilitiesOf(otherAgent)).toEqual({ see: true, ...none })
    expect(abilitiesOf({ ...otherAgent, resume: () => [] }).resume).toBe(true)
  })
})

describe('vigil run', () => {
  it('[AG5] takes the agent by its command, by its process, or by its name', () => {
    withOther()
    const of = (program: string, id?: string, ...args: string[]) => agentFor(program, args, id).id
    expect(of('claude')).toBe('claude')
    expect(of('/opt/bin/other')).toBe('other')
    expect(of('othershell')).toBe('other')
    expect(of('node', undefined, '/x/claude-code/cli.js')).toBe('claude')
    expect(of('./my-wrapper', 'other')).toBe('other')
  })

  it('[AG5] refuses a command of no agent, and says how to name it', () => {
    withOther()
    expect(() => agentFor('vim', [], undefined)).toThrow(
      /^vim: no agent that vigil knows is started so \(claude, other\).*--agent claude -- vim/,
    )
  })
})
