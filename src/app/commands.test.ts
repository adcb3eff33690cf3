import { describe, expect, it } from 'vitest'
import { OTHER_MACHINE, OWN_MACHINE } from '../../test/support/machines.ts'
import type { Session } from '../protocol/session.ts'
import { meant, resolveCommand } from '../surfaces/cli/command-entry.ts'
import { pickSession } from '../surfaces/cli/pick.ts'
import { COMMANDS } from './commands.ts'

describe('a command', () => {
  it('may be shortened as far as it stays clear which is meant', () => {
    expect(resolveCommand(COMMANDS, 'wh')).toMatchObject({ entry: { name: 'why' } })
    expect(resolveCommand(COMMANDS, 'wa')).toEqual({ among: ['watch', 'wait'] })
    expect(resolveCommand(COMMANDS, 'status')).toMatchObject({ entry: { name: 'status' } })
    expect(resolveCommand(COMMANDS, 'nonsense')).toEqual({ unknown: true })
    expect(resolveCommand(COMMANDS, '')).toEqual({ unknown: true })
  })

  it('[CM20] that was mistyped names those that it may be a slip of', () => {
    const names = COMMANDS.map(({ name }) => name)
    expect(meant('statsu', names)).toBe(' (did you mean status?)')
    expect(meant('daemno', names)).toBe(' (did you mean daemon?)')
    // Two swapped letters are one slip: in a name of four letters two would be another word.
    expect(meant('oepn', ['open'])).toBe(' (did you mean open?)')
    expect(meant('wath', names)).toBe(' (did you mean watch?)')
    expect(meant('x', names)).toBe('')
    expect(meant('constructor', names)).toBe('')
  })

  it('each can be loaded, and adds itself under its name', async () => {
    const { Command } = await import('commander')
    for (const { name, load } of COMMANDS) {
      const program = new Command().enablePositionalOptions()
      const add = await load()
      add(program, COMMANDS)
      expect(program.commands.map((command) => command.name())).toContain(name)
    }
  })
})

describe('a session', () => {
  const session = (fields: Partial<Session>) =>
    ({ title: null, cwd: null, project: null, state: 'idle', since: 1, ...fields }) as Session
  const fleet = [
    session({ id: 'abc1', cwd: '/home/ada/engine', project: 'engine' }),
    session({ id: 'abd2', cwd: '/home/ada/parser', project: 'parser', title: 'Weekend' }),
    session({ id: 'x', cwd: '/srv/engine', project: 'engine', state: 'closed' }),
    session({ id: 'old', cwd: '/srv/old', project: 'old', state: 'closed', since: 1 }),
    session({ id: 'older', cwd: '/srv/old', project: 'old', state: 'closed', since: 0 }),
  ]

  it('[MA8] of one machine is meant after its id and a slash', () => {
    const there = [
      session({ id: 'abc1', machine: OWN_MACHINE }),
      session({ id: 'abc1', machine: OTHER_MACHINE, title: 'elsewhere' }),
    ]
    const picked = (name: string) => pickSession(there, name)
    expect(picked(`${OTHER_MACHINE}/abc`).title).toBe('elsewhere')
    expect(picked(`${OWN_MACHINE}/abc1`).machine).toBe(OWN_MACHINE)
    expect(() => picked('abc1')).toThrow('could be')
    expect(() => picked(`${OWN_MACHINE}/elsewhere`)).toThrow(`on machine ${OWN_MACHINE}; there are`)
    expect(() => picked(`m${'c3'.repeat(12)}/abc1`)).toThrow('there is none')
  })

  it.each([
    ['abc', 'abc1'],
    ['weekend', 'abd2'],
    ['parser', 'abd2'],
    ['/home/ada/engine/', 'abc1'],
    ['engine', 'abc1'],
    ['/srv/engine', 'x'],
    ['/srv/old', 'old'],
  ])('is meant by %s: %s', (name, id) => {
    expect(pickSession(fleet, name).id).toBe(id)
  })

  it('must be clear and there', () => {
    expect(() => pickSession(fleet, 'ab')).toThrow(/could be\n {2}abc1 .*\n {2}abd2/)
    expect(() => pickSession(fleet, 'nobody')).toThrow(/no session by that id, title or folder/)
    expect(() => pickSession([], 'nobody')).toThrow(/there is none/)
  })
})
