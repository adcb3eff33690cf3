import { describe, expect, it } from 'vitest'
import { OTHER_MACHINE, OWN_MACHINE } from '../../test/support/machines.ts'
import { aSession } from '../../test/support/sessions.ts'
import type { Session } from '../protocol/session.ts'
import { meant, resolveCommand } from '../surfaces/cli/command-entry.ts'
import { SESSION_IS } from '../surfaces/cli/option-words.ts'
import { pickSession, sessionHere } from '../surfaces/cli/pick.ts'
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
    // Two swapped letters count as one typing error. In a name of four letters two errors would
    // make another word.
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

it('[CM17] every command that takes a session says what it may be, in the same words', async () => {
  const { Command } = await import('commander')
  const takes: string[] = []
  for (const { load } of COMMANDS) {
    const program = new Command().enablePositionalOptions()
    const add = await load()
    add(program, COMMANDS)
    const all = program.commands.flatMap((command) => [command, ...command.commands])
    for (const command of all)
      for (const argument of command.registeredArguments) {
        if (argument.name() !== 'session') continue
        takes.push(command.name())
        expect(argument.description, command.name()).toContain(SESSION_IS)
      }
  }
  expect(takes).toEqual(expect.arrayContaining(['why', 'answer', 'wait', 'say', 'jump', 'stop']))
})

describe('a session', () => {
  const session = (fields: Partial<Session>) => aSession({ id: '', since: 1, ...fields })
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

  it.each([
    ['payments', 'first'],
    ['PAYMENTS 2', 'second'],
    ['pay', 'third'],
    ['check', 'third'],
    ['Checkout', 'third'],
    ['website', 'new'],
    ['web', 'new'],
    ['fir', 'first'],
    ['/srv/gone', 'gone'],
    ['/srv/g', 'gone'],
    ['process:4711', 'second'],
    ['0', '0abc'],
  ])('[CM17] is meant by %s: %s', (name, id) => {
    const payments = { cwd: '/home/ada/payments', project: 'payments' }
    const sessions = [
      session({ id: 'first', name: 'payments', ...payments }),
      session({ id: 'second', name: 'payments 2', pid: 4711, ...payments }),
      session({ id: 'third', name: 'pay desk', title: 'checkout' }),
      session({ id: 'old', name: 'website', project: 'website', state: 'closed' }),
      session({ id: 'new', name: 'website 2', project: 'website', cwd: '/srv/website' }),
      session({ id: 'gone', name: 'gone', cwd: '/srv/gone', state: 'closed' }),
      session({ id: '0abc', name: 'x' }),
    ].filter((one) => name !== 'pay' || one.project !== 'payments')
    expect(pickSession(sessions, name).id).toBe(id)
  })

  it('[CM17] here is the one around this command, else the one of this folder', () => {
    const own = session({ id: 'own', pid: 7, cwd: '/a' })
    const there = session({ id: 'there', cwd: '/b' })
    const around = (pid: number) => (open: readonly Session[]) =>
      open.find((one) => one.pid === pid)
    const here = (pid: number, folder: string) => (all: readonly Session[]) =>
      sessionHere(all, around(pid), folder)
    expect(pickSession([own, there], '.', here(7, '/b')).id).toBe('own')
    expect(pickSession([own, there], '.', here(8, '/b')).id).toBe('there')
    expect(() => pickSession([own, there], '.', here(8, '/c'))).toThrow('no session works in this')
    const twin = session({ id: 'twin', cwd: '/b' })
    expect(() => pickSession([twin, there], '.', here(8, '/b'))).toThrow(/could be\n {2}twin/)
    const ended = session({ id: 'ended', cwd: '/c', state: 'closed' })
    expect(pickSession([ended, there], '.', here(8, '/c')).id).toBe('ended')
  })

  it('must be clear and there', () => {
    expect(() => pickSession(fleet, 'ab')).toThrow(/could be\n {2}abc1 .*\n {2}abd2/)
    expect(() => pickSession(fleet, 'nobody')).toThrow(/no session has this id, name or folder/)
    expect(() => pickSession([], 'nobody')).toThrow(/there is none/)
  })
})
