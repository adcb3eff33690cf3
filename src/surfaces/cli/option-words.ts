import type { Command, Option } from 'commander'
import type { Agent } from '../../agents/agent.ts'
import { BadInput } from './bad-input.ts'

/** SPEC AG4. `--agent ID`; no abbreviation of another option matches it. */
export function agentOption(program: Command, what: string, agents: readonly Agent[]): Option {
  return program.createOption('--agent <id>', what).choices(agents.map(({ id }) => id))
}

/** Of `vigil install` and `vigil run` alike. */
export const ALL_EVENTS = 'hooks for every event that the client knows, not only those vigil needs'

/** SPEC CM17. The explanation of SESSION in the help of every command. */
export const SESSION_IS =
  'the beginning of an id, a name, a title or a folder; . is the session in this folder'

/** The parser of an option whose value is a whole number within these bounds. */
export function wholeNumber(option: string, from: number, to: number) {
  return (value: string): number => {
    const number = Number(value)
    if (/^\d{1,9}$/.test(value) && number >= from && number <= to) return number
    throw new BadInput(`${option} ${value}: expected a number from ${from} to ${to}`)
  }
}
