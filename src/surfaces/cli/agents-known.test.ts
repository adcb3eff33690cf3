import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { fable } from '../../../test/support/fable/index.ts'
import { withFable } from '../../../test/support/fable/known.ts'
import { claude } from '../../agents/claude/index.ts'
import { foldersOf } from '../../home/folders.ts'
import { agentAbilities } from './agents.ts'
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
    withFable()
    const found = (env: Record<string, string>) =>
      agentsHere({ env, folders }).flatMap(({ isFound, agent }) => (isFound ? [agent.id] : []))
    expect(found(user('none', [], []))).toEqual([])
    expect(found(user('folder', ['.fable'], []))).toEqual(['fable'])
    expect(found(user('program', [], ['claude']))).toEqual(['claude'])
    expect(found({ ...user('beside', ['.local/bin'], []), FABLE_HOME: top })).toEqual(['fable'])
  })

  it('[AG4] are set up, or the one that is named', () => {
    withFable()
    const both = user('both', ['.claude'], ['fable'])
    expect(chosen(both)).toEqual(['claude', 'fable'])
    expect(chosen(both, { agent: 'fable' })).toEqual(['fable'])
    const none = user('nobody', [], [])
    expect(() => chosen(none)).toThrow(/no agent was found on this machine; choose one/)
    expect(chosen(none, { agent: 'claude' })).toEqual(['claude'])
  })

  it('[AG4] a config folder needs its agent where there are several', () => {
    withFable()
    const configDir = [join(top, 'x')]
    const both = user('two', ['.claude', '.fable'], [])
    expect(() => chosen(both, { configDir })).toThrow(
      /choose its agent with --agent: claude, fable/,
    )
    expect(chosen(both, { configDir, agent: 'fable' })).toEqual(['fable'])
    expect(chosen(user('one', ['.claude'], []), { configDir })).toEqual(['claude'])
  })
})

describe('what vigil can do with an agent', () => {
  it('[AG3] follows from what it defines', () => {
    const all = { answer: true, type: true, loop: true, resume: true, cost: true }
    expect(agentAbilities(claude)).toEqual({ see: true, ...all })
    const none = { answer: false, type: false, loop: false, resume: false, cost: false }
    expect(agentAbilities(fable)).toEqual({ see: true, ...none, answer: true, resume: true })
    const { answers: _, resume: _its, ...rest } = fable
    expect(agentAbilities(rest)).toEqual({ see: true, ...none })
  })
})

describe('vigil run', () => {
  it('[AG5] takes the agent by its command, by its process, or by its name', () => {
    withFable()
    const of = (program: string, id?: string, ...args: string[]) => agentFor(program, args, id).id
    expect(of('claude')).toBe('claude')
    expect(of('/opt/bin/fable')).toBe('fable')
    expect(of('sh', undefined, '/opt/bin/fable')).toBe('fable')
    expect(of('node', undefined, '/x/claude-code/cli.js')).toBe('claude')
    expect(of('./my-wrapper', 'fable')).toBe('fable')
  })

  it('[AG5] refuses a command of no agent, and says how to name it', () => {
    withFable()
    expect(() => agentFor('vim', [], undefined)).toThrow(
      /^vim: vigil does not know .*\(it knows claude, codex, fable\).*--agent claude -- vim/,
    )
  })
})
