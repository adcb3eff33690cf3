import { type CheckFinding, finding } from '../../../agents/finding.ts'
import { AGENTS } from '../../../agents/index.ts'
import { isAtLeast } from '../../../agents/version.ts'
import { checkSetup } from '../../../install/check.ts'
import { hookOf } from '../../../install/scripts.ts'
import { checkServer } from '../../../sources/servers/check-server.ts'
import type { AgentHere } from '../agents-here.ts'
import type { CheckContext } from './context.ts'

/**
 * SPEC CM11, CM12. Each agent on this machine: its client, its settings, and vigil's part of them.
 */
export async function checkAgents(context: CheckContext): Promise<CheckFinding[]> {
  const findings: CheckFinding[] = []
  for (const here of context.agents) {
    findings.push(checkClient(here))
    findings.push(...(await checkSetup(here.agent, here.homes, here.clients, context)))
    findings.push(...(await checkServers(here, context)))
  }
  return findings.length > 0 ? findings : [none()]
}

async function checkServers(
  { agent, homes }: AgentHere,
  { folders }: CheckContext,
): Promise<CheckFinding[]> {
  const { id, server } = agent
  if (!server) return []
  const found = homes.map((home) => checkServer(server, home, hookOf(folders, id)))
  return (await Promise.all(found)).flatMap((one) => one ?? [])
}

function none(): CheckFinding {
  const names = AGENTS.map(({ title }) => title).join(', ')
  return finding.warning(
    'agents',
    `no agent was found on this machine (${names})`,
    'install an agent, then run `vigil install`',
  )
}

function checkClient({ agent, client }: AgentHere): CheckFinding {
  const { id, title, command, oldest, setup } = agent
  if (!client)
    return finding.warning(
      id,
      `no working ${command} was found in PATH`,
      `install ${title}; vigil finds its sessions even if it is not in PATH`,
    )
  const { path, version } = client
  const figures = { version, path }
  if (oldest !== undefined && !isAtLeast(version, oldest)) {
    const what = `${version} is older than the oldest version vigil was tested with (${oldest})`
    return finding.warning(id, what, `update ${title}`, { figures })
  }
  const events = setup ? `, with ${setup.knownEvents(version).length} hook events` : ''
  return finding.ok(id, `${version} at ${path}${events}`, { figures })
}
