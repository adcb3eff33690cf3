import { Command } from 'commander'
import { expect, it } from 'vitest'
import { AGENT_MAY } from '../surfaces/cli/agent-may.ts'
import { COMMANDS } from './commands.ts'

/** The full name of every command and subcommand. */
async function everyCommand(): Promise<string[]> {
  const names = new Set(['vigil'])
  for (const { load } of COMMANDS) {
    const program = new Command('vigil').enablePositionalOptions()
    const add = await load()
    add(program, COMMANDS)
    const walk = (command: Command, before: string) => {
      const name = `${before} ${command.name()}`.trim()
      names.add(name)
      for (const inner of command.commands) walk(inner, name)
    }
    for (const command of program.commands) walk(command, '')
  }
  return [...names].toSorted()
}

it('[WD10] every command has a line that says whether an agent may run it', async () => {
  expect(Object.keys(AGENT_MAY).toSorted()).toEqual(await everyCommand())
})

it('[WD10] what decides, sends, types or changes settings is not for agents', () => {
  const not = Object.entries(AGENT_MAY).filter(([, { agent }]) => agent === false)
  expect(not.map(([name]) => name)).toEqual(
    expect.arrayContaining([
      ...['answer', 'answers on', 'answers off', 'say', 'interrupt', 'jump', 'next', 'stop'],
      ...['notify on', 'notify off', 'notify channel', 'notify test', 'share add', 'share qr'],
      ...['loop resume', 'loop import', 'tmux on', 'tmux off', 'install', 'uninstall', 'import'],
      ...[
        'fleet serve',
        'fleet invite',
        'fleet join',
        'fleet allow',
        'fleet remove',
        'fleet leave',
      ],
    ]),
  )
})
