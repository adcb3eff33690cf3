import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getNodeValue } from 'jsonc-parser'
import { eventsFor, shellWord } from '../../../agents/claude/events.ts'
import { firstLiberty, parseSettings, placeOf } from '../../../install/document.ts'
import { ownHooks } from '../../../install/hooks.ts'
import { type Finding, ok, type Patient, problem, warning } from './finding.ts'
import { scriptPath } from './script.ts'

/** Each folder of settings: whether vigil's hooks are there, and whether the client heeds them. */
export function checkSettings(patient: Patient): Finding[] {
  return patient.configFolders.map((folder) => checkFolder(folder, patient))
}

const INSTALL = 'vigil install'

function checkFolder(folder: string, patient: Patient): Finding {
  const path = join(folder, 'settings.json')
  const shown = shortened(path, patient.home)
  const text = textOf(path)
  if (text === undefined)
    return warning('hooks', `${shown}: none, since there is no such file`, INSTALL)
  try {
    return checkText(text, shown, patient)
  } catch (error) {
    const why = (error as Error).message.replace(/; put the file right.*$/, '')
    return problem('hooks', `${why}: the client ignores the file`, `put ${shown} right`)
  }
}

function checkText(text: string, shown: string, patient: Patient): Finding {
  const root = parseSettings(text, shown)
  const liberty = firstLiberty(text)
  if (liberty !== undefined)
    return problem(
      'hooks',
      `${shown}:${placeOf(text, liberty)}: a comment or a trailing comma; the client loads no such file`,
      'take it out',
    )
  const settings: Record<string, unknown> = getNodeValue(root)
  const silenced = silencedBy(settings)
  if (silenced) return problem('hooks', `${shown}: ${silenced.what}`, silenced.todo)
  const hook = scriptPath(patient.folders)
  const own = new Set(ownHooks(root, new Set([hook, shellWord(hook)])).map(({ event }) => event))
  return installed(own, shown, patient.version)
}

function installed(own: ReadonlySet<string>, shown: string, version: string | undefined): Finding {
  const known = new Set<string>(eventsFor(version))
  const missing = [...known].filter((event) => !own.has(event))
  const unknown = [...own].filter((event) => !known.has(event))
  const figures = { installed: [...own], missing, unknown }
  if (own.size === 0) return warning('hooks', `${shown}: none of vigil’s`, INSTALL, { figures })
  if (unknown.length > 0 && version !== undefined)
    return problem(
      'hooks',
      `${shown}: claude ${version} does not know ${unknown.join(', ')} and may drop the whole file`,
      INSTALL,
      { figures },
    )
  if (missing.length > 0)
    return warning('hooks', `${shown}: without ${missing.join(', ')}`, INSTALL, { figures })
  return ok('hooks', `${shown}: ${own.size} events`, { figures })
}

/** Tools are asked about in these two; the client runs no hook of a file where one is broken. */
const DELICATE = ['PreToolUse', 'PermissionRequest']

function silencedBy(settings: Record<string, unknown>) {
  if (settings.disableAllHooks === true)
    return { what: 'disableAllHooks is true: no hook runs', todo: 'set it to false, or remove it' }
  const { hooks } = settings
  if (hooks === undefined) return undefined
  if (!isObject(hooks))
    return { what: '"hooks" is no object: no hook runs', todo: 'put it right, or remove it' }
  const broken = DELICATE.find((event) => hooks[event] !== undefined && !isSound(hooks[event]))
  if (broken === undefined) return undefined
  const what = `an entry of ${broken} is broken: the client runs no hook of this file at all`
  return { what, todo: `put ${broken} right: every entry needs "hooks": [{"type": …, …}]` }
}

function isSound(groups: unknown): boolean {
  if (!Array.isArray(groups)) return false
  return groups.every((group) => {
    if (!isObject(group) || !Array.isArray(group.hooks)) return false
    if (group.matcher !== undefined && typeof group.matcher !== 'string') return false
    return group.hooks.every(isSoundHook)
  })
}

/** What each type of hook cannot do without. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  command: ['command'],
  http: ['url'],
  mcp_tool: ['server', 'tool'],
  prompt: ['prompt'],
  agent: ['prompt'],
}

function isSoundHook(hook: unknown): boolean {
  if (!isObject(hook)) return false
  const needs = NEEDS[String(hook.type)]
  const { timeout } = hook
  if (timeout !== undefined && !(typeof timeout === 'number' && timeout > 0)) return false
  return needs?.every((name) => typeof hook[name] === 'string') === true
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function shortened(path: string, home: string): string {
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path
}
