import { EVENTS, eventsFor, isAtLeast, OLDEST_CLIENT } from '../../../agents/claude/events.ts'
import type { InstalledClient } from '../../../install/client.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

/** As package.json says. */
const NODE_LEAST = '22.18.0'

export async function checkNode(): Promise<Finding> {
  const { node, sqlite } = process.versions
  if (!isAtLeast(node, NODE_LEAST))
    return problem('node', `${node} is too old`, `install Node ${NODE_LEAST} or later`)
  try {
    await import('node:sqlite')
  } catch {
    return problem(
      'node',
      `${node} was built without node:sqlite`,
      'install Node from nodejs.org, or a build that has it',
    )
  }
  return ok('node', `${node}, SQLite ${sqlite}`)
}

export function checkAgent(agent: InstalledClient | undefined): Finding {
  if (!agent)
    return warning(
      'claude',
      'none was found in PATH that says its version',
      'install Claude Code; if it is elsewhere, vigil finds its sessions all the same',
    )
  const { path, version } = agent
  const figures = { version, path }
  if (!isAtLeast(version, OLDEST_CLIENT))
    return warning(
      'claude',
      `${version} is older than what vigil was tried on (${OLDEST_CLIENT})`,
      'claude update',
      { figures },
    )
  const events = `${eventsFor(version).length} of ${EVENTS.length} hook events`
  const what = `${version} at ${path}, knows ${events}`
  return ok('claude', what, { figures })
}
