import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { eventsFor, isAtLeast, OLDEST_CLIENT, versionIn } from '../../../agents/claude/events.ts'
import { type Finding, ok, type Patient, problem, warning } from './finding.ts'

const run = promisify(execFile)

/** As package.json says. */
const NODE_LEAST = '22.18.0'
/** A client that takes longer to say its version has something else to do. */
const ANSWER_MAX_MS = 10_000

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

export interface Agent {
  readonly path: string
  readonly version: string | undefined
}

/** The agent that `claude` starts. */
export async function findAgent(env: Patient['env']): Promise<Agent | undefined> {
  const path = pathOf('claude', env)
  if (path === undefined) return undefined
  const said = await run(path, ['--version'], { timeout: ANSWER_MAX_MS }).catch(() => undefined)
  return { path, version: versionIn(said?.stdout ?? '') }
}

export function checkAgent(agent: Agent | undefined): Finding {
  if (!agent)
    return warning(
      'claude',
      'there is no claude in PATH',
      'install Claude Code; if it is elsewhere, vigil finds its sessions all the same',
    )
  const { path, version } = agent
  if (version === undefined)
    return warning('claude', `${path} does not say its version`, `try: ${path} --version`)
  const events = `${eventsFor(version).length} hook events known`
  if (!isAtLeast(version, OLDEST_CLIENT))
    return warning(
      'claude',
      `${version} is older than what vigil was tried on (${OLDEST_CLIENT})`,
      'claude update',
    )
  return ok('claude', `${version} at ${path}, ${events}`, { figures: { version, path } })
}

function pathOf(program: string, { PATH = '' }: Patient['env']): string | undefined {
  return PATH.split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, program))
    .find(isExecutable)
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
