import { join, resolve } from 'node:path'
import { BLOCK_CAP } from '../agents/claude/entries.ts'
import { eventsFor, handlerFor } from '../agents/claude/events.ts'
import { dataOf, parseSettings } from '../edit/document.ts'
import { Refused } from '../edit/refused.ts'
import { configDirOf } from './config-dirs.ts'
import { valueIn } from './entries.ts'
import { readSettings } from './files.ts'
import { checkHooks } from './hooks.ts'
import { isBlank } from './own.ts'

export interface RunSettingsOptions {
  /** The script that `writeHooks` wrote. */
  readonly hook: string
  readonly version?: string | undefined
  /** What the user gave with `--settings` of their own: a file, or JSON. */
  readonly own?: string | undefined
  readonly cwd: string
  /** The client's own: what it says of the cap on blocked Stops counts. */
  readonly env?: Env
}

type Env = Readonly<Record<string, string | undefined>>

type Settings = Record<string, unknown>

/**
 * SPEC I13. Settings for one run with `--settings`: the user's own, vigil's hooks behind theirs.
 * Of two `--settings` the client takes one, the first (2.0.50, 2.1.100) or the last (2.1.220 and
 * later), so both have to be in it. A hook that is in the user's settings file as well runs once.
 */
export function runSettings({ hook, version, own, cwd, env = {} }: RunSettingsOptions): Settings {
  const settings = own === undefined ? {} : ownSettings(own, cwd)
  const hooks = { ...(settings.hooks as Record<string, unknown[]> | undefined) }
  for (const event of eventsFor(version))
    hooks[event] = [...(hooks[event] ?? []), { hooks: [handlerFor(event, hook, version)] }]
  return { ...settings, ...raisedCap(settings, cwd, env), hooks }
}

/** SPEC LP40. These settings outweigh every other, so a cap of the user's own is looked for. */
function raisedCap({ env: given }: Settings, cwd: string, env: Env): Settings {
  const { in: within, key, value } = BLOCK_CAP
  const files = [join(configDirOf(env), 'settings.json')]
  for (const name of ['settings.json', 'settings.local.json'])
    files.push(join(cwd, '.claude', name))
  const isSet = Object.hasOwn({ ...(given as object | undefined) }, key) || Boolean(env[key])
  if (isSet || files.some(hasCap)) return {}
  return { [within]: { ...(given as object | undefined), [key]: value } }
}

function hasCap(path: string): boolean {
  try {
    const { text } = readSettings(path)
    return text !== undefined && valueIn(parseSettings(text, path), BLOCK_CAP) !== undefined
  } catch {
    // What the client cannot read either says nothing.
    return false
  }
}

function ownSettings(own: string, cwd: string): Settings {
  const inline = own.trimStart().startsWith('{')
  const name = inline ? '--settings' : resolve(cwd, own)
  const text = inline ? own : readSettings(name).text
  if (text === undefined) throw new Refused(`${name}: no such file, as given by --settings`)
  if (isBlank(text)) return {}
  const root = parseSettings(text, name)
  checkHooks(text, root, name)
  return dataOf(root) as Settings
}
