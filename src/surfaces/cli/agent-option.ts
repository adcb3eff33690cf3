import type { Command, Option } from 'commander'
import type { Agent } from '../../agents/agent.ts'

/** SPEC AG4. `--agent ID`; no abbreviation of another option matches it. */
export function agentOption(program: Command, what: string, agents: readonly Agent[]): Option {
  return program.createOption('--agent <id>', what).choices(agents.map(({ id }) => id))
}
