import { type CheckFinding, finding } from '../../../agents/finding.ts'
import { isAtLeast } from '../../../agents/version.ts'

/** As in package.json. */
const NODE_LEAST = '22.18.0'

export async function checkNode(): Promise<CheckFinding> {
  const { node, sqlite } = process.versions
  if (!isAtLeast(node, NODE_LEAST))
    return finding.problem('node', `${node} is too old`, `install Node ${NODE_LEAST} or later`)
  try {
    await import('node:sqlite')
  } catch {
    return finding.problem(
      'node',
      `${node} was built without node:sqlite`,
      'install Node from nodejs.org, or a build that has it',
    )
  }
  return finding.ok('node', `${node}, SQLite ${sqlite}`)
}
