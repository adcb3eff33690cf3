import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs'
import { type CheckFinding, finding } from '../../../agents/finding.ts'
import { COMMAND } from '../../../client/start.ts'
import type { Folders } from '../../../home/folders.ts'
import { hookOf, renderedHook } from '../../../install/scripts.ts'
import type { CheckContext } from './context.ts'

/** The hook script of each agent that has one. */
export function checkScripts({ folders, agents }: CheckContext): CheckFinding[] {
  const able = agents.filter(({ agent }) => agent.hook)
  return able.map(({ agent }) => checkScript(folders, agent.id))
}

/** The script that the hooks call: it exists, is executable, and has this version. */
export function checkScript(folders: Folders, agent: string): CheckFinding {
  const path = hookOf(folders, agent)
  if (!existsSync(path))
    return finding.warning(
      'script',
      `${path} is not there`,
      'run `vigil install`, or start agents with `vigil run`',
    )
  if (!statSync(path).isFile() || !isExecutable(path))
    return finding.problem('script', `${path} cannot be run`, 'vigil install')
  const own = { node: process.execPath, vigil: COMMAND }
  const [text, wanted] = [readFileSync(path, 'utf8'), renderedHook(folders, agent, own)]
  if (text === wanted) return finding.ok('script', path)
  if (withoutStart(text) !== withoutStart(wanted))
    return finding.warning('script', `${path} belongs to another version of vigil`, 'vigil install')
  const gone = startsBy(text).find((file) => !existsSync(file))
  if (gone !== undefined)
    return finding.problem(
      'script',
      `${path} starts the daemon with ${gone}, which no longer exists`,
      'vigil install',
    )
  return finding.ok('script', `${path}, which starts the daemon with ${startsBy(text).join(' ')}`)
}

/** The lines that name a Node and a vigil: another pair of them works as well. */
const START = /^(?:node|vigil)='(.*)'$/gm

function withoutStart(text: string): string {
  return text.replaceAll(START, '')
}

/** Only plain paths. */
function startsBy(text: string): string[] {
  return [...text.matchAll(START)].map(([, path = '']) => path).filter((path) => /^\//.test(path))
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
