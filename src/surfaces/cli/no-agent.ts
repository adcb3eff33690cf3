import type { Command } from 'commander'
import type { Session } from '../../protocol/session.ts'
import { plain } from '../../view/session.ts'
import { AGENT_MAY, type AgentRule } from './agent-may.ts'
import { BadInput } from './bad-input.ts'
import type { CallingAgent } from './calling-agent.ts'

/**
 * SPEC WD10, AN9, DR14, PA15. Agents may not run what decides for the user, neither by habit nor
 * because a text told them to. Checked before any command acts. A program that detaches itself from
 * its agent is not recognised: it runs as the user (SECURITY.md).
 */
export async function refuseAgents(command: Command): Promise<void> {
  const name = fullNameOf(command)
  const rule: AgentRule | undefined = AGENT_MAY[name]
  if (rule && may(rule, command)) return
  // Loaded on demand: agents may run most commands.
  const { agentAround } = await import('./calling-agent.ts')
  const agent = await agentAround()
  if (agent) throw new BadInput(sentence(agent, rule?.why ?? `runs vigil ${name}`, name))
}

function may({ agent }: AgentRule, command: Command): boolean {
  if (typeof agent !== 'function') return agent !== false
  return agent({ words: command.args, options: command.opts() })
}

/** SPEC WD11. A command for the session that it runs in: an agent may name no other session. */
export async function refuseOthers({ id }: Pick<Session, 'id'>, name: string): Promise<void> {
  const { agentAround } = await import('./calling-agent.ts')
  const agent = await agentAround()
  if (!agent || agent.session?.id === id) return
  const why = AGENT_MAY[name]?.agent === 'own' ? AGENT_MAY[name].why : OTHERS
  throw new BadInput(sentence(agent, why, `${name} ${id.slice(0, 8)}`))
}

const OTHERS = 'starts loops in other sessions'

function sentence({ session }: CallingAgent, why: string, typed: string): string {
  const name = session ? ` (${plain(session.name, 40)})` : ''
  const what = typed === 'vigil' ? 'vigil' : `vigil ${typed}`
  const rest = `only the user ${why}. Run it in your own terminal: ${what}`
  return `this command runs inside an agent${name}: ${rest}`
}

/** `loop start`; the program's own name if there is no command. */
function fullNameOf(command: Command): string {
  const names: string[] = []
  for (let at: Command | null = command; at?.parent; at = at.parent) names.unshift(at.name())
  return names.join(' ') || 'vigil'
}
